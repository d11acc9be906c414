/** The run in the name of a file must be that of its header. */
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import { findSource } from "../../../ingest/sources/index.ts";

const open = (source: string, text: string, name: string) => findSource(source).open({ line: 1, text }, name);

describe.each([
  ["officers-snapshot", "DDDDSNAP000320261101", ["Prod195_0003_ew_1_01112026010001.dat", "officers.dat"]],
  ["officers-update", "DDDDUPDT000320261101", ["Prod198_0003.dat", "Prod198_3.dat", "today.dat"]],
  ["disqualified-officers-snapshot", "DISQUALS000320261101", ["Prod192_0003.txt", "disqualified.txt"]],
])("the header of %s", (source, header, names) => {
  it.each(names)("is accepted under the name %s", (name) => {
    expect(open(source, header, name)).toMatchObject({ run: "0003", productionDate: "2026-11-01" });
  });

  it("is refused under the name of another run", () => {
    const name = names[0]?.replace("0003", "4321") ?? "";
    expect(() => open(source, header, name)).toThrow(SourceError);
    expect(() => open(source, header, name)).toThrow(
      /^its name says run 4321, its header run 0003 of 2026-11-01: .*name the file after its run$/,
    );
  });
});

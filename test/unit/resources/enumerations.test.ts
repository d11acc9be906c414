import { expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { enumeration, enumerationList } from "../../../api/resources/enumeration/index.ts";
import type { RecordReader } from "../../../api/shared/definitions/record-reader.ts";

// Neither reads a record.
const NOTHING = {} as RecordReader;
const TODAY = { today: "2026-11-21" };

it("answers every list that it names, each code once", async () => {
  const [version] = enumerationList.versions;
  const all = version.present(await enumerationList.read(NOTHING, {}, {}), TODAY);
  expect(compileCheck(version.schema)(all)).toBeNull();
  const lists = all.items as { name: string; count: number }[];
  expect(lists.length).toBeGreaterThan(40);
  const [shown] = enumeration.versions;
  for (const { name, count } of lists) {
    const list = shown.present(await enumeration.read(NOTHING, { enumeration_name: name }, {}), TODAY);
    expect(compileCheck(shown.schema)(list)).toBeNull();
    const codes = (list.items as { code: string }[]).map(({ code }) => code);
    expect([codes.length, new Set(codes).size]).toEqual([count, count]);
  }
});

it("knows no list of another name", async () => {
  expect(await enumeration.read(NOTHING, { enumeration_name: "_about" }, {})).toBeNull();
});

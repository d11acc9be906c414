/** Bad lines of the officers' daily update: refused, mended and applied; and files unfit to load. */
import { describe, expect, it } from "@jest/globals";
import { aCompanyLine, anUpdateLine } from "../support/officer-lines.ts";
import { load, writeFile } from "../support/load-command.ts";
import { countAppointments, fetchStored, updateLines, writeUpdate } from "../support/officers-update.ts";
import { loadOf, mendRows, refusedRowsOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("bad lines of an update", () => {
  it("are refused with field and reason, and are applied once exported, mended and loaded", async () => {
    const register = await newRegister();
    const line = { company: "99000500", number: "100000010001" };
    const bad = anUpdateLine({ ...line, newType: "42" });
    const lines = [
      aCompanyLine("99000500", "MOCK LTD"),
      bad,
      anUpdateLine({ ...line, number: "200000020001" }),
    ];
    const run = await load(register, [writeUpdate(folder, 4322, lines)]);
    expect(run).toMatchObject({ exitCode: 2 });
    const id = loadOf(run);
    expect(await refusedRowsOf(register, id)).toMatchObject([
      { line: 3, field: "new_type", reason: "is not known: 42" },
    ]);
    expect(await fetchStored(register, "company_number", "99000500")).toHaveLength(1);

    let exported: string[] = [];
    const mend = (text: string) => {
      exported = text.split("\n");
      return text.replace(bad, anUpdateLine(line));
    };
    expect(await mendRows(register, { folder, id, mend })).toMatchObject({ exitCode: 0 });
    expect(exported.slice(0, 2)).toEqual(["DDDDUPDT432220261102", lines[0]]);
    const appointments = await fetchStored(register, "company_number", "99000500");
    expect(appointments.map(({ person_number }) => person_number).sort()).toEqual([
      "100000010001",
      "200000020001",
    ]);
    await expectStoresAgree(register.stores);
  });

  it("do not keep an appointment that was entered in error, though they would have entered it again", async () => {
    const register = await newRegister();
    const line = { company: "99000500", number: "100000010001" };
    await load(register, [writeUpdate(folder, 4322, [anUpdateLine(line)])]);
    expect(await fetchStored(register, "company_number", "99000500")).toHaveLength(1);
    // The occupation is longer than the schema allows.
    const again = anUpdateLine({ ...line, occupation: "X".repeat(3000) });
    const update = writeUpdate(folder, 4323, [anUpdateLine({ ...line, newType: "99" }), again]);
    expect(await load(register, [update])).toMatchObject({ exitCode: 2 });
    expect(await fetchStored(register, "company_number", "99000500")).toEqual([]);
    await expectStoresAgree(register.stores);
  });

  it("count at their own place once mended, so that statements beside them or in a later run stay", async () => {
    const register = await newRegister();
    const [first, second] = ["100000010001", "200000020001"].map((number) => ({
      company: "99000500",
      number,
    }));
    const lines = [
      aCompanyLine("99000500", "MOCK LTD"),
      anUpdateLine({ ...first, newType: "42" }),
      anUpdateLine({ ...second, nationality: "BRITISH" }),
    ];
    const id = loadOf(await load(register, [writeUpdate(folder, 4322, lines)]));
    const later = writeUpdate(folder, 4323, [anUpdateLine({ ...second, nationality: "IRISH" })]);
    expect(await load(register, [later])).toMatchObject({ exitCode: 0 });
    const before = await fetchStored(register, "person_number", second?.number ?? "");
    expect(before.map(({ data }) => data.nationality)).toEqual(["Irish"]);

    const mend = (text: string) => text.replace(lines[1] ?? "", anUpdateLine(first));
    const run = await mendRows(register, { folder, id, mend });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed.find((line) => line.startsWith("written"))).toMatch(/^written +1$/);
    expect(await fetchStored(register, "person_number", second?.number ?? "")).toEqual(before);
    expect(await fetchStored(register, "person_number", first?.number ?? "")).toHaveLength(1);
    expect(await load(register, [writeUpdate(folder, 4324, lines.slice(2))])).toMatchObject({ exitCode: 0 });
    await expectStoresAgree(register.stores);
  });

  it.each([
    [
      "a trailer that does not add up",
      updateLines.with(-1, "9999999900000031"),
      /the trailer says 31 records, the file has 30/,
    ],
    ["no trailer", updateLines.slice(0, -1), /truncated/],
    ["a header without its run number", updateLines.with(0, "DDDDUPDT 20261102"), /a run number and a date/],
  ])("%s fails the load before anything is changed", async (_name, lines, reason) => {
    const register = await newRegister();
    const path = writeFile(folder, "Prod198_4322.dat", lines.join("\n"));
    expect((await load(register, [path])).error?.message).toMatch(reason);
    expect(await countAppointments(register)).toBe(0);
  });
});

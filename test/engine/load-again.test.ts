/** Editions after another one: what is not read again, what is written, and which of two rows counts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { company, event, fetchNameOnRecord, NUMBER } from "../support/event-batches.ts";
import { load, OFFICERS, PARTS, PSC, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const ROWS = 40;

let register: TestRegister;

/** Overwrites a member of every record of a kind, as somebody might by hand. */
async function spoil({ collection }: RecordDefinition<never>, member: "etag" | "data"): Promise<number> {
  const client = new MongoClient(register.config.MONGODB_URL);
  try {
    const records = client.db(register.config.DATABASE_NAME).collection(collection);
    return (await records.updateMany({}, { $set: { [member]: "spoiled" } })).modifiedCount;
  } finally {
    await client.close();
  }
}

/** Loads the files; returns how many rows were written and how many were not, because nothing changed. */
async function loadAndCount(files: string[]) {
  const { exitCode, printed, error } = await load(register, files);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  const count = (what: string) =>
    Number(printed.map((line) => RegExp(`^${what} +(\\d+)`).exec(line)?.[1]).find(Boolean));
  return { written: count("written"), unchanged: count("unchanged") };
}

const writeEvent = (name: string, day: string) => {
  const [row = ""] = event(company(name), Date.parse(day) / 1_000, day).rows;
  return writeFile(folder, `companies-${day}.ndjson`, `${row}\n`);
};

const writeDay = (day: string, rename: (row: string) => string = (row) => row) =>
  writeFile(
    folder,
    `BasicCompanyDataAsOneFile-${day}.csv`,
    [...readCompanies().map(rename), ""].join("\r\n"),
  );

/** The header and some rows, one of them for the company that the events name. */
function readCompanies(): string[] {
  const [header = "", ...rows] = readLines(writeEdition(folder, "all.csv", () => true));
  const named = rows.findIndex((row) => row.includes(`"${NUMBER}"`));
  return [header, ...rows.slice(named, named + ROWS)];
}

// These tests share a register; each finds what the tests before it left.
describe("the same file again", () => {
  const companies = writeDay("2026-11-01");
  beforeAll(async () => {
    register = await openRegister();
  });
  afterAll(() => register.close());

  it.each<[string, string[], RecordDefinition<never>]>([
    ["companies", [companies], companyRecord as never],
    ["officers", OFFICERS.slice(-1), appointmentRecord as never],
    ["persons with significant control", PSC, pscRecord as never],
  ])(
    "is compared by the stamps of stored records, without reading their content: %s",
    async (_what, files, kind) => {
      const first = await loadAndCount(files);
      const same = { written: 0, unchanged: first.written + first.unchanged };
      expect(await spoil(kind, "data")).toBeGreaterThan(0);
      // Reading the content would fail.
      expect(await loadAndCount(files)).toEqual(same);
    },
  );
});

describe("an edition after another one", () => {
  const first = writeDay("2026-11-01");
  beforeEach(async () => {
    register = await newRegister();
  });

  it("repairs a record that differs from its row", async () => {
    expect(await loadAndCount([first])).toEqual({ written: ROWS, unchanged: 0 });
    expect(await spoil(companyRecord as never, "etag")).toBe(ROWS);
    expect(await loadAndCount([first])).toEqual({ written: ROWS, unchanged: 0 });
    expect(await loadAndCount([first])).toEqual({ written: 0, unchanged: ROWS });
  });

  it("writes only the rows that differ", async () => {
    await loadAndCount([first]);
    const renamed = writeDay("2026-12-01", (row) =>
      row.includes(`"${NUMBER}"`) ? row.replace(/^"[^"]*"/, '"RENAMED LIMITED"') : row,
    );
    expect(await loadAndCount([renamed])).toEqual({ written: 1, unchanged: ROWS - 1 });
    expect(await fetchNameOnRecord(register.stores)).toBe("RENAMED LIMITED");
    expect(await loadAndCount([writeDay("2026-12-02")])).toEqual({ written: 1, unchanged: ROWS - 1 });
  });

  it("replaces an event of an earlier day, and yields to one of a later day", async () => {
    await loadAndCount([first]);
    const before = await fetchNameOnRecord(register.stores);
    await loadAndCount([writeEvent("TOLD BETWEEN LIMITED", "2026-11-15")]);
    expect(await fetchNameOnRecord(register.stores)).toBe("TOLD BETWEEN LIMITED");
    expect(await loadAndCount([writeDay("2026-12-01")])).toMatchObject({ written: 1 });
    expect(await fetchNameOnRecord(register.stores)).toBe(before);
    await loadAndCount([writeEvent("TOLD SINCE LIMITED", "2026-12-02")]);
    expect(await loadAndCount([writeDay("2026-12-01")])).toMatchObject({ written: 0 });
    expect(await fetchNameOnRecord(register.stores)).toBe("TOLD SINCE LIMITED");
  });

  it("clears members that only the former edition stated", async () => {
    const [header = "", row = ""] = readLines(PARTS[0] ?? "");
    const names = header.split(",").map((name) => name.trim());
    const texts = row.slice(1, -1).split('","');
    const number = texts[names.indexOf("CompanyNumber")] ?? "";
    const loadRow = async (day: string, fields: Record<string, string>) => {
      const changed = names.map((name, at) => `"${fields[name] ?? texts[at] ?? ""}"`).join(",");
      const file = writeFile(folder, `BasicCompanyData-${day}.csv`, [header, changed, ""].join("\r\n"));
      expect(await load(register, [file])).toMatchObject({ exitCode: 0 });
      return (await register.get(`/company/${number}`)).body;
    };
    const due = { "Accounts.NextDueDate": "30/09/2020", ConfStmtNextDueDate: "15/10/2020" };
    expect(await loadRow("2026-11-24", due)).toMatchObject({
      accounts: { overdue: true },
      confirmation_statement: { overdue: true },
    });
    const lacks = { "Accounts.NextDueDate": "", ConfStmtNextDueDate: "", ConfStmtLastMadeUpDate: "" };
    const after = await loadRow("2026-11-25", { ...lacks, CompanyStatus: "Liquidation" });
    expect(after).toMatchObject({ accounts: { overdue: false }, company_status: "liquidation" });
    expect(after).not.toHaveProperty("confirmation_statement");
  });
});

describe("a company in two batches of an edition", () => {
  const [header = "", ...all] = readCompanies();
  const [row = "", ...others] = all.slice(0, 8);
  const nameOf = () => fetchNameOnRecord(register.stores, numberIn(row));
  const numberIn = (line: string) => /"(\d{8})"/.exec(line)?.[1] ?? "";
  const renamed = (name: string) => row.replace(/^"[^"]*"/, `"${name}"`);
  const loadEdition = (day: string, rows: string[]) =>
    loadAndCount([
      writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, [header, ...rows, ""].join("\r\n")),
    ]);

  beforeEach(async () => {
    register = await newRegister({ BATCH_ROWS: "4" });
  });

  it("has the name of its last row, even if that repeats the edition before", async () => {
    await loadEdition("2026-11-01", [...others.slice(0, 4), renamed("LAST LTD"), ...others.slice(4)]);
    expect(await nameOf()).toBe("LAST LTD");
    const twice = (name: string) => [
      ...[...others.slice(0, 3), renamed(name)],
      ...[renamed("LAST LTD"), ...others.slice(4)],
    ];
    await loadEdition("2026-12-01", twice("FIRST LTD"));
    expect(await nameOf()).toBe("LAST LTD");
    await loadEdition("2027-01-01", twice("EARLIER LTD"));
    expect(await nameOf()).toBe("LAST LTD");
  });

  it("has the name of its last row, even if both rows were the same in the edition before", async () => {
    const rows = (name: string) => [
      ...others.slice(0, 3),
      renamed(name),
      renamed("LAST LTD"),
      ...others.slice(4),
    ];
    await loadEdition("2026-11-01", rows("LAST LTD"));
    await loadEdition("2026-12-01", rows("FIRST LTD"));
    expect(await nameOf()).toBe("LAST LTD");
  });

  it("has the name of its last row, even if it has three rows in a first load", async () => {
    const [a, b, c] = [others.slice(0, 3), others.slice(3, 6), others.slice(6)];
    const rows = [renamed("LAST LTD"), ...a, renamed("BETWEEN LTD"), ...b, renamed("LAST LTD"), ...c];
    await loadEdition("2026-11-01", rows);
    expect(await nameOf()).toBe("LAST LTD");
  });

  it("has the name of its last row in a file of whole records without a day", async () => {
    const line = (name: string, number = numberIn(row)) => JSON.stringify(company(name, number));
    const loadLines = (lines: string[]) =>
      loadAndCount([writeFile(folder, "lines.jsonl", [...lines, ""].join("\n"))]);
    const rest = others.slice(0, 7).map((other) => line("OTHER LTD", numberIn(other)));
    await loadLines([line("LAST LTD"), ...rest]);
    await loadLines([line("FIRST LTD"), ...rest.slice(0, 3), line("LAST LTD"), ...rest.slice(3)]);
    expect(await nameOf()).toBe("LAST LTD");
  });
});

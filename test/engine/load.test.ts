/** Loads of the sample files, and of files with bad rows. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, writeFile } from "../support/load-command.ts";
import { loadOf, refusedRowsOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type CommandRun } from "../support/register.ts";
import { fetchState } from "../support/register-state.ts";
import facts from "../fixtures/register/facts.json" with { type: "json" };
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();
const register = forAllTests(openRegister);

const OFFICERS_SNAPSHOT = ["ew", "sc", "ni"].map(
  (part) => `officers/Prod195_4321_${part}_1_01112026010001.dat`,
);
const OFFICERS_WITH_RESIGNED = "officers/Prod216_4321_ew_1_01112026010001.dat";

const countRecords = (record: RecordDefinition, filter = {}) =>
  register.stores.mongo.records.count(record, filter);
const countDocuments = (index: "companies" | "officers" | "disqualified-officers") =>
  register.stores.elasticsearch.count(index);

/** The totals that the command printed, such as `{ read: 200, written: 200 }`. */
function totalsOf({ printed }: CommandRun): Record<string, number> {
  const rows = printed.map((line) => /^(read|written|unchanged|refused|skipped)\s+([\d,]+)/.exec(line));
  return Object.fromEntries(
    rows.flatMap((row) => (row ? [[row[1] ?? "", Number((row[2] ?? "").replaceAll(",", ""))]] : [])),
  );
}

/** The line numbers of a run's refused rows. */
async function refusedLines(run: CommandRun): Promise<number[]> {
  return (await refusedRowsOf(register, loadOf(run))).map(({ line }) => line);
}

describe("the sample register", () => {
  it("loads every company of the zip, and writes nothing the second time", async () => {
    const file = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
    const first = await register.load(file);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(totalsOf(first)).toMatchObject({
      read: facts.companies.rows,
      written: facts.companies.rows,
      refused: 0,
    });
    expect(await countRecords(companyRecord)).toBe(facts.companies.rows);
    expect(await countDocuments("companies")).toBe(facts.companies.rows);

    const second = await register.load(file);
    expect(totalsOf(second)).toMatchObject({ written: 0, unchanged: facts.companies.rows, refused: 0 });
  });

  it("recognises the companies of the one file in its two parts", async () => {
    const parts = [1, 2].map((part) => `companies/BasicCompanyData-2026-11-01-part${part}_2.csv`);
    expect(totalsOf(await register.load(...parts))).toMatchObject({ read: 200, written: 0, unchanged: 200 });
  });

  it("adds the dissolved companies and the real rows", async () => {
    const run = await register.load(
      "companies/dissolved-extract.csv",
      "companies/BasicCompanyData-real-rows-2021.csv",
    );
    expect(totalsOf(run)).toMatchObject({ read: 43, written: 43, refused: 0 });
    expect(await countDocuments("companies")).toBe(243);
  });

  it("loads officers: appointments into MongoDB, persons into the search index", async () => {
    const run = await register.load(...OFFICERS_SNAPSHOT);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(await countRecords(appointmentRecord)).toBe(facts.officers.appointments);
    expect(await countDocuments("officers")).toBe(facts.officers.persons_by_first_8);
  });

  it("adds resigned officers without duplicating current ones", async () => {
    const { appointments_before, current_before } = facts.officers.after_update;
    expect(await register.load(OFFICERS_WITH_RESIGNED)).toMatchObject({ exitCode: 0 });
    expect(await countRecords(appointmentRecord)).toBe(appointments_before);
    expect(await countRecords(appointmentRecord, { is_resigned: false })).toBe(current_before);

    const again = await register.load(...OFFICERS_SNAPSHOT, OFFICERS_WITH_RESIGNED);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(await countRecords(appointmentRecord)).toBe(appointments_before);
  });

  it("loads the disqualified officers", async () => {
    expect(await register.load("disqualified/Prod192_4287.txt")).toMatchObject({ exitCode: 0 });
    expect(await countRecords(disqualifiedOfficerRecord)).toBe(facts.disqualified.persons);
    expect(await countDocuments("disqualified-officers")).toBe(facts.disqualified.persons);
  });
});

describe("bad rows", () => {
  it("are refused with their line numbers, and cost no good row", async () => {
    const { cases } = facts.files["companies/edge-cases/bad-rows.csv"].expect;
    const run = await register.load("companies/edge-cases/bad-rows.csv");
    const refused = await refusedLines(run);
    expect(run.exitCode).toBe(2);
    for (const { line, what, outcome } of cases) {
      if (outcome === "rejected")
        expect({ what, refused: refused.includes(line) }).toEqual({ what, refused: true });
      if (/^loaded(,|$| as SC)/.test(outcome))
        expect({ what, refused: refused.includes(line) }).toEqual({ what, refused: false });
    }
  });

  it("that are not UTF-8 are kept with their bytes", async () => {
    const run = await register.load("companies/edge-cases/one-invalid-byte.csv");
    expect(run.exitCode).toBe(2);
    expect(totalsOf(run)).toMatchObject({ read: 3, refused: 1 });
    const [row] = await refusedRowsOf(register, loadOf(run));
    const bytes = Buffer.from(row?.bytes ?? "", "base64");
    expect(bytes.includes(0xe9)).toBe(true);
    expect(readFileSync(`${SAMPLE}/companies/edge-cases/one-invalid-byte.csv`).includes(bytes)).toBe(true);
  });

  it("that contain U+FFFD are kept as refused rows, and nothing of them gets into a record", async () => {
    const companies = readFileSync(`${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`, "utf8").split(
      "\n",
    );
    const csv = companies.map((row, at) => (at === 2 ? row.replace(/"[A-Z]/, '"\ufffd') : row)).join("\n");
    // A company line of officers: their records contain its name.
    const officers = readFileSync(`${SAMPLE}/officers/Prod195_4321_sc_1_01112026010001.dat`, "utf8").split(
      "\n",
    );
    const ofCompany = officers.findIndex((row) => row.charAt(8) === "1");
    const dat = officers.map((row, at) =>
      at === ofCompany ? row.replace(/[A-Z](?=[^A-Z]*$)/, "\ufffd") : row,
    );
    const charge = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`, "utf8").split("\n", 1).join("\n");
    const jsonl = charge.replace('"description":"', '"description":"\ufffd');
    for (const [name, text, line] of [
      ["lost.csv", csv, 3],
      ["Prod195_4321_sc_1_01112026010001.dat", dat.join("\n"), ofCompany + 1],
      ["lost.jsonl", jsonl, 1],
    ] as const) {
      expect(text).toContain("\ufffd");
      const run = await load(register, [writeFile(folder, name, text)], { force: "true" });
      expect(await refusedLines(run)).toEqual([line]);
      expect(run.exitCode).toBe(2);
      expect(run.messages.join("\n")).toMatch(new RegExp(`${name}, line ${line}: contains U\\+FFFD`));
    }
    const all = { filter: {}, sort: [], skip: 0, limit: 1_000 };
    const { records } = register.stores.mongo;
    expect(JSON.stringify(await records.fetchPage(companyRecord, all))).not.toContain("\ufffd");
    expect(JSON.stringify(await records.fetchPage(appointmentRecord, all))).not.toContain("\ufffd");
  });

  it.each([
    ["companies/edge-cases/no-final-newline-lf.csv", 3, 0],
    ["companies/edge-cases/excel-resaved.csv", 7, 1],
  ])("of %s: it has %d rows, of which %d are refused", async (file, read, refused) => {
    const run = await register.load(file);
    expect(totalsOf(run)).toMatchObject({ read, refused });
    expect(run.exitCode).toBe(refused > 0 ? 2 : 0);
  });

  it("do not include blank lines in any format, and every count of a load agrees on the rows", async () => {
    const name = "companies/edge-cases/bom-and-blank-lines.csv";
    const { loaded, rejected } = facts.files[name].expect;
    const run = await register.load(name);
    expect(totalsOf(run)).toMatchObject({ read: loaded, refused: rejected });
    expect(run.messages.join("\n")).toContain(`${loaded} rows read as company-csv`);
    const dry = await load(register, [`${SAMPLE}/${name}`], { dryRun: "true", json: "true" });
    expect(JSON.parse(dry.printed[0] ?? "")).toMatchObject({ read: loaded, refused: rejected, skipped: 0 });

    for (const file of ["api-shaped/charges.jsonl", "psc/psc-snapshot-2026-11-01_1of2.txt"]) {
      const lines = readFileSync(`${SAMPLE}/${file}`, "utf8").trimEnd().split("\n");
      const spread = writeFile(folder, basename(file), `\n${lines.join("\n \r\n")}\n\n`);
      const run = await load(register, [spread]);
      expect(run.messages.join("\n")).toContain(`${lines.length} rows read as`);
      expect(totalsOf(run)).toMatchObject({ read: lines.length, refused: 0 });
    }
    // A stream without events.
    const idle = writeFile(folder, "companies.ndjson", "\n\n\n");
    expect(totalsOf(await load(register, [idle]))).toMatchObject({ read: 0, unchanged: 0 });
  });

  it("in the officers file are refused one by one", async () => {
    const { cases } = facts.files["officers/edge-cases/bad-records.dat"].expect;
    const run = await register.load("officers/edge-cases/bad-records.dat");
    const refused = await refusedLines(run);
    for (const { line, outcome } of cases) if (outcome === "rejected") expect(refused).toContain(line);
    expect(refused).not.toContain(7);
  });

  it("in a Latin-1 file load when the encoding is given", async () => {
    const before = await fetchState(register.stores);
    const run = await register.load("companies/edge-cases/latin1.csv");
    expect(run.error?.message).toMatch(/expected UTF-8, found other bytes in 2 rows .*--encoding latin1/);
    expect(await fetchState(register.stores)).toEqual(before);
    const latin1 = [`${SAMPLE}/companies/edge-cases/latin1.csv`];
    expect(totalsOf(await load(register, latin1, { encoding: "latin1" }))).toMatchObject({
      read: 3,
      refused: 0,
    });
  });
});

describe("a duplicate row", () => {
  it("replaces the rows of its company before it", async () => {
    const run = await register.load("companies/edge-cases/duplicates.csv");
    expect(run).toMatchObject({ exitCode: 0 });
    expect(totalsOf(run)).toMatchObject({ read: 5, refused: 0 });
    // The first two rows of 99000003 are active, under its old name.
    expect(await register.get("/company/99000003")).toMatchObject({
      status: 200,
      body: { company_name: "#SAMPLE HASHTAG (RENAMED) LTD", company_status: "liquidation" },
    });
    expect(await register.get("/search/companies?q=sample+hashtag+renamed")).toMatchObject({
      body: { items: [{ title: "#SAMPLE HASHTAG (RENAMED) LTD", company_number: "99000003" }] },
    });
  });
});

/** Whole editions: what one removes, and when it removes nothing. */
import { describe, expect, it } from "@jest/globals";
import { join } from "node:path";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { company, event } from "../support/event-batches.ts";
import {
  COMPANIES,
  countCompanies,
  DISSOLVED,
  load,
  OFFICERS,
  PARTS,
  PSC,
  readLines,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
// The edition after the stored one.
const NEXT = "BasicCompanyDataAsOneFile-2026-12-01.csv";

describe("a whole edition", () => {
  it("removes from both stores records that it lacks, but not those that its source never has", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90" });
    await load(register, [COMPANIES]);
    await load(register, [DISSOLVED]);
    const next = writeEdition(folder, NEXT, (_row, index) => index % 20 !== 0);
    const run = await load(register, [next], { complete: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toContain("removed   10 (no longer in the edition)");
    expect(await countCompanies(register)).toBe(190 + 12);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(202);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(202);
    // Loading the former edition again does not bring them back; an edition that has them again does.
    await load(register, [COMPANIES], { force: "true" });
    expect(await countCompanies(register)).toBe(202);
    const back = writeEdition(folder, "BasicCompanyDataAsOneFile-2027-01-01.csv", () => true);
    await load(register, [back]);
    expect(await countCompanies(register)).toBe(212);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(212);
  });

  it("clears members that only the former edition stated", async () => {
    const register = await newRegister();
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

  it("can be stopped while it removes, and counts all removals when it is resumed", async () => {
    const register = await newRegister();
    const [header = "", row = ""] = readLines(PARTS[0] ?? "");
    const rows = Array.from({ length: 1_102 }, (_none, at) =>
      row.replace(/"[A-Z0-9]{8}"/, `"${97_500_000 + at}"`),
    );
    const [all = "", next = ""] = ["2026-11-01", "2026-12-01"].map((day, at) =>
      writeFile(
        folder,
        `BasicCompanyDataAsOneFile-${day}.csv`,
        [header, ...rows.slice(at * 1_101), ""].join("\r\n"),
      ),
    );
    expect(await load(register, [all])).toMatchObject({ exitCode: 0 });
    const { health } = register.stores.mongo;
    const { fetchSizes } = health;
    // The load fetches sizes when it starts to look for records that the edition lacks, then asks before each 500
    // whether to stop.
    let asked = Number.NEGATIVE_INFINITY;
    health.fetchSizes = (...given) => ((asked = 0), fetchSizes(...given));
    const options = { encoding: "utf-8", complete: "true", force: "true" };
    const stopped = await register.run(loadCommand, [next], options, () => ++asked > 1);
    health.fetchSizes = fetchSizes;
    expect(stopped.error?.message).toMatch(/^stopped; some records that the edition lacks are not removed/);
    expect(await countCompanies(register)).toBe(602);
    const [{ _id: id = "", retired } = {}] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(retired).toBe(500);
    const { printed } = await load(register, [], { resume: id, force: "true" });
    expect(printed).toContain("removed   1,101 (no longer in the edition)");
    expect(await countCompanies(register)).toBe(1);
  });

  // Records are removed 500 at a time.
  it("removes one more than 500, then exactly 500, and only records that it does not name", async () => {
    const register = await newRegister();
    const [header = "", row = ""] = readLines(PARTS[0] ?? "");
    const numbers = Array.from({ length: 1_003 }, (_none, at) => String(97_500_000 + at));
    const loadEdition = (day: string, kept: readonly string[]) => {
      const rows = kept.map((number) => row.replace(/"[A-Z0-9]{8}"/, `"${number}"`));
      const name = `BasicCompanyDataAsOneFile-${day}.csv`;
      const file = writeFile(folder, name, [header, ...rows, ""].join("\r\n"));
      return load(register, [file], { complete: "true", force: "true" });
    };
    expect(await loadEdition("2026-11-01", numbers)).toMatchObject({ exitCode: 0 });
    // Every second one stays, then two of those.
    const some = numbers.filter((_number, at) => at % 2 === 0);
    for (const [day, kept, count] of [
      ["2026-12-01", some, "501"],
      ["2027-01-01", some.slice(250, 252), "500"],
    ] as const) {
      const { printed } = await loadEdition(day, kept);
      expect(printed).toContain(`removed   ${count} (no longer in the edition)`);
      const stored = await register.stores.mongo.records.fetchByIds(companyRecord, numbers);
      expect(stored.map(({ _id }) => _id).sort()).toEqual(kept);
      await register.stores.elasticsearch.refresh();
      expect(await register.stores.elasticsearch.count("companies")).toBe(kept.length);
    }
  });

  it("that lacks too many records removes nothing without --force", async () => {
    const register = await newRegister();
    // Its name has no day, so it does not count as an edition whose rows are compared.
    await load(register, [writeEdition(folder, "all.csv", () => true)]);
    const half = writeEdition(folder, NEXT, (_row, index) => index % 2 === 0);
    const run = await load(register, [half], { complete: "true", json: "true" });
    expect(run.error).toBeInstanceOf(CommandError);
    expect(JSON.parse(run.printed[0] ?? "")).toMatchObject({ state: "failed", reason: run.error?.message });
    expect(run.error?.message).toMatch(/only 50\.0 % of the 200 records .* at least 95 % are required/);
    expect(await countCompanies(register)).toBe(200);
    const dry = await load(register, [half], { complete: "true", force: "true", dryRun: "true" });
    expect(dry.printed.filter((line) => line.startsWith("removed"))).toEqual([
      "removed   100 (not in the edition)",
    ]);
    expect(await load(register, [half], { complete: "true", force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(100);
  });

  it("with refused rows removes nothing without --force", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    await load(register, [COMPANIES]);
    const [header = "", ...rows] = readLines(PARTS[0] ?? "");
    const bad = rows.map((row, index) => (index === 3 ? row.replace(/"[A-Z0-9]{8}"/, '"9.9E+07"') : row));
    const run = await load(register, [writeFile(folder, NEXT, [header, ...bad, ""].join("\r\n"))], {
      complete: "true",
    });
    expect(run.error?.message).toMatch(/^1 row was refused; the others were loaded\. Nothing was removed/);
    expect(await countCompanies(register)).toBe(200);
    const dry = await load(register, [join(folder, NEXT)], { complete: "true", dryRun: "true" });
    expect(dry.error?.message).toMatch(/^nothing would be removed, since 1 row would be refused/);
  });

  it("in parts needs every part", async () => {
    const register = await newRegister();
    const run = await load(register, [PSC[0] ?? ""], { complete: "true" });
    expect(run.error?.message).toMatch(/part 2 of the edition is missing/);
    expect(await register.stores.mongo.records.count(pscRecord, {})).toBe(0);
    expect(await load(register, PSC, { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect((await load(register, [OFFICERS[0] ?? ""], { complete: "true" })).error?.message).toMatch(
      /for sc, ni/,
    );
    const events = `${SAMPLE}/api-shaped/charges.jsonl`;
    expect((await load(register, [events], { complete: "true" })).error?.message).toMatch(
      /never a whole edition/,
    );
    expect((await load(register, [COMPANIES, ...PSC], { complete: "true" })).error?.message).toMatch(
      /one edition at a time/,
    );
  });

  it("of serving officers leaves resigned officers alone", async () => {
    const register = await newRegister();
    const resigned = `${SAMPLE}/officers/Prod216_4321_ew_1_01112026010001.dat`;
    await load(register, [...OFFICERS, resigned]);
    const count = (filter = {}) => register.stores.mongo.records.count(appointmentRecord, filter);
    const before = { resigned: await count({ is_resigned: true }), all: await count() };
    expect(before.resigned).toBeGreaterThan(0);
    const run = await load(register, OFFICERS, { complete: "true", force: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    // Only serving officers that just the other product has are removed.
    expect(await count({ is_resigned: true })).toBe(before.resigned);
    const retired = Number(/removed +(\d+) \(no longer/.exec(run.printed.join("\n"))?.[1]);
    expect(retired).toBeGreaterThan(0);
    expect(await count()).toBe(before.all - retired);
  });

  it("keeps what a stream has stated on the edition's day or later", async () => {
    const register = await newRegister();
    await load(register, [COMPANIES]);
    const days = { "97000001": "2026-11-30", "97000002": "2026-12-01", "97000003": "2026-12-02" };
    const lines = Object.entries(days).flatMap(
      ([number, day], at) => event(company(`TOLD ON ${day} LIMITED`, number), at + 1, day).rows,
    );
    await load(register, [writeFile(folder, "companies.ndjson", lines.join("\n"))]);
    const next = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", () => true);
    const run = await load(register, [next], { complete: "true" });
    expect(run.printed).toContain("removed   1 (no longer in the edition)");
    const stored = await register.stores.mongo.records.fetchByIds(companyRecord, Object.keys(days));
    expect(stored.map(({ _id }) => _id).sort()).toEqual(["97000002", "97000003"]);
  });
});

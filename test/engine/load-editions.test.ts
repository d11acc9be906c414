/** Whole editions: what one removes, and when it removes nothing. */
import { describe, expect, it } from "@jest/globals";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, SourceError } from "../../api/shared/runtime/errors.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { company, event } from "../support/event-batches.ts";
import { addWorker } from "../support/further-worker.ts";
import { fetchAdvice } from "../support/load-advice.ts";
import {
  COMPANIES,
  countCompanies,
  DISSOLVED,
  load,
  loadInPart,
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

const manyNumbers = (count: number) => Array.from({ length: count }, (_none, at) => String(97_500_000 + at));

/** Writes an edition of companies with these numbers, all from one row. */
function writeNumbers(day: string, numbers: readonly string[]): string {
  const [header = "", row = ""] = readLines(PARTS[0] ?? "");
  const rows = numbers.map((number) => row.replace(/"[A-Z0-9]{8}"/, `"${number}"`));
  return writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, [header, ...rows, ""].join("\r\n"));
}

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

  it("can be stopped while it removes, and counts all removals when it is resumed", async () => {
    const register = await newRegister();
    const numbers = manyNumbers(1_102);
    expect(await load(register, [writeNumbers("2026-11-01", numbers)])).toMatchObject({ exitCode: 0 });
    const next = writeNumbers("2026-12-01", numbers.slice(1_101));
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
    const numbers = manyNumbers(1_003);
    const options = { complete: "true", force: "true" };
    expect(await load(register, [writeNumbers("2026-11-01", numbers)], options)).toMatchObject({
      exitCode: 0,
    });
    // Every second one stays, then two of those.
    const some = numbers.filter((_number, at) => at % 2 === 0);
    for (const [day, kept, count] of [
      ["2026-12-01", some, "501"],
      ["2027-01-01", some.slice(250, 252), "500"],
    ] as const) {
      const { printed } = await load(register, [writeNumbers(day, kept)], options);
      expect(printed).toContain(`removed   ${count} (no longer in the edition)`);
      const stored = await register.stores.mongo.records.fetchByIds(companyRecord, numbers);
      expect(stored.map(({ _id }) => _id).sort()).toEqual(kept);
      await register.stores.elasticsearch.refresh();
      expect(await register.stores.elasticsearch.count("companies")).toBe(kept.length);
    }
  });

  it("that lacks too many records removes nothing until it is resumed with --force", async () => {
    const register = await newRegister();
    // Its name has no day, so it does not count as an edition whose rows are compared.
    await load(register, [writeEdition(folder, "all.csv", () => true)]);
    const half = writeEdition(folder, NEXT, (_row, index) => index % 2 === 0);
    const previewed = await load(register, [half], { complete: "true", dryRun: "true" });
    expect(previewed.error?.message).toMatch(
      /^nothing would be removed: the edition has only 50\.0 % of the 200/,
    );
    const run = await load(register, [half], { complete: "true", json: "true" });
    expect(run.error).toBeInstanceOf(CommandError);
    expect(JSON.parse(run.printed[0] ?? "")).toMatchObject({ state: "failed", reason: run.error?.message });
    expect(run.error?.message).toMatch(/only 50\.0 % of the 200 records .* at least 95 % are required/);
    expect(await countCompanies(register)).toBe(200);
    const forced = await load(register, [half], { complete: "true", force: "true", dryRun: "true" });
    expect(forced.printed.filter((line) => line.startsWith("removed"))).toEqual([
      "removed   100 (not in the edition)",
    ]);
    const { id, commands } = await fetchAdvice(register, run);
    expect(commands).toEqual([`load --resume ${id} --force`]);
    expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
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
    const faultOf = async (...files: string[]) =>
      (await load(register, files, { complete: "true" })).error?.message;
    expect(await faultOf(PSC[0] ?? "")).toMatch(/part 2 of the edition is missing/);
    expect(await register.stores.mongo.records.count(pscRecord, {})).toBe(0);
    expect(await load(register, PSC, { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await faultOf(OFFICERS[0] ?? "")).toMatch(/for sc, ni/);
    expect(await faultOf(`${SAMPLE}/api-shaped/charges.jsonl`)).toMatch(/never a whole edition/);
    expect(await faultOf(COMPANIES, ...PSC)).toMatch(/one edition at a time/);
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

  it("that is older than a loaded one removes nothing without --force", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const newer = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index % 20 !== 0);
    const older = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index > 9);
    await load(register, [newer]);
    for (const options of [{}, { dryRun: "true" }]) {
      const run = await load(register, [older], { complete: "true", ...options });
      expect(run.error?.message).toMatch(
        /^--complete: the edition is of 2026-11-01, and one of 2026-12-01 was loaded \(\S+\): .* override this with --force/,
      );
    }
    const { error } = await load(register, [older]);
    expect(error?.message).toMatch(
      /^company-csv: the edition is of 2026-11-01, .* the later edition wins, except for records that it only repeated/,
    );
    expect(await countCompanies(register)).toBe(190);
    // With --force, its rows still yield to the newer edition's, and it removes nothing that the newer one has.
    expect(await load(register, [older], { complete: "true", force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(199);
    // An edition of the same day, and a newer one, load as usual.
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
  });

  it("that is resumed after a newer one was loaded is refused, as if it began then", async () => {
    const register = await newRegister(
      { BATCH_ROWS: "10", QUEUE_DEPTH: "2", COMPLETE_MIN_PERCENT: "0" },
      false,
    );
    const older = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index < 100);
    const newer = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index >= 100);
    const { id: resume } = await loadInPart(register, [older]);
    const stopWorker = addWorker(register);
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
    const { error, messages } = await load(register, [], { resume });
    expect(messages).toContain(
      `to continue where it stopped: npm run cli -- load --resume ${resume} --force`,
    );
    expect(error?.message).toMatch(
      /the edition is of 2026-11-01, and one of 2026-12-01 was loaded .* --force/,
    );
    expect(await countCompanies(register)).toBe(100);
    expect(await load(register, [], { resume, force: "true" })).toMatchObject({ exitCode: 0 });
    await stopWorker();
  });

  it("whose name has no day removes nothing without --force", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const since = event(company("SINCE LIMITED", "77000020"), 100, "2026-11-20").rows;
    await load(register, [writeFile(folder, "since.ndjson", `${since.join("\n")}\n`)]);
    const unnamed = writeEdition(folder, "company.csv", () => true);
    for (const options of [{}, { dryRun: "true" }]) {
      const { error } = await load(register, [unnamed], { complete: "true", ...options });
      expect(error).toBeInstanceOf(SourceError);
      expect(error?.message).toMatch(
        /^--complete: the name of .*company\.csv has no day, .* Name it .*BasicCompanyDataAsOneFile-2026-11-01\.csv.* --force/,
      );
      expect(await countCompanies(register)).toBe(1);
    }
    const dated = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", () => true);
    expect(await load(register, [dated], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(201);
    // Forced, it counts as later than the event, although its rows are older: the event's company goes.
    expect(await load(register, [unnamed], { complete: "true", force: "true" })).toMatchObject({
      exitCode: 0,
    });
    expect(await countCompanies(register)).toBe(200);
  });

  it("of persons with significant control needs a day in the names of all its parts", async () => {
    const register = await newRegister({}, false);
    const lines = PSC.flatMap((path) => readLines(path).join("\n"));
    const whole = writeFile(folder, "psc.txt", `${lines.join("\n").trim()}\n`);
    expect((await load(register, [whole], { complete: "true" })).error?.message).toMatch(
      /psc\.txt has no day, .*persons-with-significant-control-snapshot-2026-11-01\.txt/,
    );
    const parts = PSC.map((path, index) => [path, join(folder, `psc-snapshot_${index + 1}of2.txt`)] as const);
    for (const [from, to] of parts) copyFileSync(from, to);
    const run = await load(
      register,
      parts.map(([, path]) => path),
      { complete: "true" },
    );
    expect(run.error?.message).toMatch(/psc-snapshot_1of2\.txt has no day/);
  });
});

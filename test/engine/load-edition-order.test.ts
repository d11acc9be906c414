/** Whole editions that may not remove anything: older ones, undated ones, and those of a dry run. */
import { describe, expect, it } from "@jest/globals";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { beginCommand } from "../support/begun-command.ts";
import { company, event } from "../support/event-batches.ts";
import { addWorker } from "../support/further-worker.ts";
import {
  countCompanies,
  load,
  PSC,
  readLines,
  STOPPED,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("a whole edition", () => {
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
    const loading = beginCommand(register, loadCommand, [older], { encoding: "utf-8" });
    const latest = async () => (await fetchLatestLoads(register.stores.mongo.documents, 1))[0];
    await waitUntil(async () => (await latest())?.surveyed !== undefined, "the load writes");
    loading.stop();
    await expect(loading.ended).rejects.toThrow(STOPPED);
    const resume = (await latest())?._id ?? "";
    const stopWorker = addWorker(register);
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
    const { error, told } = await load(register, [], { resume });
    expect(told).toContain(`to continue where it stopped: npm run cli -- load --resume ${resume} --force`);
    expect(error?.message).toMatch(
      /the edition is of 2026-11-01, and one of 2026-12-01 was loaded .* --force/,
    );
    expect(await countCompanies(register)).toBe(100);
    expect(await load(register, [], { resume, force: "true" })).toMatchObject({ exitCode: 0 });
    await stopWorker();
  });

  it("that lacks too many records is reported by a dry run, without a load's id", async () => {
    const register = await newRegister();
    // Its name has no day, so it does not count as an edition whose rows are compared.
    await load(register, [writeEdition(folder, "all.csv", () => true)]);
    const half = writeEdition(
      folder,
      "BasicCompanyDataAsOneFile-2026-12-01.csv",
      (_row, index) => index % 2 === 0,
    );
    const run = await load(register, [half], { complete: "true", dryRun: "true" });
    expect(run.error?.message).toMatch(/^nothing would be removed: the edition has only 50\.0 % of the 200/);
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

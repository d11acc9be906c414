/** Which command `load`, `loads show` and `doctor` advise for a load that ended badly: the one that works, or none. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { examine, findingOf } from "../support/doctor.ts";
import { countCompanies, load, STOPPED, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { CommandRun, TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" };
const EDITION = "BasicCompanyDataAsOneFile-2026-12-01.csv";

/** Loads this file and stops once its first batches are written. */
async function loadInPart(register: TestRegister, path: string, options = {}): Promise<CommandRun> {
  let looks = 0;
  const given = { encoding: "utf-8", ...options };
  const run = await register.run(loadCommand, [path], given, () => (looks += 1) > 2);
  expect(run.error?.message).toMatch(STOPPED);
  return run;
}

/** The commands that advise to resume the latest load after this run, each once, and the hint of `doctor`. */
async function fetchAdvice(register: TestRegister, run: CommandRun) {
  const [{ _id: id } = { _id: "" }] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const { told, printed } = await register.run(loadsCommands.show, [id]);
  const { hint = "" } = findingOf(await examine(register), "Last load of each format");
  const said = [...run.told, run.error?.message, ...told, ...printed, hint].join("\n");
  const commands = said.match(/load --resume \S+?(?=[\s;.]|$)( --force)?/g) ?? [];
  return { id, hint, commands: [...new Set(commands)] };
}

it("a load whose files have changed must be loaded anew, until the former files are back", async () => {
  const register = await newRegister(SETTINGS);
  const path = writeEdition(folder, "mine.csv", () => true);
  const former = readFileSync(path);
  const broken = await fetchAdvice(register, await loadInPart(register, path));
  const { id } = broken;
  expect(broken.commands).toEqual([`load --resume ${id}`]);
  writeEdition(folder, "mine.csv", (_row, index) => index > 0);
  const run = await load(register, [], { resume: id });
  expect(run.error?.message).toMatch(/files have changed since the load/);
  const { commands, hint } = await fetchAdvice(register, run);
  expect(commands).toEqual([]);
  expect(hint).toMatch(/load its files again/);
  writeFile(folder, "mine.csv", former);
  expect(await load(register, [], { resume: id })).toMatchObject({ exitCode: 0 });
});

it("a load of another release must be loaded anew", async () => {
  const register = await newRegister(SETTINGS);
  const { documents } = register.stores.mongo;
  await loadInPart(
    register,
    writeEdition(folder, "older.csv", () => true),
  );
  const [{ _id: id, plan } = { _id: "", plan: {} }] = await fetchLatestLoads(documents, 1);
  await documents.amend("loads", [{ _id: id, plan: { ...plan, cut: 1 } }]);
  const run = await load(register, [], { resume: id });
  expect(run.error?.message).toMatch(/began under another release: load its files without --resume/);
  const { commands, hint } = await fetchAdvice(register, run);
  expect(commands).toEqual([]);
  const advice = "it began under another release: load its files again, without --resume";
  expect(hint).toBe(advice);
  expect((await register.run(loadsCommands.show, [id])).told).toEqual([advice]);
});

it("an edition that lacks too many records is resumed with --force", async () => {
  const register = await newRegister();
  // Its name has no day, so it does not count as an edition whose rows are compared.
  await load(register, [writeEdition(folder, "all.csv", () => true)]);
  const half = writeEdition(folder, EDITION, (_row, index) => index % 2 === 0);
  const run = await load(register, [half], { complete: "true" });
  expect(run.error?.message).toMatch(/only 50\.0 % of the 200 records/);
  const { id, commands } = await fetchAdvice(register, run);
  expect(commands).toEqual([`load --resume ${id} --force`]);
  expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countCompanies(register)).toBe(100);
});

it("a load that began with --force is resumed with --force", async () => {
  const register = await newRegister(SETTINGS);
  const path = writeEdition(folder, "undated.csv", () => true);
  const run = await loadInPart(register, path, { complete: "true", force: "true" });
  const { id, commands } = await fetchAdvice(register, run);
  expect(commands).toEqual([`load --resume ${id} --force`]);
  const without = await load(register, [], { resume: id });
  expect(without.error?.message).toMatch(/the name of \S+ has no day/);
  expect((await fetchAdvice(register, without)).commands).toEqual([`load --resume ${id} --force`]);
  expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
});

/** Mended rows together with whole editions: which loads can finish after them, and which records they may not bring back. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { planUndo } from "../../ingest/load/undo.ts";
import { beginCommand } from "../support/begun-command.ts";
import { addWorker } from "../support/further-worker.ts";
import { countCompanies, load, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { exportRows, refusedRowsOf, loadOf, mendRows } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

// Rows whose names contain a letter in Latin-1, which is invalid UTF-8: refused until they are loaded as Latin-1.
const REFUSED_ROWS = [3, 21, 33];
const ROWS = 40;
const MARK = '"É ';
const NEXT = "BasicCompanyData-2026-12-01.csv";

let good = "";
let numbers: string[] = [];
beforeAll(() => {
  good = writeGood("good.csv", () => true);
  const marked = readLines(good).filter((row) => row.includes(MARK));
  numbers = marked.map((row) => /"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "");
});

/** Writes an edition in which those names begin with the letter, in UTF-8. */
function writeGood(name: string, keep: (index: number) => boolean): string {
  const some = writeEdition(folder, name, (_row, index) => index < ROWS);
  const rows = readLines(some).map((row, line) =>
    REFUSED_ROWS.includes(line - 1) ? row.replace('"', MARK) : row,
  );
  return writeFile(
    folder,
    name,
    [...rows.filter((_row, line) => line === 0 || keep(line - 1)), ""].join("\r\n"),
  );
}

/** Writes the same edition with those rows in Latin-1. */
function writeBad(name: string, keep: (index: number) => boolean): string {
  const rows = readLines(writeGood(name, keep));
  const bytes = rows.map((row) => Buffer.from(`${row}\r\n`, row.includes(MARK) ? "latin1" : "utf8"));
  return writeFile(folder, name, Buffer.concat(bytes));
}

const countRefusedStored = async ({ stores }: TestRegister) =>
  (await stores.mongo.records.fetchByIds(companyRecord, numbers)).length;

const mend = (register: TestRegister, id: string) =>
  mendRows(register, { folder, id }, { encoding: "latin1" });

const fetchLatestId = async ({ stores }: TestRegister) =>
  (await fetchLatestLoads(stores.mongo.documents, 1))[0]?._id ?? "";

describe("a whole edition with refused rows", () => {
  /** Stores all companies, then loads an edition that lacks two of them and in which three rows are refused. */
  async function loadRefused(): Promise<{ register: TestRegister; id: string }> {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90", BATCH_ROWS: "6" });
    expect(await load(register, [good])).toMatchObject({ exitCode: 0 });
    const next = writeBad(NEXT, (index) => index % 20 !== 0);
    const run = await load(register, [next], { complete: "true" });
    const id = await fetchLatestId(register);
    expect(run.error?.message).toMatch(/^3 rows were refused; the others were loaded\. Nothing was removed/);
    expect(run.error?.message).toContain(
      `refused-rows export ${id} --out FILE, mend the rows, then run load FILE --mends ${id}`,
    );
    expect(run.error?.message).toContain(`load --resume ${id}`);
    return { register, id };
  }

  it("keeps the records of mended rows when it is resumed with --force", async () => {
    const { register, id } = await loadRefused();
    await mend(register, id);
    expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(38);
    expect(await countRefusedStored(register)).toBe(3);
  });

  it("finishes once all rows are mended, even at the second attempt, and keeps their records", async () => {
    const { register, id } = await loadRefused();
    // Two of the three are mended to plain ASCII.
    let count = 0;
    const some = await mendRows(register, {
      ...{ folder, id },
      mend: (text) => text.replaceAll("\u00c9", (letter) => ((count += 1) > 2 ? letter : "E")),
    });
    expect(some).toMatchObject({ exitCode: 2 });
    const early = await load(register, [], { resume: id });
    expect(early.error?.message).toMatch(/^1 row was refused; the others were loaded/);
    expect(await countCompanies(register)).toBe(ROWS);
    expect(await mend(register, loadOf(some))).toMatchObject({ exitCode: 0 });
    const run = await load(register, [], { resume: id });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed[0]).toMatch(/^read {6}38 rows/);
    expect(run.printed).toContain("removed   2 (no longer in the edition)");
    expect(await countCompanies(register)).toBe(38);
    expect(await countRefusedStored(register)).toBe(3);
    expect(await register.stores.mongo.documents.list("batches", {}, 1)).toEqual([]);
  });

  it("does not finish after the rows were discarded: their records are still unknown", async () => {
    const { register, id } = await loadRefused();
    await register.run(refusedRowsCommands.discard, [id], { yes: "true" });
    const run = await load(register, [], { resume: id });
    expect(run.error?.message).toMatch(/^3 rows were refused; the others were loaded/);
    expect(await countCompanies(register)).toBe(ROWS);
  });
});

describe("refused rows beside another whole edition of their source", () => {
  const FIRST = "BasicCompanyData-2026-11-01.csv";
  const lacksRefused = (index: number) => !REFUSED_ROWS.includes(index);

  it("are out of date once a later edition is loaded, and their records stay removed", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90" });
    expect(await load(register, [writeGood("good.csv", () => true)])).toMatchObject({ exitCode: 0 });
    const id = loadOf(await load(register, [writeBad(FIRST, () => true)]));
    const next = writeGood(NEXT, lacksRefused);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countRefusedStored(register)).toBe(0);
    expect(await refusedRowsOf(register, id)).toEqual([]);
    await expectStoresAgree(register.stores);
  });

  it("bring nothing back when mended, if the later edition was loaded before them", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const next = writeGood(NEXT, lacksRefused);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    const old = loadOf(await load(register, [writeBad(FIRST, () => true)], { force: "true" }));
    expect(await mend(register, old)).toMatchObject({ exitCode: 0 });
    expect(await countRefusedStored(register)).toBe(0);
  });

  it("are loaded if an edition of an earlier day was forced after them", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const id = loadOf(await load(register, [writeBad(NEXT, () => true)]));
    const first = writeGood(FIRST, lacksRefused);
    const forced = { complete: "true", force: "true" };
    expect(await load(register, [first], forced)).toMatchObject({ exitCode: 0 });
    expect(await mend(register, id)).toMatchObject({ exitCode: 0 });
    expect(await countRefusedStored(register)).toBe(3);
  });

  it("are loaded if the load of a later edition has removed nothing, because it failed", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const id = loadOf(await load(register, [writeBad(FIRST, () => true)]));
    const failed = await load(register, [writeBad(NEXT, () => true)], { complete: "true" });
    expect(failed.error?.message).toMatch(/Nothing was removed/);
    expect(await mend(register, id)).toMatchObject({ exitCode: 0 });
    expect(await countRefusedStored(register)).toBe(3);
  });

  it("are loaded if an earlier edition was loaded before them", async () => {
    const register = await newRegister();
    const first = writeGood(FIRST, lacksRefused);
    expect(await load(register, [first], { complete: "true" })).toMatchObject({ exitCode: 0 });
    const id = loadOf(await load(register, [writeBad(NEXT, () => true)]));
    expect(await mend(register, id)).toMatchObject({ exitCode: 0 });
    expect(await countRefusedStored(register)).toBe(3);
  });
});

describe("mended rows that wait for another load", () => {
  async function loadRefused() {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" }, false);
    const stopWorker = addWorker(register);
    await load(register, [writeBad("BasicCompanyData-2026-11-01.csv", () => true)]);
    const id = await fetchLatestId(register);
    const out = await exportRows(register, folder, id);
    const mend = () => beginCommand(register, loadCommand, [out], { encoding: "latin1", mends: id });
    return { register, id, mend, stopWorker };
  }

  const isWaiting =
    ({ messages }: ReturnType<typeof beginCommand>) =>
    () =>
      Promise.resolve(messages.some((line) => line.includes("this load waits")));

  it("are not loaded if a whole edition has replaced them meanwhile", async () => {
    const { register, mend, stopWorker } = await loadRefused();
    await stopWorker();
    const whole = writeGood(NEXT, (index) => !REFUSED_ROWS.includes(index));
    const loading = beginCommand(register, loadCommand, [whole], { encoding: "utf-8", complete: "true" });
    const { locks } = register.stores.redis;
    await waitUntil(async () => (await locks.list()).includes("write:companies"), "the edition is loaded");
    const mending = mend();
    await waitUntil(isWaiting(mending), "the mending load waits");
    const refusal = expect(mending.ended).rejects.toThrow(
      /has no refused rows: they were mended or discarded/,
    );
    const stopAnother = addWorker(register);
    expect(await loading.ended).toBe(0);
    await refusal;
    expect(await countRefusedStored(register)).toBe(0);
    await stopAnother();
  });

  it("are loaded once if two loads mend them, and their load cannot be undone meanwhile", async () => {
    const { register, id, mend, stopWorker } = await loadRefused();
    const lock = await register.stores.redis.locks.acquire("write:companies");
    const both = [mend(), mend()];
    for (const one of both) await waitUntil(isWaiting(one), "the mending load waits");
    const undo = await planUndo(register.stores, id).catch(({ message }: Error) => message);
    const ends = Promise.allSettled(both.map(({ ended }) => ended));
    await lock?.release();
    expect((await ends).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const latest = await fetchLatestLoads(register.stores.mongo.documents, 2);
    expect(await countRefusedStored(register)).toBe(3);
    await stopWorker();
    expect(undo).toMatch(/load \S+, which is undone with it, is running/);
    // Both were planned at the same time, but the second gets a place of its own once the first has ended.
    expect(new Set(latest.map(({ plan }) => plan.mends?.place)).size).toBe(2);
  });
});

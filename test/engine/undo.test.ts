/** Undoing loads: the register afterwards, and once the former files are loaded again. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { Worker } from "bullmq";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { addDays, toDay } from "../../api/shared/values/dates.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { loadCommand, planLoad } from "../../ingest/commands/load.ts";
import { loadLocked } from "../../ingest/commands/load-process.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import {
  EXAMPLE_LOAD,
  fetchLatestLoads,
  loadLock,
  REVISIONS_PER_BATCH,
  type LoadRecord,
} from "../../ingest/history/loads.ts";
import { findOpenFailures } from "../../ingest/history/open-failures.ts";
import { BATCH_QUEUE, openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { keepLoad } from "../support/loads.ts";
import { runUndo } from "../../ingest/load/undo.ts";
import { openInput } from "../../ingest/readers/open-input.ts";
import { countRefusedRows, listRefusing } from "../../ingest/refused-rows/refused-rows.ts";
import { workChecks } from "../../scripts/doctor/work.ts";
import { dyingAt, deathOf } from "../support/dying-stores.ts";
import { company, event, fetchNameOnRecord, NUMBER } from "../support/event-batches.ts";
import { exportRows, mendRows } from "../support/mended-rows.ts";
import { aFile } from "../support/officer-lines.ts";
import { writeUpdate, updateLines } from "../support/officers-update.ts";
import {
  countCompanies,
  load,
  OFFICERS,
  PSC,
  readLines,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchState } from "../support/register-state.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const API = ["company-profile", "exemptions", "filing-history"].map(
  (name) => `${SAMPLE}/api-shaped/${name}.jsonl`,
);
const numbersOfApi = new Set(readFileSync(API[0] ?? "", "utf8").match(/(?<="company_number":")[^"]+/g) ?? []);

let register: TestRegister;
/** Opens a register before each test of a group. */
const openBeforeEach = () =>
  beforeEach(async () => {
    register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
  });

async function loadAll(files: readonly string[], options: Record<string, string> = {}): Promise<LoadRecord> {
  const { exitCode, error } = await load(register, [...files], options);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  if (!latest) throw new Error("no load was kept");
  return latest;
}

const undo = (id: string, options: Record<string, string> = {}) =>
  register.run(loadsCommands.undo, [id], { json: "true", ...options });

interface Outcome {
  undone: boolean;
  undone_with?: string[];
  still_stated_by?: string[];
  records: number;
  missing: number;
  load_again: string[];
}

async function undoWhole(id: string, options: Record<string, string> = { yes: "true" }): Promise<Outcome> {
  const { exitCode, error, printed } = await undo(id, options);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  return JSON.parse(printed.join("\n")) as Outcome;
}

/** Runs the commands that an undo advises. */
async function loadAgain(commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const words = command.replace("npm run cli -- load ", "").split(" ");
    const asOf = words.includes("--as-of") ? words.splice(words.indexOf("--as-of"), 2) : [];
    const isOption = (word: string) => word.startsWith("--");
    const options = words.filter(isOption).map((word): [string, string] => [word.slice(2), "true"]);
    await loadAll(
      words.filter((word) => !isOption(word)),
      { ...Object.fromEntries(options), ...(asOf[1] && { asOf: asOf[1] }) },
    );
  }
}

const command = (...words: string[]) => ["npm run cli -- load", ...words].join(" ");

/** Records by content, and search documents; the number of writes does not count. */
async function stateOf() {
  const { records, documents } = await fetchState(register.stores);
  return { records, documents };
}

async function expectClean(): Promise<void> {
  expect(await register.run(verifyCommand, [], { show: "20" })).toMatchObject({ exitCode: 0 });
}

const numberOf = (row: string) => /"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "";

/** Thirty companies of the November edition, including those that events and lines name. */
const SOME = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", isOfSome);

function isOfSome(row: string, index: number): boolean {
  return index < 30 || row.includes('"99000064"');
}

/** Writes a December edition: every third company is renamed, some are missing, and two are new. */
function badCompanies(
  isMissing: (row: string, index: number) => boolean,
  isIn: typeof isOfSome = isOfSome,
): string {
  const rows = readLines(writeEdition(folder, "all.csv", isIn));
  const [header = "", ...companies] = rows;
  const changed = companies
    .filter((row, index) => !isMissing(row, index))
    .map((row, index) => (index % 3 === 0 ? row.replace(/^"[^"]*"/, `"WRONG NAME ${index} LIMITED"`) : row));
  const added = ["97000901", "97000902"].map((number) =>
    (companies[0] ?? "").replace(numberOf(companies[0] ?? ""), number),
  );
  const text = [header, ...changed, ...added, ""].join("\r\n");
  return writeFile(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", text);
}

/** The November snapshots with at most sixty lines each. */
function fewOfficers(): string[] {
  return OFFICERS.map((path) => {
    const [header = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
    return writeFile(folder, basename(path), aFile(header, lines.slice(0, -1).slice(0, 60)));
  });
}

/** December snapshots with wrong surnames and towns. */
function badOfficers(good: readonly string[]): string[] {
  return good.map((path) => {
    const text = readFileSync(path, "utf8").replace("432120261101", "435020261201");
    const name = path
      .slice(path.lastIndexOf("/") + 1)
      .replace("_4321_", "_4350_")
      .replace("01112026", "01122026");
    return writeFile(folder, name, text.replace(/SAMPLE/g, "SIMPLE").replace(/LEEDS</g, "DEELS<"));
  });
}

function badPsc(): string[] {
  return PSC.map((path, at) => {
    const text = readFileSync(path, "utf8").replace(/Mock|Fiction/g, "Wrong");
    return writeFile(folder, `psc-snapshot-2026-12-01_${at + 1}of2.txt`, text);
  });
}

describe("an undone edition", () => {
  openBeforeEach();

  it("leaves no trace once the former edition is loaded again", async () => {
    const isIn = (row: string, index: number) => isOfSome(row, index) || numbersOfApi.has(numberOf(row));
    const companies = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", isIn);
    const officers = fewOfficers();
    await loadAll([companies, ...officers, ...PSC]);
    // The API's name for one company differs from the edition loaded before.
    const named = JSON.stringify(company("NAMED BY THE API LIMITED"));
    const lines = writeFile(folder, "named.jsonl", `${named}\n`);
    const { started_at } = await loadAll([...API, lines]);
    const before = await stateOf();
    const isMissing = (row: string, index: number) =>
      index % 10 === 0 && ![...numbersOfApi, NUMBER].includes(numberOf(row));
    const bad = [
      await loadAll([badCompanies(isMissing, isIn)], { complete: "true" }),
      await loadAll(badOfficers(officers), { complete: "true" }),
      await loadAll(badPsc(), { complete: "true" }),
    ];
    expect((await stateOf()).records).not.toEqual(before.records);
    const again: string[][] = [];
    for (const { _id } of bad.toReversed()) {
      // Plan only the undo of companies: planning reads everything.
      const planned = _id === bad[0]?._id ? await undoWhole(_id, { dryRun: "true" }) : undefined;
      const done = await undoWhole(_id);
      expect(done).toEqual({ ...(planned ?? done), undone: true });
      expect(done.records).toBeGreaterThan(0);
      again.push(done.load_again);
    }
    expect(again).toEqual([
      [command(...PSC), command(API[1] ?? "", "--as-of", started_at)],
      [command(...officers)],
      [command(companies), command(API[0] ?? "", lines, "--as-of", started_at)],
    ]);
    await expectClean();
    expect(await register.get("/company/97000901")).toMatchObject({ status: 404 });
    await loadAgain(again.flat());
    await expectClean();
    expect(await stateOf()).toEqual(before);
    expect(await fetchNameOnRecord(register.stores)).toBe("NAMED BY THE API LIMITED");
    const states = (await fetchLatestLoads(register.stores.mongo.documents)).map(({ state }) => state);
    expect(states.slice(-5)).toEqual(["undone", "undone", "undone", "succeeded", "succeeded"]);
  });
});

describe("an undo", () => {
  openBeforeEach();
  const isNone = () => false;

  it("continues after it was killed before or after any of its writes", async () => {
    const isFew = (_row: string, index: number) => index < 6;
    await loadAll([writeEdition(folder, "BasicCompanyData-2026-11-01.csv", isFew)]);
    const before = await stateOf();
    const bad = await loadAll([badCompanies(isNone, isFew)]);
    const context = { config: register.config, tell: () => undefined, isStopping: isNone };
    const deaths = new Set<string | null>();
    const said: string[] = [];
    const check = () => workChecks["Last load of each format"]?.({ ...register, now: Date.now });
    // Each run continues where the one before was killed.
    for (let n = 1; !deaths.has(null); n += 1) {
      const dying = dyingAt(register.stores, n, n % 2 === 0);
      deaths.add(await deathOf(runUndo({ context, stores: dying }, bad._id)));
      const { found = "", hint = "" } = (await check()) ?? {};
      const sentence = `${found.replace(/, .* ago$/, "")}: ${hint}`;
      if (sentence !== said.at(-1)) said.push(sentence);
    }
    expect(deaths.size).toBeGreaterThan(3);
    // The findings before it has written anything, while it is partly undone, and when it is complete.
    expect(said).toEqual([
      `${bad._id}: `,
      `${bad._id} is partly undone: npm run cli -- loads undo ${bad._id} undoes the rest`,
      `${bad._id}: `,
    ]);
    const { records } = await stateOf();
    expect(Object.keys(records)).not.toContain("companies/97000901");
    expect(Object.keys(records).length).toBeLessThan(Object.keys(before.records).length);
    const { records: left, load_again } = await undoWhole(bad._id);
    expect(left).toBe(0);
    await loadAgain(load_again);
    await expectClean();
    expect(await stateOf()).toEqual(before);
  });

  it("reports the total of changed records, even after an interruption", async () => {
    await loadAll([SOME]);
    const bad = await loadAll([badCompanies(isNone)]);
    const { records, missing } = await undoWhole(bad._id, { dryRun: "true" });
    expect(missing).toBeGreaterThan(0);
    const context = { config: register.config, tell: () => undefined, isStopping: isNone };
    let writes = 0;
    // The process dies after the first records that it has undone.
    const { put } = register.stores.mongo.documents;
    const documents = {
      ...register.stores.mongo.documents,
      put: async (...asked: Parameters<typeof put>) => {
        await put(...asked);
        if ("taken" in asked[1] && (writes += 1) === 1) throw new Error("killed");
      },
    };
    const stores = { ...register.stores, mongo: { ...register.stores.mongo, documents } };
    await expect(runUndo({ context, stores }, bad._id)).rejects.toThrow("killed");
    expect(await undoWhole(bad._id, { dryRun: "true" })).toMatchObject({ records, missing });
    expect(await undoWhole(bad._id)).toMatchObject({ records, missing });
  });

  it("undoes an edition that was loaded twice, or killed and loaded again, whichever load is named", async () => {
    await loadAll([SOME]);
    const before = await stateOf();
    const bad = badCompanies(isNone);
    const first = await loadAll([bad]);
    for (const named of ["first", "again"] as const) {
      // The second load names its source, and its file was moved, as `watch` does.
      const moved = join(folder, "done", basename(bad));
      mkdirSync(join(folder, "done"), { recursive: true });
      copyFileSync(bad, moved);
      const again = await (named === "first" ? loadAll([moved], { as: "company-csv" }) : loadAll([bad]));
      const other = named === "first" ? again : first;
      const undone = await undoWhole(named === "first" ? first._id : again._id);
      expect(undone.undone_with).toEqual(named === "first" ? [other._id] : undefined);
      expect(undone.load_again).toEqual([command(SOME)]);
      await loadAgain(undone.load_again);
      expect(await stateOf()).toEqual(before);
    }
    await expectClean();
  });

  it("changes nothing when repeated, even after its files were loaded again", async () => {
    await loadAll([SOME]);
    const bad = badCompanies(isNone);
    const { _id } = await loadAll([bad]);
    await undoWhole(_id);
    await loadAll([bad]);
    const before = await stateOf();
    expect(await undoWhole(_id)).toMatchObject({ records: 0 });
    expect(await stateOf()).toEqual(before);
  });

  it("reports another load that still states the same, with other files besides", async () => {
    await loadAll([SOME]);
    const bad = badCompanies(isNone);
    const both = await loadAll([bad, API[1] ?? ""]);
    const alone = await loadAll([bad]);
    expect(await undoWhole(alone._id)).toMatchObject({
      records: 0,
      load_again: [command(SOME)],
      still_stated_by: [both._id],
    });
    const { records } = await undoWhole(both._id);
    expect(records).toBeGreaterThan(0);
  });

  it("keeps what other sources and later editions have stated", async () => {
    await loadAll([SOME]);
    const bad = await loadAll([badCompanies(isNone)]);
    const [line = ""] = event(company("TOLD SINCE LIMITED"), 1, "2026-12-02").rows;
    await loadAll([writeFile(folder, "companies.ndjson", `${line}\n`)]);
    const good = writeEdition(
      folder,
      "BasicCompanyDataAsOneFile-2027-01-01.csv",
      (row, at) => at < 10 && !row.includes(NUMBER),
    );
    await loadAll([good]);
    const { records } = await stateOf();
    const undone = await undoWhole(bad._id);
    expect(undone.load_again).toEqual([
      command(SOME, "--force"),
      command(join(folder, "companies.ndjson")),
      command(good),
    ]);
    expect(await fetchNameOnRecord(register.stores)).toBe("TOLD SINCE LIMITED");
    const { records: left } = await stateOf();
    expect(Object.keys(left).length).toBe(Object.keys(records).length - undone.missing);
    await expectClean();
    await loadAgain(undone.load_again);
    expect(await register.get("/company/99000064")).toMatchObject({ status: 200 });
    await expectClean();
  });

  it("names the files of other sources whose records a removal has replaced", async () => {
    await loadAll([SOME]);
    const { started_at } = await loadAll(API);
    // Published after the lines were loaded, the event still outranks them.
    const tomorrow = addDays(toDay(new Date()), 1);
    const [line = ""] = event(company("TOLD SINCE LIMITED", "99000064"), 1, tomorrow).rows;
    await loadAll([writeFile(folder, "companies.ndjson", `${line}\n`)]);
    const before = await stateOf();
    const isOfApi = (row: string) => numbersOfApi.has(numberOf(row));
    const bad = await loadAll([badCompanies(isOfApi)], { complete: "true" });
    const { missing, load_again } = await undoWhole(bad._id);
    expect(missing).toBeGreaterThan(10);
    expect(load_again).toEqual([
      command(SOME),
      command(API[0] ?? "", "--as-of", started_at),
      command(join(folder, "companies.ndjson")),
    ]);
    await loadAgain(load_again);
    expect(await stateOf()).toEqual(before);
    expect(await fetchNameOnRecord(register.stores, "99000064")).toBe("TOLD SINCE LIMITED");
  });

  it("undoes the rows that mend the load, and loads that failed or are not editions", async () => {
    const [header = "", row = ""] = readLines(writeEdition(folder, "all.csv", () => true));
    const rows = [row, row.replace(/"\d{8}"/, '"9.9E+07"'), ""];
    const path = writeFile(folder, "BasicCompanyData-2026-12-01.csv", [header, ...rows].join("\r\n"));
    expect(await load(register, [path])).toMatchObject({ exitCode: 2 });
    const [bad] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    const id = bad?._id ?? "";
    const mend = (text: string) => text.replace("9.9E+07", "97000903");
    expect(await mendRows(register, { folder, id, mend })).toMatchObject({ exitCode: 0 });
    const lines = await loadAll([API[0] ?? ""]);
    const [mender = lines] = (await fetchLatestLoads(register.stores.mongo.documents, 2)).slice(1);
    expect((await undo(mender._id, { yes: "true" })).error?.message).toMatch(
      /it mends rows of load .*: undo that load/,
    );
    expect(await undoWhole(id)).toMatchObject({ records: 2, missing: 2 });
    expect(await undoWhole(lines._id)).toMatchObject({ missing: lines.counts.written });
    expect((await stateOf()).records).toEqual({});
    const loads = await fetchLatestLoads(register.stores.mongo.documents);
    expect(loads.map(({ state }) => state)).toEqual(["undone", "undone", "undone"]);
    expect(findOpenFailures(loads)).toEqual([]);
    const partly = loads.map((one) => ({ ...one, undone_at: undefined as never }));
    expect(findOpenFailures(partly)).toEqual(partly);
    expect((await load(register, [], { resume: id })).error?.message).toMatch(
      /was undone: load the files again/,
    );
    expect((await load(register, [path], { mends: id })).error?.message).toMatch(/was undone/);
  });

  it("deletes the load's refused rows, and ends a mending load or a resume that began meanwhile", async () => {
    const { documents } = register.stores.mongo;
    const [header = "", row = ""] = readLines(writeEdition(folder, "all.csv", () => true));
    const rows = [row, row.replace(/"\d{8}"/, '"9.9E+07"'), ""];
    const path = writeFile(folder, "BasicCompanyData-2026-12-01.csv", [header, ...rows].join("\r\n"));
    await load(register, [path]);
    const [bad] = await fetchLatestLoads(documents, 1);
    if (!bad) throw new Error("no load was kept");
    const id = bad._id;
    const mended = await exportRows(register, folder, id);
    writeFileSync(mended, readFileSync(mended, "utf8").replace("9.9E+07", "97000903"));
    /** Plans a load, undoes the other load, then runs the planned one. */
    const runLate = (mends: string | undefined, resumed: LoadRecord | undefined) =>
      register.run(
        defineCommand({
          ...loadCommand,
          run: async (context) => {
            const stores = context.openStores();
            const options = mends === undefined ? {} : { mends };
            const record =
              resumed ?? (await planLoad(stores, options, { files: [mended], config: context.config }));
            await undoWhole(id);
            const given = resumed ? { resume: id } : options;
            const [isForced, isDryRun] = [false, false];
            return loadLocked({ context, stores, record, given, open: openInput, isForced, isDryRun });
          },
        }),
        [],
      );
    expect(await countRefusedRows(documents, id)).toBe(1);
    expect((await runLate(id, undefined)).error?.message).toBe(
      `load ${id} was undone: load the rows without --mends`,
    );
    expect(await listRefusing(documents)).toEqual([]);
    const resumed = { ...bad, state: "running" as const };
    expect((await runLate(undefined, resumed)).error?.message).toBe(
      `the load ${id} was undone: load the files again`,
    );
    expect((await stateOf()).records).toEqual({});
    const states = (await fetchLatestLoads(documents)).map(({ state }) => state);
    expect(states).toEqual(["undone", "undone"]);
  });

  it("reaches the search even if Redis has come back with older positions", async () => {
    const { _id: id } = await loadAll(fewOfficers());
    const { redis } = register.stores;
    await redis.connection.set(`${register.config.QUEUE_PREFIX}:position`, "1");
    expect((await undoWhole(id)).records).toBeGreaterThan(0);
    await expectStoresAgree(register.stores);
  });

  it("asks first, and refuses loads that cannot be undone", async () => {
    const refusalOf = async (id: string) => (await undo(id, { yes: "true" })).error?.message;
    expect(await refusalOf("nosuch")).toMatch(/^there is no load nosuch/);
    const officers = fewOfficers();
    const snapshot = await loadAll(officers);
    const { error } = await undo(snapshot._id);
    expect(error?.message).toMatch(/will be undone: \d+ records changed, .* add --yes to agree$/);
    const update = await loadAll([writeUpdate(folder, 4322, updateLines.slice(1, -1))]);
    expect(await refusalOf(update._id)).toMatch(
      /daily updates move records.*latest snapshot with --complete/,
    );
    const next = await loadAll(badOfficers(officers));
    expect(await refusalOf(next._id)).toMatch(
      /Prod198_4322.dat, loaded since the former edition, cannot be loaded again/,
    );
    const [line = ""] = event(company("TOLD LIMITED"), 1, "2026-12-02").rows;
    const events = await loadAll([writeFile(folder, "companies.ndjson", `${line}\n`)]);
    expect(await refusalOf(events._id)).toMatch(/do not store which load an event came in/);
    const lines = await loadAll([API[0] ?? ""]);
    const lock = await register.stores.redis.locks.acquire(loadLock(lines._id));
    expect(await refusalOf(lines._id)).toMatch(/is under way in another process/);
    await lock?.release();
    await undoWhole(lines._id);
    // The next undo undoes the rest, if there is any.
    expect(await undoWhole(lines._id)).toMatchObject({ records: 0, load_again: expect.any(Array) });
    expect(await fetchNameOnRecord(register.stores, NUMBER)).toBe("TOLD LIMITED");
  });
});

describe("an undo beside workers", () => {
  it("reports at once that no worker runs to update the search", async () => {
    register = await newRegister({}, false);
    const { documents } = register.stores.mongo;
    await keepLoad(documents, { _id: EXAMPLE_LOAD });
    const surveyed = [{ file: "a.csv", name: "a.csv", source: "company-csv", rows: 1 }];
    await documents.amend("loads", [{ _id: EXAMPLE_LOAD, surveyed }]);
    const { exitCode, messages } = await register.run(loadsCommands.undo, [EXAMPLE_LOAD], { yes: "true" });
    expect([exitCode, messages]).toEqual([0, [expect.stringMatching(/^no worker is connected/)]]);
  });

  it("undoes all batches, though a load of other kinds and a followed stream began right after the first", async () => {
    register = await newRegister({ BATCH_ROWS: "8", COMPLETE_MIN_PERCENT: "0" });
    const { documents } = register.stores.mongo;
    const { _id, plan } = await loadAll([SOME]);
    for (const [id, source, others] of [
      ["officers", "officers-snapshot", {}],
      ["follow", "streaming-events", { isFollowing: true }],
    ] as const) {
      await keepLoad(documents, { _id: id });
      const surveyed = [{ file: id, name: id, source, rows: 1 }];
      const began = { ...plan, ...others, revision: plan.revision + REVISIONS_PER_BATCH };
      await documents.amend("loads", [{ _id: id, surveyed, plan: began }]);
    }
    await undoWhole(_id);
    expect(await countCompanies(register)).toBe(0);
  });

  it("removes batches that a killed load has left, and waits for those that workers have taken", async () => {
    register = await newRegister({}, false);
    const { documents } = register.stores.mongo;
    await keepLoad(documents, { _id: EXAMPLE_LOAD, state: "running" });
    const surveyed = [{ file: "a.csv", name: "a.csv", source: "company-csv", rows: 1 }];
    await documents.amend("loads", [{ _id: EXAMPLE_LOAD, surveyed }]);
    const queue = openQueue(register.stores.redis, register.config.QUEUE_PREFIX);
    const add = (revision: number) => {
      const options = { jobId: `${EXAMPLE_LOAD}-${revision}` };
      return queue.add("company-csv", { load: EXAMPLE_LOAD } as BatchJob, options);
    };
    const stores = openStores(register.config, { forWorker: true });
    const worker = new Worker<BatchJob>(BATCH_QUEUE, null, {
      connection: stores.redis.connection,
      prefix: register.config.QUEUE_PREFIX,
    });
    await add(1);
    await worker.getNextJob("test");
    await add(2);
    const { error } = await undo(EXAMPLE_LOAD, { yes: "true" });
    expect(error?.message).toMatch(/workers are still writing rows of load .*: run this again/);
    expect(await queue.getJobCounts("waiting", "active")).toEqual({ waiting: 0, active: 1 });
    await worker.close();
    const late = await undo(EXAMPLE_LOAD, { yes: "true" });
    expect(late.error?.message).toMatch(/no worker is connected to Redis; start one .*, then run this again/);
    const taken = await queue.getJob(`${EXAMPLE_LOAD}-1`);
    await taken?.moveToCompleted({}, "test", false);
    expect(await undoWhole(EXAMPLE_LOAD)).toMatchObject({ undone: true, records: 0 });
    await queue.close();
    await closeStores(stores);
  });
});

/** A watched folder on the real engines: what is dropped there in any order ends as the loads in order. */
import { afterAll, afterEach, expect, it, jest } from "@jest/globals";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deadLettersListCommand } from "../../ingest/commands/dead-letters.ts";
import { loadsListCommand, loadsShowCommand } from "../../ingest/commands/loads.ts";
import { watchCommand } from "../../ingest/commands/watch.ts";
import { buildRegister } from "../support/faults/build.ts";
import { openFaultProxy, type FaultProxy } from "../support/faults/fault-proxy.ts";
import { startCommand } from "../support/faults/processes.ts";
import { countCompanies, load, PARTS, PSC, writeEdition } from "../support/load-command.ts";
import { keepLoad } from "../support/loads.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchState } from "../support/register-state.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE, SAMPLE_FILES } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";

jest.setTimeout(300_000);

const root = makeOwnFolder();
// Before their registers are closed.
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
const newRegister = registersPerTest();
const proxies: FaultProxy[] = [];
afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));
const newInbox = () => mkdtempSync(join(root, "inbox-"));

const UPDATE = `${SAMPLE}/officers/Prod198_4322.dat`;
const STREAMS = readdirSync(`${SAMPLE}/streams`)
  .filter((name) => name.endsWith(".ndjson"))
  .map((name) => `${SAMPLE}/streams/${name}`);
const SNAPSHOTS = SAMPLE_FILES.filter((file) => !file.startsWith("psc/")).map((file) => `${SAMPLE}/${file}`);
/** Every sample file, as an operator would load them. */
const IN_ORDER = [PARTS, ...SNAPSHOTS.map((file) => [file]), PSC, [UPDATE], ...STREAMS.map((file) => [file])];

interface Report {
  load: string;
  state: string;
  files: string[];
  reason?: string;
  refused: { file: string; line: number; reason: string; text: string }[];
}

/** Files of done/ or failed/, by load. */
function listPutAway(inbox: string, outcome: "done" | "failed") {
  const folder = join(inbox, outcome);
  return (existsSync(folder) ? readdirSync(folder) : []).map((load) => {
    const report = JSON.parse(readFileSync(join(folder, load, "report.json"), "utf8")) as Report;
    const names = readdirSync(join(folder, load)).filter((name) => name !== "report.json");
    expect(report.load).toBe(load);
    expect(report.files.toSorted()).toEqual(names.toSorted());
    return report;
  });
}

function drop(inbox: string, path: string, name = basename(path)): void {
  copyFileSync(path, join(inbox, `.${name}`));
  renameSync(join(inbox, `.${name}`), join(inbox, name));
}

const listInbox = (inbox: string) =>
  readdirSync(inbox, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && !entry.name.startsWith(".") ? entry.name : [],
  );
const once = (register: TestRegister, inbox: string, options = {}) =>
  register.run(watchCommand, [inbox], { rest: "1", once: "true", ...options });

/** Watches until the function returned is called. */
function watch(register: TestRegister, inbox: string) {
  let isStopping = false;
  const run = register.run(watchCommand, [inbox], { rest: "1" }, () => isStopping);
  const stop = () => {
    isStopping = true;
    return run;
  };
  stops.push(stop);
  return stop;
}

it("ends as the loads in order, with files in the wrong order, in parts, one broken and one half written", async () => {
  const ordered = await newRegister();
  for (const files of IN_ORDER) expect(await load(ordered, files)).toMatchObject({ exitCode: 0 });
  const register = await newRegister();
  const inbox = newInbox();
  const stop = watch(register, inbox);
  const [first = "", last = ""] = PSC;
  const text = readFileSync(last);
  const half = join(inbox, basename(last));
  writeFileSync(half, text.subarray(0, text.length / 2));
  for (const files of IN_ORDER.toReversed())
    for (const file of files.toReversed()) if (file !== last) drop(inbox, file);
  drop(inbox, `${SAMPLE}/officers/edge-cases/no-trailer.dat`, "Prod195_4321_sc_2_01112026010001.dat");
  const isDone = (name: string) => listPutAway(inbox, "done").some(({ files }) => files.includes(name));
  let written = text.length / 2;
  const write = (bytes: number) => appendFileSync(half, text.subarray(written, (written += bytes)));
  while (!isDone("dissolved-extract.csv")) {
    write(32);
    expect(listPutAway(inbox, "failed").length).toBeLessThan(2);
    await sleep(300);
  }
  expect(listInbox(inbox)).toEqual(expect.arrayContaining(PSC.map((path) => basename(path))));
  write(text.length - written);
  while (listInbox(inbox).length > 0 || readdirSync(join(inbox, "loading")).length > 0) await sleep(300);
  expect(await stop()).toMatchObject({ exitCode: 0 });
  const failed = listPutAway(inbox, "failed");
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatchObject({
    state: "failed",
    files: ["Prod195_4321_sc_2_01112026010001.dat"],
    reason: expect.stringContaining("truncated") as unknown as string,
  });
  const done = listPutAway(inbox, "done").flatMap(({ files }) => files);
  expect(done.toSorted()).toEqual(
    IN_ORDER.flat()
      .map((file) => basename(file))
      .toSorted(),
  );
  expect(listPutAway(inbox, "done").find(({ files }) => files.includes(basename(last)))?.files).toEqual([
    basename(first),
    basename(last),
  ]);
  expect(await expectStoresAgree(register.stores)).toEqual(await fetchState(ordered.stores));
});

it("gives the other parts back when one is broken, and loads them with a good one", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const [first = "", last = ""] = PSC;
  drop(inbox, first);
  writeFileSync(join(inbox, basename(last)), readFileSync(last, "utf8").split("\n").slice(0, 30).join("\n"));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  expect(listInbox(inbox)).toEqual([basename(first)]);
  expect(listPutAway(inbox, "failed")).toMatchObject([{ files: [basename(last)] }]);
  const waiting = await once(register, inbox);
  expect(waiting).toMatchObject({ exitCode: 0, told: [`${basename(first)} waits: part 2 of 2 is missing`] });
  drop(inbox, last);
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done")).toMatchObject([{ files: PSC.map((path) => basename(path)) }]);
});

it("says by its exit code and in reports what was refused, and takes no unfinished file", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  for (const name of [".hidden.csv", "a.csv.part", "b.tmp", "c.crdownload", "report.json"])
    copyFileSync(PARTS[0] ?? "", join(inbox, name));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  drop(inbox, `${SAMPLE}/companies/edge-cases/bad-rows.csv`);
  const run = await once(register, inbox, { json: "true" });
  expect(run).toMatchObject({ exitCode: 2 });
  const [report] = listPutAway(inbox, "done");
  expect(run.printed.map((line) => JSON.parse(line) as Report)).toEqual([report]);
  expect(report?.refused[0]).toMatchObject({
    file: "bad-rows.csv",
    line: expect.any(Number) as unknown as number,
  });
  drop(inbox, `${SAMPLE}/companies/edge-cases/not-csv.csv`);
  drop(inbox, `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`);
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  expect(listPutAway(inbox, "failed")).toMatchObject([{ files: ["not-csv.csv"] }]);
  expect(listPutAway(inbox, "done")).toHaveLength(2);
  expect(readdirSync(inbox).filter((name) => /hidden|part|tmp|crdown|json/.test(name))).toHaveLength(5);
});

it("has a daily update wait for its snapshot and for the run before it", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const later = readFileSync(UPDATE, "utf8").replace("DDDDUPDT432220261102", "DDDDUPDT432320261103");
  writeFileSync(join(inbox, "Prod198_4323.dat"), later);
  expect((await once(register, inbox)).told).toEqual([
    "Prod198_4323.dat waits: a snapshot of all regions (ew, sc, ni) must be loaded first",
  ]);
  for (const file of SNAPSHOTS.filter((path) => path.includes("Prod195"))) drop(inbox, file);
  const run = await once(register, inbox);
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.told.at(-1)).toBe("Prod198_4323.dat waits: run 4322 must be loaded first");
  drop(inbox, UPDATE);
  expect(await once(register, inbox, { dryRun: "true" })).toMatchObject({
    printed: ["Prod198_4322.dat is ready", "Prod198_4323.dat is ready"],
  });
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done").map(({ files }) => files[0])).toEqual([
    "Prod195_4321_ew_1_01112026010001.dat",
    "Prod198_4322.dat",
    "Prod198_4323.dat",
  ]);
});

it("removes what a whole edition no longer holds with --complete, and loads other files beside it", async () => {
  const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
  const inbox = newInbox();
  for (const path of PARTS) drop(inbox, path);
  expect(await once(register, inbox, { complete: "true" })).toMatchObject({ exitCode: 0 });
  const [part1 = ""] = PARTS;
  drop(inbox, part1, "BasicCompanyDataAsOneFile-2026-12-01.csv");
  drop(inbox, `${SAMPLE}/companies/dissolved-extract.csv`);
  expect(await once(register, inbox, { complete: "true" })).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done")).toMatchObject([{ retired: 0 }, { retired: 80 }, {}]);
});

it("refuses a second watch of the folder, by whatever path", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const stop = watch(register, inbox);
  await waitUntil(
    async () => (await register.stores.redis.locks.list()).some((name) => name.startsWith("watch:")),
    "the folder is watched",
  );
  const { error } = await once(register, join(inbox, "..", basename(inbox)));
  expect(error?.message).toMatch(/^a watch of \S+ is under way in another process/);
  await stop();
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect((await once(register, join(root, "nowhere"))).error?.message).toMatch(
    /nowhere cannot be watched: .*no such file/,
  );
});

it("goes on with a load that was stopped, and loads nothing twice", async () => {
  const register = await newRegister({ BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" });
  const inbox = newInbox();
  for (const path of PARTS) drop(inbox, path);
  const isWriting = async () => (await register.stores.mongo.documents.list("changes", {}, 5)).length > 3;
  let isStopping = false;
  const run = register.run(watchCommand, [inbox], { rest: "1" }, () => isStopping);
  await waitUntil(isWriting, "batches are written");
  isStopping = true;
  expect(await run).toMatchObject({ exitCode: 0 });
  const [taken = ""] = readdirSync(join(inbox, "loading"));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done")).toMatchObject([{ load: taken, counts: { read: 200, written: 200 } }]);
  expect((await register.run(loadsListCommand, [])).printed).toHaveLength(1);
});

it("waits while a store is away, and goes on with the load", async () => {
  const proxy = await openFaultProxy(process.env.REDIS_URL ?? "");
  proxies.push(proxy);
  const register = await newRegister({
    ...{ BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" },
    ...{ REDIS_URL: proxy.address, STORE_TIMEOUT_MS: "1000", LOCK_MS: "2000" },
  });
  const inbox = newInbox();
  for (const path of PARTS) drop(inbox, path);
  const stop = watch(register, inbox);
  await waitUntil(
    async () => (await register.stores.mongo.documents.list("changes", {}, 5)).length > 3,
    "batches are written",
  );
  await proxy.refuse();
  await sleep(12_000);
  expect(readdirSync(join(inbox, "failed"))).toEqual([]);
  await proxy.restore();
  await waitUntil(() => Promise.resolve(readdirSync(join(inbox, "done")).length === 1), "it is loaded");
  const { told } = await stop();
  expect(told.join("\n")).toMatch(/redis is not available: .*; the watch tries again in 10 s/);
  expect(listPutAway(inbox, "done")).toMatchObject([{ counts: { read: 200, written: 200 } }]);
  expect(await countCompanies(register)).toBe(200);
});

it("leaves a failed load where load --resume finds it", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  writeEdition(inbox, "bad.csv", () => true);
  const bad = join(inbox, "bad.csv");
  writeFileSync(bad, readFileSync(bad, "utf8").replaceAll(/,"(\d{8})",/g, ',"no number",'));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  const [{ load: id = "", reason } = {}] = listPutAway(inbox, "failed") as Partial<Report>[];
  expect(reason).toMatch(`load --resume ${id} --force`);
  expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 2 });
  const { printed } = await register.run(deadLettersListCommand, [id], { json: "true" });
  expect(new Set(printed.map((line) => (JSON.parse(line) as { file: string }).file))).toEqual(
    new Set(["bad.csv"]),
  );
  expect((await register.run(loadsShowCommand, [id])).printed.join("\n")).toMatch(
    `${join("failed", id, "bad.csv")} (company-csv, 200 rows)`,
  );
});

it("gives back, goes on with or puts away what a killed process has left in loading", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const [part1 = "", part2 = ""] = PARTS;
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  const leave = (id: string, path: string, report?: object) => {
    mkdirSync(join(inbox, "loading", id));
    copyFileSync(path, join(inbox, "loading", id, basename(path)));
    if (report) writeFileSync(join(inbox, "loading", id, "report.json"), JSON.stringify(report));
  };
  // Killed while the parts were moved.
  leave("20261101T000000000-0001", part1);
  drop(inbox, part2);
  // Killed between its report and the last move.
  const report = { load: "20261101T000000000-0002", state: "failed", files: ["no.csv"], counts: {} };
  writeFileSync(join(root, "no.csv"), "no");
  leave(report.load, join(root, "no.csv"), report);
  // Killed behind the load, before its report.
  drop(inbox, UPDATE, "leftover.dat");
  leave("20261101T000000000-0003", `${SAMPLE}/disqualified/Prod192_4287.txt`);
  await keepLoad(register.stores.mongo.documents, {
    _id: "20261101T000000000-0003",
    files: ["loading/20261101T000000000-0003/Prod192_4287.txt"],
  });
  // Given back, were it not that its name has been dropped again.
  leave("20261101T000000000-0004", part2);
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  expect(listPutAway(inbox, "failed").map(({ load: id, files }) => [id.slice(-4), files])).toEqual([
    ["0002", ["no.csv"]],
    ["0004", [basename(part2)]],
  ]);
  expect(listPutAway(inbox, "done").map(({ files }) => files)).toEqual([
    ["Prod192_4287.txt"],
    PARTS.map((path) => basename(path)),
  ]);
  expect(listInbox(inbox)).toEqual(["leftover.dat"]);
  expect(await countCompanies(register)).toBe(200);
});

it("loses nothing when it is killed again and again", async () => {
  const build = buildRegister();
  const register = await newRegister({ BATCH_ROWS: "20", LOCK_MS: "2000" });
  const inbox = newInbox();
  for (const file of IN_ORDER.flat().reverse()) drop(inbox, file);
  for (const [words, count] of [
    ["rows read as", 1],
    ["moved to", 1],
    ["read  ", 3],
    ["moved to", 4],
  ] as const) {
    const program = startCommand(build, register.config, ["watch", inbox, "--rest", "1"]);
    await program.waitForLines(words, count, 60_000);
    program.kill("SIGKILL");
    await program.ended;
    await sleep(2_500);
  }
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "failed")).toEqual([]);
  const done = listPutAway(inbox, "done").flatMap(({ files }) => files);
  expect(done.toSorted()).toEqual(
    IN_ORDER.flat()
      .map((file) => basename(file))
      .toSorted(),
  );
  const ordered = await newRegister();
  for (const files of IN_ORDER) await load(ordered, files);
  expect(await expectStoresAgree(register.stores)).toEqual(await fetchState(ordered.stores));
  rmSync(build, { recursive: true });
});

/** A watched folder: files dropped in any order end as if loaded in order. */
import { expect, it, jest } from "@jest/globals";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { countCompanies, load, PARTS, PSC, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { writeSnapshots } from "../support/officers-update.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";
import {
  drop,
  IN_ORDER,
  listInbox,
  listPutAway,
  once,
  SNAPSHOTS,
  STREAMS,
  UPDATE,
  watchesPerTest,
  type Report,
} from "../support/watched-folder.ts";

jest.setTimeout(300_000);

const root = makeOwnFolder();
const newRegister = registersPerTest();
const watch = watchesPerTest();
/** For tests that need not load every sample file: the streams whose order decides how the load ends. */
const SOME_STREAMS = STREAMS.filter((path) => /^(companies|officers)\./.test(basename(path)));
const OFFICERS = writeSnapshots(root);
const SOME_IN_ORDER = [...OFFICERS, ...PSC, UPDATE, ...SOME_STREAMS];
const newInbox = () => mkdtempSync(join(root, "inbox-"));

it("loads files dropped in the wrong order as if in order, with one broken and one half written", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const stop = watch(register, inbox);
  const [first = "", last = ""] = PSC;
  const text = readFileSync(last);
  const half = join(inbox, basename(last));
  let written = text.length / 2;
  writeFileSync(half, text.subarray(0, written));
  for (const file of SOME_IN_ORDER.toReversed()) if (file !== last) drop(inbox, file);
  drop(inbox, `${SAMPLE}/officers/edge-cases/no-trailer.dat`, "Prod195_4321_sc_2_01112026010001.dat");
  // Writes for longer than a file must stay unchanged.
  for (let times = 0; times < 6; times += 1) {
    await sleep(300);
    appendFileSync(half, text.subarray(written, (written += 32)));
  }
  expect(listPutAway(inbox, "done")).toEqual([]);
  appendFileSync(half, text.subarray(written));
  await waitUntil(() => Promise.resolve(listInbox(inbox).length === 0), "all files are put away", 60_000);
  const { exitCode, messages } = await stop();
  expect(exitCode).toBe(0);
  expect(messages[0]).toBe(`watching ${inbox}`);
  expect(messages).toContain(
    `${basename(last)} is still being written; loading begins when all files are complete`,
  );
  const failed = listPutAway(inbox, "failed");
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatchObject({
    state: "failed",
    files: ["Prod195_4321_sc_2_01112026010001.dat"],
    reason: expect.stringContaining("truncated") as unknown as string,
  });
  const done = listPutAway(inbox, "done").flatMap(({ files }) => files);
  expect(done.toSorted()).toEqual(SOME_IN_ORDER.map((file) => basename(file)).toSorted());
  expect(listPutAway(inbox, "done").find(({ files }) => files.includes(basename(last)))?.files).toEqual([
    basename(first),
    basename(last),
  ]);
  expect(listPutAway(inbox, "done").filter(({ counts }) => counts.refused > 0)).toEqual([]);
  await expectInOrder(register);
  await expectStoresAgree(register.stores);
});

/** Expects the snapshots of officers to have been loaded before the update, and the update before the events. */
async function expectInOrder({ stores }: TestRegister): Promise<void> {
  const loads = await fetchLatestLoads(stores.mongo.documents, 100);
  const names = loads.toReversed().flatMap(({ surveyed = [] }) => surveyed.map(({ name }) => name));
  const placeOf = (path: string) => names.indexOf(basename(path));
  const officers = OFFICERS.map(placeOf);
  const all = [UPDATE, ...SOME_STREAMS].map(placeOf);
  expect(Math.min(...officers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...officers)).toBeLessThan(placeOf(UPDATE));
  expect(Math.min(...all)).toBe(placeOf(UPDATE));
}

it("puts the other parts back when one is broken, and loads them with a good one", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const [first = "", last = ""] = PSC;
  drop(inbox, first);
  writeFileSync(join(inbox, basename(last)), readFileSync(last, "utf8").split("\n").slice(0, 30).join("\n"));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  expect(listInbox(inbox)).toEqual([basename(first)]);
  expect(listPutAway(inbox, "failed")).toMatchObject([{ files: [basename(last)] }]);
  const waiting = await once(register, inbox);
  expect(waiting).toMatchObject({
    exitCode: 0,
    messages: [`${basename(first)} waits: 1 of the 2 parts of its edition are there`],
  });
  drop(inbox, last);
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done")).toMatchObject([{ files: PSC.map((path) => basename(path)) }]);
});

it("reports refused rows by exit code and report, and loads no unfinished file", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const unfinished = ["part", "tmp", "crdownload", "filepart", "partial", "download"].map(
    (end) => `a.csv.${end}`,
  );
  for (const name of [".hidden.csv", ...unfinished, "report.json"])
    copyFileSync(PARTS[0] ?? "", join(inbox, name));
  writeFileSync(join(inbox, "empty.tmp.csv"), "");
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  drop(inbox, `${SAMPLE}/companies/edge-cases/bad-rows.csv`);
  const run = await once(register, inbox, { json: "true" });
  expect(run).toMatchObject({ exitCode: 2 });
  const [report] = listPutAway(inbox, "done");
  expect(run.printed.map((line) => JSON.parse(line) as Report)).toMatchObject([
    { load: report?.load, state: "succeeded", counts: report?.counts },
  ]);
  expect(report?.counts.refused).toBeGreaterThan(0);
  drop(inbox, `${SAMPLE}/companies/edge-cases/not-csv.csv`);
  drop(inbox, `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`);
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  expect(listPutAway(inbox, "failed")).toMatchObject([{ files: ["not-csv.csv"] }]);
  expect(listPutAway(inbox, "done")).toHaveLength(2);
  expect(readdirSync(inbox).filter((name) => /hidden|a\.csv|tmp|json/.test(name))).toHaveLength(9);
});

it("makes a daily update wait for its snapshot and for the run before it", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const later = readFileSync(UPDATE, "utf8").replace("DDDDUPDT432220261102", "DDDDUPDT432320261103");
  writeFileSync(join(inbox, "Prod198_4323.dat"), later);
  expect((await once(register, inbox)).messages).toEqual([
    "Prod198_4323.dat waits: a snapshot of all regions (ew, sc, ni) must be loaded first",
  ]);
  for (const file of OFFICERS.filter((path) => path.includes("Prod195"))) drop(inbox, file);
  const run = await once(register, inbox);
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.messages).toContain("Prod198_4323.dat waits: run 4322 must be loaded first");
  drop(inbox, UPDATE);
  expect(await once(register, inbox, { dryRun: "true" })).toMatchObject({
    printed: ["Prod198_4322.dat waits for nothing", "Prod198_4323.dat waits: run 4322 must be loaded first"],
  });
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done").map(({ files }) => files[0])).toEqual([
    "Prod195_4321_ew_1_01112026010001.dat",
    "Prod198_4322.dat",
    "Prod198_4323.dat",
  ]);
});

it("with --complete removes what a whole edition no longer has, and loads other files too", async () => {
  const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
  const inbox = newInbox();
  writeEdition(inbox, "BasicCompanyDataAsOneFile-2026-11-01.csv", (_row, index) => index < 40);
  expect(await once(register, inbox, { complete: "true" })).toMatchObject({ exitCode: 0 });
  writeEdition(inbox, "BasicCompanyDataAsOneFile-2026-12-01.csv", (_row, index) => index < 30);
  drop(inbox, `${SAMPLE}/companies/dissolved-extract.csv`);
  expect(await once(register, inbox, { complete: "true" })).toMatchObject({ exitCode: 0 });
  expect(listPutAway(inbox, "done")).toMatchObject([{ retired: 0 }, { retired: 10 }, {}]);
  const ew = SNAPSHOTS.find((file) => file.includes("Prod195_4321_ew")) ?? "";
  drop(inbox, ew);
  const { exitCode, messages } = await once(register, inbox, { complete: "true" });
  expect(exitCode).toBe(0);
  expect(messages[0]).toMatch(/^Prod195_4321_ew\S+ waits: --complete: no file is named for sc, ni/);
  drop(inbox, ew, basename(ew).replace("ew_1", "ew_3"));
  expect((await once(register, inbox, { complete: "true" })).messages[0]).toMatch(
    /^Prod195_4321_ew_1\S+, Prod195_4321_ew_3\S+ waits: part ew_2 of its edition is missing$/,
  );
});

it("refuses a second watch of the folder under any path", async () => {
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
    /nowhere cannot be watched: there is no such folder$/,
  );
  const other = newInbox();
  writeFileSync(join(other, "done"), "a file");
  expect((await once(register, other)).error?.message).toMatch(/cannot be watched: .*EEXIST/);
});

it("loads the files of a stopped load again", async () => {
  const register = await newRegister({ BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" });
  const inbox = newInbox();
  for (const path of PARTS) drop(inbox, path);
  const stop = watch(register, inbox);
  await waitUntil(
    async () => (await register.stores.mongo.documents.list("changes", {}, 5)).length > 3,
    "batches are written",
  );
  expect(await stop()).toMatchObject({ exitCode: 0 });
  expect(listInbox(inbox)).toEqual(PARTS.map((path) => basename(path)));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 0 });
  const [report] = listPutAway(inbox, "done");
  expect(report?.counts.read).toBe(200);
  expect(report?.counts.written).toBeLessThan(200);
  expect(await countCompanies(register)).toBe(200);
});

it("moves the files of a cancelled load to failed", async () => {
  // Without a worker, the load cannot end before it is cancelled.
  const register = await newRegister({ BATCH_ROWS: "10", QUEUE_DEPTH: "2" }, false);
  const inbox = newInbox();
  for (const path of PARTS) drop(inbox, path);
  const run = once(register, inbox);
  let id = "";
  await waitUntil(async () => {
    id = (await fetchLatestLoads(register.stores.mongo.documents))[0]?._id ?? "";
    return id !== "";
  }, "the load is known");
  expect(await register.run(loadsCommands.cancel, [id])).toMatchObject({ exitCode: 0 });
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(listPutAway(inbox, "failed")).toMatchObject([
    { load: id, files: PARTS.map((path) => basename(path)) },
  ]);
});

it("leaves a failed load where load --resume finds its files", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  writeEdition(inbox, "bad.csv", () => true);
  const bad = join(inbox, "bad.csv");
  writeFileSync(bad, readFileSync(bad, "utf8").replaceAll(/,"(\d{8})",/g, ',"no number",'));
  expect(await once(register, inbox)).toMatchObject({ exitCode: 1 });
  const [{ load: id = "", reason } = {}] = listPutAway(inbox, "failed") as Partial<Report>[];
  expect(reason).toMatch(`load --resume ${id} --force`);
  expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 2 });
  const { printed } = await register.run(refusedRowsCommands.list, [id], { json: "true" });
  expect(new Set(printed.map((line) => (JSON.parse(line) as { file: string }).file))).toEqual(new Set([bad]));
  expect((await register.run(loadsCommands.show, [id])).printed.join("\n")).toMatch(
    `${join("failed", id, "bad.csv")} (company-csv, 200 rows)`,
  );
});

it.each([
  ["", {}],
  [", even with --complete", { complete: "true" }],
])(
  "loads the part that is left of an edition after the watch was killed while moving files%s",
  async (_what, options) => {
    const register = await newRegister();
    const inbox = newInbox();
    for (const path of PSC) drop(inbox, path);
    expect(await once(register, inbox, options)).toMatchObject({ exitCode: 0 });
    const [{ load: id = "" } = {}] = listPutAway(inbox, "done") as Partial<Report>[];
    const name = basename(PSC[1] ?? "");
    renameSync(join(inbox, "done", id, name), join(inbox, name));
    expect(await once(register, inbox, options)).toMatchObject({ exitCode: 0 });
    const done = listPutAway(inbox, "done");
    expect(done.map(({ files }) => files)).toEqual([[basename(PSC[0] ?? "")], [name]]);
    expect(done[1]?.counts.written).toBe(0);
  },
);

it("leaves a file that is replaced during its load in the folder, and loads it again", async () => {
  const register = await newRegister({ BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" });
  const inbox = newInbox();
  const [part = ""] = PARTS;
  drop(inbox, part, "companies 1.csv");
  const run = once(register, inbox);
  await waitUntil(
    async () => (await register.stores.mongo.documents.list("changes", {}, 5)).length > 3,
    "batches are written",
  );
  drop(inbox, part, "companies 1.csv");
  const { exitCode, messages } = await run;
  expect(exitCode).toBe(0);
  expect(messages).toContain("companies 1.csv: changed or removed during the load");
  expect((await register.run(loadsCommands.list, [])).printed).toHaveLength(2);
  expect(listPutAway(inbox, "done")).toMatchObject([{ files: ["companies 1.csv"], counts: { written: 0 } }]);
});

it("loads by day, updates after snapshots, and events last", async () => {
  const register = await newRegister();
  const inbox = newInbox();
  const later = readFileSync(UPDATE, "utf8").replace("DDDDUPDT432220261102", "DDDDUPDT432320261103");
  writeFileSync(join(inbox, "Prod198_4323.dat"), later);
  for (const file of IN_ORDER.flat().toReversed()) drop(inbox, file);
  drop(inbox, `${SAMPLE}/companies/edge-cases/not-csv.csv`);
  const { printed } = await once(register, inbox, { dryRun: "true", json: "true" });
  const groups = printed.map((line) => (JSON.parse(line) as { files: string[] }).files);
  const indexOf = (name: string) => groups.findIndex((files) => files.some((file) => file.includes(name)));
  expect(groups.find((files) => files.includes(basename(PSC[0] ?? "")))).toHaveLength(2);
  expect(groups.find((files) => files[0]?.startsWith("Prod195"))?.length).toBeGreaterThan(2);
  const inOrder = [
    "Prod195",
    "Prod198_4322",
    "Prod198_4323",
    "dissolved",
    basename(STREAMS[0] ?? ""),
    "not-csv",
  ];
  expect(inOrder.map(indexOf).toSorted((a, b) => a - b)).toEqual(inOrder.map(indexOf));
  expect(existsSync(join(inbox, "done"))).toBe(false);
});

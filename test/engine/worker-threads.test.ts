/** A worker process: its threads share batches, its port shows the counts of all, and it stops after whole batches. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openQueue } from "../../ingest/queue/queue.ts";
import { buildRegister } from "../support/faults/build.ts";
import { startWorker, type Program } from "../support/faults/processes.ts";
import { addWorker } from "../support/further-worker.ts";
import { writeFile } from "../support/load-command.ts";
import { findFreePort } from "../support/operator.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { sampleOf } from "../support/scrape.ts";

const folder = makeOwnFolder();
const THREADS = 2;
// Small batches, so that the sample has several for each place of the queue.
const SETTINGS = { BATCH_ROWS: "15", QUEUE_DEPTH: "8", WORKER_THREADS: String(THREADS) };

let build = "";
let register: TestRegister;
let worker: Program;
let port = 0;
beforeAll(async () => {
  build = buildRegister();
  port = Number(await findFreePort());
  register = await openRegister({ settings: SETTINGS, withWorker: false });
  worker = await startWorker(build, { ...register.config, WORKER_PORT: port });
}, 120_000);
afterAll(async () => {
  worker.kill("SIGKILL");
  await worker.ended;
  await register.close();
});

interface Written {
  thread: number;
  read: number;
  written: number;
}

/** The logged facts about each batch. */
function batchesIn(log: string): Written[] {
  return [...log.matchAll(/^.*"msg":"batch written".*$/gm)].map(([line]) => JSON.parse(line) as Written);
}

it("each thread writes batches, and the process's port shows the rows of all threads", async () => {
  expect(await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip")).toMatchObject({
    exitCode: 0,
  });
  const batches = batchesIn(worker.readOutput());
  expect(new Set(batches.map(({ thread }) => thread)).size).toBe(THREADS);
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const source = "company-csv";
  const sum = (member: "read" | "written") => batches.reduce((all, batch) => all + batch[member], 0);
  expect(sum("read")).toBeGreaterThan(batches.length);
  const outcomes = ["written", "removed", "unchanged", "refused", "skipped"];
  const rows = outcomes.map((outcome) => sampleOf(page, "rows_total", { source, outcome }) ?? 0);
  expect(rows.reduce((all, count) => all + count, 0)).toBe(sum("read"));
  expect(sampleOf(page, "rows_total", { source, outcome: "written" })).toBe(sum("written"));
});

it("ends with 0 on the stop signal, and leaves no batch behind", async () => {
  const before = batchesIn(worker.readOutput()).length;
  const load = register.load("officers/Prod195_4321_ew_1_01112026010001.dat");
  await worker.waitForLines("batch written", before + 1, 60_000);
  worker.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  // Every batch taken has been written, so the next worker need not take over any.
  const queue = openQueue(register.stores.redis, register.config.QUEUE_PREFIX);
  expect(await queue.getActiveCount()).toBe(0);
  await queue.close();
  const stop = addWorker(register);
  expect((await load).exitCode).toBe(0);
  await stop();
});

it("ends with 1 if a thread fails, so that its supervisor starts it again", async () => {
  const module = `import { isMainThread } from "node:worker_threads";
    if (!isMainThread) throw new Error("out of memory");`;
  const preloaded = writeFile(folder, "failing-threads.mjs", module);
  const before = ["/usr/bin/env", `NODE_OPTIONS=--import=${preloaded}`];
  await expect(startWorker(build, register.config, before)).rejects.toThrow(
    /it ended with 1 before[^]*out of memory[^]*thread failed/,
  );
});

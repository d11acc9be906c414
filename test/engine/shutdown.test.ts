/** How a worker stops: with a running batch, and without Redis. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { within } from "../../api/shared/runtime/deadlines.ts";
import { startWorker } from "../../ingest/worker.ts";
import { buildRegister } from "../support/faults/build.ts";
import { startWorker as startProcess } from "../support/faults/processes.ts";
import { addWorker } from "../support/further-worker.ts";
import { openRegister, testConfig } from "../support/register.ts";

const FILE = "companies/edge-cases/no-final-newline-lf.csv";
const log = createLogger("silent", "worker");

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe("a worker told to stop", () => {
  it.each([
    ["waits for its running batch", 5_000, true],
    ["waits no longer than it may", 200, false],
  ])("%s", async (_what, granted, isOrderly) => {
    const register = await openRegister({ withWorker: false });
    closers.push(register.close);
    const stores = openStores(register.config, { forWorker: true });
    closers.push(() => closeStores(stores));
    const { elasticsearch } = stores;
    let startWriting: () => void = () => undefined;
    let endWriting: () => void = () => undefined;
    const isWriting = new Promise<void>((resolve) => (startWriting = resolve));
    const mayEnd = new Promise<void>((resolve) => (endWriting = resolve));
    const write: typeof elasticsearch.write = async (...given) => {
      startWriting();
      await mayEnd;
      return elasticsearch.write(...given);
    };
    const stop = startWorker(register.config, { ...stores, elasticsearch: { ...elasticsearch, write } }, log);
    const loading = register.load(FILE);
    await isWriting;
    const ending = within(granted, stop()).then(
      () => true,
      () => false,
    );
    if (isOrderly) endWriting();
    expect(await ending).toBe(isOrderly);
    endWriting();
    // This test's process lives on, so the batch still ends; the next worker lets the search follow it.
    const stopNext = addWorker(register);
    expect(await loading).toMatchObject({ exitCode: 0 });
    await Promise.all([stop(), stopNext()]);
  });

  it("is not delayed by a Redis that is unavailable", async () => {
    const build = buildRegister();
    // Nothing listens on port 1.
    const config = testConfig({ REDIS_URL: "redis://127.0.0.1:1", SHUTDOWN_MS: "500", WORKER_THREADS: "1" });
    const worker = await startProcess(build, config);
    closers.push(() => {
      worker.kill("SIGKILL");
      return worker.ended;
    });
    await worker.waitForLines("queue unavailable", 1, 10_000);
    // Within this time the worker finds Redis unavailable several times.
    await sleep(2_000);
    const lines = worker
      .readOutput()
      .split("\n")
      .filter((line) => line.includes("queue unavailable"));
    const said = lines.map((line) => JSON.parse(line) as { thread: number; reason: string });
    const faults = said.map(({ thread, reason }) => `${thread}: ${reason}`);
    expect(faults).toEqual([...new Set(faults)]);
    worker.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  }, 30_000);
});

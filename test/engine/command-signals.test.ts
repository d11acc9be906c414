/** How a command stops: Ctrl-C arrives from the terminal, and again from the programs that started the command. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { openQueue } from "../../ingest/queue/queue.ts";
import { buildRegister } from "../support/faults/build.ts";
import { startCommand, type Program } from "../support/faults/processes.ts";
import { COMPANIES } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
let build = "";
let register: TestRegister;
beforeAll(async () => {
  build = buildRegister();
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

/** Starts a watch of a folder, which runs until it is stopped; waits until the watch has its lock. */
async function startWatch(): Promise<Program> {
  const watch = startCommand(build, register.config, ["watch", folder]);
  const { locks } = register.stores.redis;
  await waitUntil(
    async () => (await locks.list()).some((name) => name.startsWith("watch:")),
    "the watch has its lock",
    60_000,
  );
  return watch;
}

it("a watch stops cleanly when one Ctrl-C arrives three times", async () => {
  const watch = await startWatch();
  for (const pauseMs of [20, 50, 0]) {
    watch.kill("SIGINT");
    await sleep(pauseMs);
  }
  expect(await watch.ended).toBe(0);
  expect(watch.readOutput()).toContain("stopped; files that were not loaded are still in the folder");
  expect(watch.readOutput().match(/press Ctrl-C again/g)).toHaveLength(1);
});

// Ctrl-C that also ends `tee` takes the same path: one function handles all signals.
it("a load stops cleanly when its terminal closes and nobody reads its output", async () => {
  const { mongo, redis } = register.stores;
  const load = startCommand(build, register.config, ["load", COMPANIES]);
  const queue = openQueue(redis, register.config.QUEUE_PREFIX);
  // No worker runs, so the load waits for its batches.
  await waitUntil(async () => (await queue.count()) > 0, "the load has queued a batch", 60_000);
  await queue.close();
  load.stopReading();
  load.kill("SIGHUP");
  expect(await load.ended).toBe(1);
  const [latest] = await fetchLatestLoads(mongo.documents);
  expect(latest).toMatchObject({
    state: "failed",
    reason: expect.stringMatching(/^stopped; batches/) as unknown,
  });
  expect(await redis.locks.list()).toEqual([]);
});

it("a command ends with its own exit code, which is 2 after refused rows", async () => {
  const bad = `${SAMPLE}/companies/edge-cases/bad-rows.csv`;
  expect(await startCommand(build, register.config, ["load", bad, "--dry-run"]).ended).toBe(2);
});

it("a command whose output is not read to the end does not report success", async () => {
  const settings = startCommand(build, register.config, ["settings"]);
  settings.stopReading();
  expect(await settings.ended).toBe(1);
});

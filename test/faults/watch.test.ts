/** The watch of a folder is killed, or loses Redis; no file in the folder may be lost. */
import { mkdtempSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, jest } from "@jest/globals";
import { openFaultProxy, type FaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { startCommand } from "../support/faults/processes.ts";
import { countCompanies, load, PARTS } from "../support/load-command.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";
import { drop, IN_ORDER, listPutAway, once, watchesPerTest } from "../support/watched-folder.ts";
import { openFaultBench } from "./run-faults.ts";

jest.setTimeout(300_000);

const bench = openFaultBench();
const openRegister = registersPerTest();
const newRegister = (settings: Record<string, string> = {}) =>
  openRegister({ ...bench.engines.addresses, ...settings });
const watch = watchesPerTest();
const proxies: FaultProxy[] = [];
afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));
const newInbox = () => mkdtempSync(join(bench.folder, "inbox-"));

it("waits while a store is unavailable, and then continues the load", async () => {
  const proxy = await openFaultProxy(bench.engines.addresses.REDIS_URL);
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
  const { messages } = await stop();
  expect(messages.join("\n")).toMatch(/redis is not available: .*; the watch tries again in 10 s/);
  expect(listPutAway(inbox, "done")).toMatchObject([{ counts: { read: 200 } }]);
  expect(await countCompanies(register)).toBe(200);
});

it("loses nothing when it is killed again and again", async () => {
  const register = await newRegister({ BATCH_ROWS: "20", LOCK_MS: "2000" });
  const inbox = newInbox();
  for (const file of IN_ORDER.flat().reverse()) drop(inbox, file);
  for (const [words, count] of [
    ["rows read as", 1],
    ["moved to", 1],
    ["read  ", 3],
    ["moved to", 4],
  ] as const) {
    const program = startCommand(bench.build, register.config, ["watch", inbox, "--rest", "1"]);
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
});

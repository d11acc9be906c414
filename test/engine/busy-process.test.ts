/** A process too busy to read an answer does not conclude that the store is silent. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, it } from "@jest/globals";
import { gateStore } from "../../api/shared/stores/operations.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { testConfig } from "../support/register.ts";

const stores = openStores(testConfig());
afterAll(() => closeStores(stores));

// Longer than the gate waits for an answer, including the extra time that it grants.
const BUSY_MS = 2_500;

/** Blocks the event loop, as building many large pages or a paused machine would. */
async function beBusy(): Promise<void> {
  await nextTurn();
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
}

it.each([
  ["mongodb", stores.mongo],
  ["elasticsearch", stores.elasticsearch],
  ["redis", stores.redis],
] as const)("a busy process keeps its running operations on %s", async (store, { ping, close }) => {
  await ping();
  const changes: unknown[] = [];
  let end: () => void = () => undefined;
  const slow = new Promise<string>((resolve) => (end = () => resolve("its answer")));
  const pingMeanwhile = async (withinMs: number) => {
    const pinged = ping(withinMs);
    await Promise.allSettled([pinged, beBusy()]);
    // The operation ends only after the gate has decided.
    void nextTurn().then(nextTurn).then(end);
    await pinged;
  };
  const gated = gateStore(
    { ping: pingMeanwhile, close, answerSlowly: () => slow },
    { store, onChange: (_store, reason) => changes.push(reason) },
  );
  await expect(gated.answerSlowly()).resolves.toBe("its answer");
  expect(changes).toEqual([]);
});

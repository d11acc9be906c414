/** A process that has no time to read an answer does not take the store for one that is silent. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, it } from "@jest/globals";
import { gateStore } from "../../api/shared/stores/operations.ts";
import { closeStores, openStores } from "../../api/shared/stores/index.ts";
import { testConfig } from "../support/register.ts";

const stores = openStores(testConfig());
afterAll(() => closeStores(stores));

// Longer than the gate waits for an answer and what it would grant after that.
const BUSY_MS = 2_500;

/** As the answers of many large pages that are made one after the other, or a machine that was paused. */
async function beBusy(): Promise<void> {
  await nextTurn();
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
}

it.each([
  ["mongodb", stores.mongo],
  ["elasticsearch", stores.elasticsearch],
  ["redis", stores.redis],
] as const)("of %s: what is under way goes on", async (store, { ping, close }) => {
  await ping();
  const changes: unknown[] = [];
  let end: () => void = () => undefined;
  const slow = new Promise<string>((resolve) => (end = () => resolve("its answer")));
  const pingMeanwhile = async (withinMs: number) => {
    const asked = ping(withinMs);
    await Promise.allSettled([asked, beBusy()]);
    // After the gate has judged.
    void nextTurn().then(nextTurn).then(end);
    await asked;
  };
  const gated = gateStore(
    { ping: pingMeanwhile, close, answerSlowly: () => slow },
    { store, onChange: (_store, reason) => changes.push(reason) },
  );
  await expect(gated.answerSlowly()).resolves.toBe("its answer");
  expect(changes).toEqual([]);
});

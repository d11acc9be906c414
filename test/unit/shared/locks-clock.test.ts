/** When a process asks Redis whether a lock is still its own. */
import { afterEach, beforeEach, expect, it, jest } from "@jest/globals";
import { openLocks } from "../../../api/shared/stores/redis/locks.ts";

const heldMs = 30_000;
const [wallClock, sinceStart] = [jest.spyOn(Date, "now"), jest.spyOn(performance, "now")];

beforeEach(() => {
  wallClock.mockReturnValue(1_000_000_000);
  sinceStart.mockReturnValue(1_000);
});
afterEach(() => void jest.clearAllMocks());

/** A lock that was taken now, and its requests to Redis since. */
async function takeLock() {
  const evaluate = jest.fn(() => Promise.resolve(1));
  const connection = { eval: evaluate } as unknown as Parameters<typeof openLocks>[0];
  const lock = await openLocks(connection, { key: "locks", heldMs }, (operation) => operation()).acquire("a");
  evaluate.mockClear();
  return { isKept: lock?.isKept, evaluate };
}

it.each([
  ["at once", { wall: 10, own: 10 }, 0],
  ["after the time for which it holds", { wall: heldMs, own: heldMs }, 1],
  // The machine was suspended, so the clock of the process stood still.
  ["after a suspension", { wall: heldMs, own: 10 }, 1],
  ["when the clock was set back meanwhile", { wall: -3_600_000, own: heldMs }, 1],
  ["when the clock was set back, by less than it holds", { wall: -10_000, own: heldMs }, 1],
])("%s", async (_, { wall, own }, asked) => {
  const { isKept, evaluate } = await takeLock();
  wallClock.mockReturnValue(1_000_000_000 + wall);
  sinceStart.mockReturnValue(1_000 + own);
  expect(await isKept?.()).toBe(true);
  expect(evaluate).toHaveBeenCalledTimes(asked);
});

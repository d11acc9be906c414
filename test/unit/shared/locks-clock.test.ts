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
  ["does not ask right after the lock was taken", { wall: 10, monotonic: 10 }, 0],
  ["asks after the time for which the lock lasts", { wall: heldMs, monotonic: heldMs }, 1],
  // The monotonic clock of a process stands still while the machine is suspended.
  ["asks after the machine was suspended for that time", { wall: heldMs, monotonic: 10 }, 1],
  ["asks after that time even if the clock was set back", { wall: -3_600_000, monotonic: heldMs }, 1],
  ["asks after that time even if the clock was set back by less", { wall: -10_000, monotonic: heldMs }, 1],
])("a process %s", async (_title, { wall, monotonic }, requests) => {
  const { isKept, evaluate } = await takeLock();
  wallClock.mockReturnValue(1_000_000_000 + wall);
  sinceStart.mockReturnValue(1_000 + monotonic);
  expect(await isKept?.()).toBe(true);
  expect(evaluate).toHaveBeenCalledTimes(requests);
});

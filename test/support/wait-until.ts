/** Owns the wait of a test for what other processes, or timers, will bring about. */
import { setTimeout as pause } from "node:timers/promises";

const DEADLINE_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Waits until a claim holds; throws with its words, `what`, when it does not in time, by default twenty seconds. */
export async function waitUntil(
  holds: () => Promise<boolean>,
  what: string,
  withinMs = DEADLINE_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

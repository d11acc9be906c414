/** Waits in tests for what other processes or timers do. */
import { setTimeout as pause } from "node:timers/promises";

const DEADLINE_MS = 20_000;
const LOOK_MS = 50;

/**
 * Waits until a condition holds, which it checks every `lookMs`. After a deadline, by default 20 seconds, throws an
 * error that names the condition as `what`.
 */
export async function waitUntil(
  holds: () => Promise<boolean> | boolean,
  what: string,
  withinMs = DEADLINE_MS,
  lookMs = LOOK_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await pause(lookMs);
  }
}

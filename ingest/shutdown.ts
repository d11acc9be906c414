/** Owns how long an orderly stop may take. */
import { LateError, within } from "../api/core/within.ts";

/** Runs `stop`; false when it had not ended after so many milliseconds, and is left to itself. */
export async function endsWithin(milliseconds: number, stop: () => Promise<unknown>): Promise<boolean> {
  try {
    await within(milliseconds, stop());
    return true;
  } catch (error) {
    if (error instanceof LateError) return false;
    throw error;
  }
}

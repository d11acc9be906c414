/** Owns the reading of a whole number that was given as an option. Pure. */
import { CommandError } from "../runtime/errors.ts";

// As many as a counted thing can have; timepoints of streams have more.
const MOST = 999_999_999;

/** The number that the text of an option is, from `least` to `most`. `flag`: as it is typed. Throws CommandError. */
export function parseWholeNumber(flag: string, text: string, least: number, most = MOST): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new CommandError(`${flag} must be a whole number from ${least} on, not "${text}"`);
}

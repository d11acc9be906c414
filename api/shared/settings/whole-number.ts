/** Owns the reading of a whole number that was given as an option. Pure. */
import { CommandError } from "../runtime/errors.ts";

// Limit: nine digits, as many as any option can use.
const DIGITS = /^\d{1,9}$/;

/** The number that the text of an option is, `least` or more. `flag`: as it is typed. Throws CommandError. */
export function parseWholeNumber(flag: string, text: string, least: number): number {
  const value = DIGITS.test(text) ? Number(text) : NaN;
  if (value >= least) return value;
  throw new CommandError(`${flag} must be a whole number from ${least} on, not "${text}"`);
}

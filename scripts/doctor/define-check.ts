/** The type of the checks of `doctor`. Each says what it found, and how to repair it. */
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";

/** What a check may use. */
export interface CheckContext {
  config: Config;
  stores: Stores;
  /** Our clock, in milliseconds. */
  now: () => number;
}

/** What a check found. */
export interface Finding {
  /** `warn`: it works, but somebody should look at it; `fail`: something does not work, or soon will not. */
  verdict: "ok" | "warn" | "fail";
  /** What was found, in a few words. */
  found: string;
  /** What to do about it; absent if the verdict is `ok`. */
  hint?: string;
}

/**
 * Checks by title. A title is a noun that fits every verdict: `Disk of MongoDB`. A check changes nothing, and throws
 * UnavailableError if a store does not answer.
 */
export type Checks = Record<string, (patient: CheckContext) => Promise<Finding>>;

/** All is well. */
export function ok(found: string): Finding {
  return { verdict: "ok", found };
}

/** Somebody should look. */
export function warn(found: string, hint: string): Finding {
  return { verdict: "warn", found, hint };
}

/** Something does not work. */
export function fail(found: string, hint: string): Finding {
  return { verdict: "fail", found, hint };
}

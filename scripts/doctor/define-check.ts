/** Owns the type of checks: questions of `doctor`, each of which says what it found and how to mend it. */
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";

/** What a check may use. */
export interface Patient {
  config: Config;
  stores: Stores;
  /** Our clock, in milliseconds. */
  now: () => number;
}

/** What a check found. */
export interface Finding {
  /** `warn`: it works, but somebody should look; `fail`: something does not work, or soon will not. */
  verdict: "ok" | "warn" | "fail";
  /** What was found, in a few words. */
  found: string;
  /** What to do about it; there unless all is well. */
  hint?: string;
}

/**
 * Checks by what is checked, in a noun that fits every verdict: `Disk of MongoDB`. They change nothing, and throw
 * UnavailableError when a store does not answer.
 */
export type Checks = Record<string, (patient: Patient) => Promise<Finding>>;

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

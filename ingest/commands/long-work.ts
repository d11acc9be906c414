/** Owns what commands that work for long have in common: their patience with stores, and their words on a lock that is held. */
import type { Config } from "../../api/core/config.ts";
import type { CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Patience } from "../patient-stores.ts";

// Two minutes, as the settings stand by themselves.
const PATIENCE_TIMEOUTS = 4;

/** A store may be away for about as long as batches are tried again. `work`: what waits meanwhile, for people. */
export function patienceOf(
  { config, isStopping, tell }: CommandContext,
  work: "load" | "reindex" | "comparison",
): Patience {
  const patienceMs = PATIENCE_TIMEOUTS * config.STORE_TIMEOUT_MS;
  const seconds = Math.round(patienceMs / 1_000);
  const onAway = ({ message }: Error) => tell(`${message}; the ${work} waits for it, ${seconds} s at most`);
  return { patienceMs, isStopping, onAway };
}

/** What is thrown when another process holds the lock. `work`: what it does there, for people: `a reindex`. */
export function heldElsewhere(config: Pick<Config, "LOCK_MS">, work: string): CommandError {
  return new CommandError(
    `${work} is under way in another process, or was until just now: one that was killed counts for ` +
      `${lockSeconds(config)} s more. Run this again then`,
  );
}

/** How long a killed process holds its lock at most, in seconds, for people. */
export function lockSeconds({ LOCK_MS }: Pick<Config, "LOCK_MS">): number {
  return Math.ceil(LOCK_MS / 1_000);
}

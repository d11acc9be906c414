/** Owns what commands that work for long share: patience with stores, words on a lock, a line that tells how far they are. */
import { formatCount, formatDuration } from "../../api/core/format.ts";
import type { Config } from "../../api/core/config.ts";
import type { CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Patience } from "../patient-stores.ts";
import type { Observer } from "../verify/compare-index.ts";

// Two minutes, as the settings stand by themselves.
const PATIENCE_TIMEOUTS = 4;

/** A store may be away for about as long as batches are tried again. `work`: what waits meanwhile, for people. */
export function patienceOf({ config, isStopping, tell }: CommandContext, work: string): Patience {
  const patienceMs = PATIENCE_TIMEOUTS * config.STORE_TIMEOUT_MS;
  const seconds = Math.round(patienceMs / 1_000);
  const onAway = ({ message }: Error) => tell(`${message}; the ${work} waits for it, ${seconds} s at most`);
  return { patienceMs, isStopping, onAway };
}

/** What is thrown when another process holds the lock. `work`: what it does, for people: `a reindex`. */
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

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

interface Progress {
  /** Its name, for people. */
  what: string;
  unit?: string;
  /** The share that is done, from 0 to 1; undefined: not known. */
  shareOf: (done: number) => number | undefined;
}

/**
 * Shows how far work is (`12,000 rows, 8,500 rows/s, 43 %, 12 s left`): drawn over on a terminal, a line every ten seconds
 * elsewhere; `end` takes the line away.
 */
export function showProgress(
  { isTerminal, tell }: Pick<CommandContext, "isTerminal" | "tell">,
  { what, unit = "rows", shareOf }: Progress,
) {
  const startedAt = performance.now();
  let rows = 0;
  const show = () => {
    const seconds = Math.max(performance.now() - startedAt, 1) / 1_000;
    const parts = [`${formatCount(rows)} ${unit}`, `${formatCount(Math.round(rows / seconds))} ${unit}/s`];
    const share = shareOf(rows) ?? 0;
    if (share > 0)
      parts.push(`${Math.floor(share * 100)} %`, `${formatDuration((seconds / share) * (1 - share))} left`);
    const text = `${what}: ${parts.join(", ")}`;
    if (isTerminal) process.stderr.write(`\r${text}\u001b[K`);
    else tell(text);
  };
  const timer = setInterval(show, isTerminal ? TERMINAL_MS : LOG_MS).unref();
  return {
    onProgress: (done: number) => void (rows = done),
    end: () => {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\r\u001b[K");
    },
  };
}

/** Shows how far work is that goes through documents. */
export function observe(context: CommandContext): Observer {
  const watch: Observer["watch"] = (what, total) => {
    const shareOf = (done: number) => (total > 0 ? Math.min(done / total, 1) : undefined);
    return showProgress(context, { what, unit: "documents", shareOf });
  };
  return { onNote: context.tell, isStopping: context.isStopping, watch };
}

/** Shared by commands that run for long: retries, locks and progress. */
import { formatCount, formatDuration } from "../../api/core/format.ts";
import type { Config } from "../../api/core/config.ts";
import type { CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { Patience } from "../patient-stores.ts";
import type { Observer } from "../verify/compare-index.ts";

// Two minutes with the default settings.
const PATIENCE_TIMEOUTS = 4;

/** A store may be away for about as long as batches are retried. `work`: for people: `load`. */
export function patienceOf({ config, isStopping, tell }: CommandContext, work: string): Patience {
  const patienceMs = PATIENCE_TIMEOUTS * config.STORE_TIMEOUT_MS;
  const onAway = ({ message }: Error) =>
    tell(`${message}; the ${work} waits for it, about ${formatDuration(patienceMs / 1_000)}`);
  return { patienceMs, isStopping, onAway };
}

/** The error when another process holds the lock. `work`: for people: `a reindex`. */
export function heldElsewhere(config: Pick<Config, "LOCK_MS">, work: string): CommandError {
  return new CommandError(
    `${work} is under way in another process, or was until just now: a killed one holds its lock for ` +
      `${lockSeconds(config)} s more. Run this again then`,
  );
}

export function lockSeconds({ LOCK_MS }: Pick<Config, "LOCK_MS">): number {
  return Math.ceil(LOCK_MS / 1_000);
}

/** Name of the lock that `loads cancel` holds until the load has stopped. */
export const cancelLock = (load: string) => `cancel:${load}`;

const CANCEL_LOOK_MS = 1_000;

/** Makes `loads cancel` stop a load as Ctrl-C does, within a second, until `end`. */
export function watchCancel(
  { isStopping, tell }: Pick<CommandContext, "isStopping" | "tell">,
  { locks }: Stores["redis"],
  load: string,
) {
  let isCancelled = false;
  const look = async () => {
    if (isCancelled || !(await locks.list()).includes(cancelLock(load))) return;
    isCancelled = true;
    tell("cancelled by `loads cancel`");
  };
  const timer = setInterval(() => void look().catch(() => undefined), CANCEL_LOOK_MS).unref();
  return { isStopping: () => isCancelled || isStopping(), end: () => clearInterval(timer) };
}

const TERMINAL_MS = 200;
const LOG_MS = 10_000;

interface Progress {
  what: string;
  unit?: string;
  /** The share that is done, from 0 to 1; undefined if unknown. */
  shareOf: (done: number) => number | undefined;
}

/** Shows `12,000 rows, 8,500 rows/s, 43 %, 12 s left`: on a terminal in place, else every ten seconds. */
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

export function observe(context: CommandContext): Observer {
  const watch: Observer["watch"] = (what, total) => {
    const shareOf = (done: number) => (total > 0 ? Math.min(done / total, 1) : undefined);
    return showProgress(context, { what, unit: "documents", shareOf });
  };
  return { onNote: context.tell, isStopping: context.isStopping, watch };
}

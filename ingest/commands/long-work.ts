/** Shared by commands that run for long: retries, locks and progress. */
import { formatDuration, showLine } from "../../api/shared/runtime/format.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import type { CommandContext } from "./define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import { formatStep, Pace, type Step, type StepState, type StepHandle } from "../pace.ts";
import type { Patience } from "../patient-stores.ts";
import type { Observer } from "../verify/observer.ts";

// Two minutes with the default settings.
const PATIENCE_TIMEOUTS = 4;

/** How long to wait for an unavailable store: about as long as batches are retried. `work`: a name, such as `load`. */
export function patienceOf({ config, isStopping, tell }: CommandContext, work: string): Patience {
  const patienceMs = PATIENCE_TIMEOUTS * config.STORE_TIMEOUT_MS;
  const onUnavailable = ({ message }: Error) =>
    tell(`${message}; the ${work} waits for it, about ${formatDuration(patienceMs / 1_000)}`);
  return { patienceMs, isStopping, onUnavailable };
}

/** Runs `run` under a lock. Throws CommandError if another process holds it, naming `work`, such as `a reindex`. */
export async function underLock<Result>(
  { config }: Pick<CommandContext, "config">,
  { locks }: Pick<Stores["redis"], "locks">,
  { name, work }: { name: string; work: string },
  run: (lock: Lock) => Promise<Result>,
): Promise<Result> {
  const lock = await locks.acquire(name);
  if (!lock) throw lockedElsewhere(config, work);
  return run(lock).finally(() => lock.release().catch(() => undefined));
}

export function lockedElsewhere(config: Pick<Config, "LOCK_MS">, work: string): CommandError {
  return new CommandError(
    `${work} is under way in another process. If that process was killed, its lock ends within ` +
      `${lockSeconds(config)} s: run this again after that`,
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

const LOG_MS = 10_000;

// Tuned: a rate over half a minute needs no more samples.
const MEASURE_MS = 1_000;

/**
 * Shows a step as `formatStep` formats it: on a terminal in place, else as a line every ten seconds. `onState` gets its
 * state at once, then every second.
 */
export function showProgress(
  { isTerminal, tell }: Pick<CommandContext, "isTerminal" | "tell">,
  step: Step,
  onState: (state: StepState) => void = () => undefined,
): StepHandle {
  const pace = new Pace(step, performance.now());
  let done = 0;
  let shownAt = performance.now();
  const look = () => {
    const state = pace.measure(performance.now(), done);
    onState(state);
    if (isTerminal) process.stderr.write(`\r${cutToLine(formatStep(state))}\u001b[K`);
    else if (performance.now() - shownAt >= LOG_MS) {
      shownAt = performance.now();
      tell(formatStep(state));
    }
  };
  onState(pace.measure(performance.now(), done));
  const timer = setInterval(look, MEASURE_MS).unref();
  return {
    onProgress: (count) => void (done = count),
    end: () => {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\r\u001b[K");
    },
  };
}

/** Keeps the end of a text, which has the figures, so that it fits a line: a second line would scroll the terminal. */
function cutToLine(text: string): string {
  return showLine(text).slice(1 - (process.stderr.columns || 80));
}

/** Shows the progress and the notes of a comparison or a reindex. */
export function observe(context: CommandContext): Observer {
  const watch: Observer["watch"] = (doing, total) =>
    showProgress(context, { doing, unit: "documents", total: total || undefined });
  return { onNote: context.tell, isStopping: context.isStopping, watch };
}

/** Selects by name; all if no name is given. Throws CommandError for an unknown name of a `what`, such as `stream`. */
export function chooseNamed<Named extends { name: string }>(
  what: string,
  all: readonly Named[],
  names: readonly string[],
): Named[] {
  const unknown = names.find((name) => all.every((one) => one.name !== name));
  if (unknown !== undefined)
    throw new CommandError(
      `there is no ${what} ${unknown}; there are ${all.map(({ name }) => name).join(", ")}`,
    );
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

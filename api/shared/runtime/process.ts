/** Ends a process: because it cannot start, or on a stop signal. */
import { messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** Returns what `start` returns. If it throws, prints only the message and exits with 1. */
export function orExit<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    return exitWith(messageOf(error));
  }
}

/** Prints a sentence to standard error and exits with 1. */
export function exitWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs `stop` on the first SIGINT or SIGTERM, then exits: 0, or 1 if it failed. A second signal exits at once. */
export function onStopSignal(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    // Flushes now, so that a log that cannot be written fails before the process ends (see `openOutput` in logger.ts).
    log.flush();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ reason: messageOf(error) }, "stopped with an error");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
}

/** Owns the life of a process: what happens on a stop signal. */
import { messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** What `start` returns; when it throws, its words alone are said, and the process exits with 1. */
export function orExit<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    return exitWith(messageOf(error));
  }
}

/** Ends a process that cannot start: the sentence alone is said, and the exit code is 1. */
export function exitWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs `stop` on the first SIGINT or SIGTERM, then exits: 0 when it went well, else 1. A second signal exits at once. */
export function onStopSignal(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    // A log that cannot be written is known to be one before the process ends.
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

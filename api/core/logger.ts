/** Owns the log: one pino logger for a process, with credentials kept out of it. */
import { pino, type Logger } from "pino";

export type { Logger };

/**
 * A logger that writes JSON lines to standard output (or to `destination`). Lines not yet written are written when
 * the process ends by itself or by a signal that it hears; a process that is killed loses those of its last moment.
 */
export function createLogger(
  level: string,
  component: "api" | "worker" | "cli",
  destination?: NodeJS.WritableStream,
): Logger {
  const options = {
    level,
    base: { component },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["authorization", "*.authorization", "headers.authorization", "key", "*.key"],
  };
  // Written by a thread beside: a request that comes meanwhile does not wait for the line of the one before.
  return pino(options, destination ?? pino.destination({ sync: false }));
}

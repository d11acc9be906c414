/** Owns the log: one pino logger for a process, with credentials kept out of it. */
import { pino, type Logger } from "pino";

export type { Logger };

// A line for each request written at once would hold up the request that comes next, by a tenth of a millisecond.
const LATER = { sync: false, minLength: 4_096, periodicFlush: 200 };

/**
 * A logger that writes JSON lines to standard output (or to `destination`), at most 200 ms late. Those not yet
 * written are written when the process ends by itself or by a signal that it hears; one that is killed loses them.
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
  return pino(options, destination ?? pino.destination(LATER));
}

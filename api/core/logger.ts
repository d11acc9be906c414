/** Owns the log: one pino logger for a process, with credentials kept out of it. */
import { pino, type Logger } from "pino";

export type { Logger };

/** A logger that writes JSON lines to standard output (or to `destination`). */
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
  return destination ? pino(options, destination) : pino(options);
}

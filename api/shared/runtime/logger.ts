/** Owns the log: one pino logger for a process, with credentials kept out of it. */
import { isMainThread } from "node:worker_threads";
import { pino, type Logger } from "pino";

export type { Logger };

// A line for each request written at once would hold up the request that comes next, by a tenth of a millisecond.
const LATER = { minLength: 4_096, periodicFlush: 200 };
// Limit: while nobody takes them, lines are held up to 16 MB, some 50,000 of requests; those above it are lost.
const HELD = { sync: false, maxLength: 16_000_000 };

/**
 * A logger that writes JSON lines to standard output (or to `destination`). Those of the API are at most 200 ms late:
 * what is not yet written is when the process ends by itself or by a signal that it hears; one that is killed loses it.
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
  // Of a worker that died, its last lines are what is wanted. Silence needs no timer, which would write nothing five times a second.
  const isLate = component === "api" && !destination && level !== "silent";
  return pino(options, destination ?? openOutput(isLate ? { ...HELD, ...LATER } : HELD));
}

/** Standard output. Where it cannot be written, as on a full disk, lines are held and the process goes on. */
function openOutput(how: Parameters<typeof pino.destination>[0]) {
  const output = pino.destination(how);
  // As a process ends, pino would repeat a write that fails for ever.
  const flush = output.flushSync.bind(output);
  output.on("error", () => (output.flushSync = () => undefined));
  output.on("write", () => (output.flushSync = flush));
  // Pino does so as a process ends, but not as a thread of it does. A write under way would be given up with the thread: its
  // lines are written once more.
  if (!isMainThread) process.once("exit", () => Object.assign(output, { _writing: false }).flushSync());
  return output;
}

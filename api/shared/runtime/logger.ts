/** Creates the logger of a process (pino), which redacts credentials. */
import { isMainThread } from "node:worker_threads";
import { pino, type Logger } from "pino";

export type { Logger };

// Lines are gathered: writing each at once would delay the next request by a tenth of a millisecond.
const LATER = { minLength: 4_096, periodicFlush: 200 };
// Limit: while standard output takes nothing, 16 MB are held, some 50,000 lines of requests. Further lines are lost.
const HELD = { sync: false, maxLength: 16_000_000 };

/**
 * A logger that writes JSON lines to standard output (or to `destination`). The API's lines are up to 200 ms late.
 * Held lines are written when the process exits or handles a stop signal; a killed process loses them.
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
  // Only in the API: after a worker has died, its last lines matter most. A silent log needs no timer.
  const isLate = component === "api" && level !== "silent";
  return pino(options, destination ?? openOutput(isLate ? { ...HELD, ...LATER } : HELD));
}

/** Standard output. While it cannot be written, as on a full disk, lines are held and the process goes on. */
function openOutput(how: Parameters<typeof pino.destination>[0]) {
  const output = pino.destination(how);
  // When the process exits, pino would retry a failing write for ever.
  const flush = output.flushSync.bind(output);
  output.on("error", () => (output.flushSync = () => undefined));
  output.on("write", () => (output.flushSync = flush));
  // Pino flushes when a process exits, but not when a worker thread does. The thread's end also stops a write under
  // way, so its lines are written once more.
  if (!isMainThread) process.once("exit", () => Object.assign(output, { _writing: false }).flushSync());
  return output;
}

// The end of a run: what to stop, in which order, and on which signals.

import { say, SetupError } from "./progress.mjs";

const parentCheckMs = 1_000;

const stops = new Set();
let stopping;
let failed = false;

/** Registers `stop` for something just started, and returns a function that unregisters it. The last registered is
 * stopped first. `stop` must not throw if the thing has already ended. */
export function onStop(title, stop) {
  const entry = { title, stop };
  stops.add(entry);
  return () => stops.delete(entry);
}

/** Notes that the run failed: its logs are kept until the next start. */
export function markFailed() {
  failed = true;
}

export function hasFailed() {
  return failed;
}

/** Whether the run is ending, by a signal or after its work. */
export function isStopping() {
  return stopping !== undefined;
}

/** Throws SetupError once the run is ending, so that nothing more is started. */
export function assertNotStopping() {
  if (stopping) throw new SetupError("The run is stopping.");
}

/** Stops everything registered, in reverse order. A second call waits for the first. */
export function stopAll() {
  stopping ??= (async () => {
    while (stops.size > 0) {
      const entry = [...stops].at(-1);
      stops.delete(entry);
      try {
        await entry.stop();
      } catch (error) {
        say(`Stopping ${entry.title} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  })();
  return stopping;
}

/** Stops the run in order on Ctrl-C, SIGTERM, a closed terminal, or the end of the npm that started this process. */
export function stopOnSignals(exitCodeOf) {
  // npm passes on a Ctrl-C that the terminal has delivered already, so a second signal is ignored.
  const end = (signal) => {
    if (stopping) return;
    say(`\nStopping (${signal}) …`);
    stopAll().then(() => {
      say("Stopped.");
      process.exit(exitCodeOf(signal));
    });
  };
  handleSignals(end);
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end("SIGHUP"), parentCheckMs).unref();
}

/** Replaces all handlers of SIGINT, SIGTERM and SIGHUP by this one. */
export function handleSignals(handle) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.removeAllListeners(signal);
    process.on(signal, handle);
  }
}

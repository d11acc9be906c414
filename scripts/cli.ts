/** Entry of the CLI: runs one command, opens stores and tracing for it, and handles signals and closed terminals. */
import { createInterface } from "node:readline/promises";
import { messageOf } from "../api/shared/runtime/errors.ts";
import { orExit } from "../api/shared/runtime/process.ts";
import { readProcessConfig } from "../api/shared/settings/config.ts";
import type { CommandContext, CommandDefinition, GivenOptions } from "../ingest/commands/define-command.ts";
import { closeStores, openStores, type Stores } from "../api/shared/stores/index.ts";
import { startTracing, stopTracing } from "../api/shared/tracing/tracing.ts";
import { commands } from "./commands/index.ts";
import { explain, runProgram } from "./program.ts";

const EXIT_FAILED = 1;

// One Ctrl-C arrives up to three times: from the terminal, from npm, and from scripts/bootstrap.mjs.
const SAME_SIGNAL_MS = 500;

const firstAt = new Map<NodeJS.Signals, number>();
const isStopping = () => firstAt.size > 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    const now = performance.now();
    // Only the same signal again means "at once": a closed terminal sends SIGHUP, and npm may send SIGTERM right after
    // it.
    if (now - (firstAt.get(signal) ?? now) > SAME_SIGNAL_MS) process.exit(EXIT_FAILED);
    if (!isStopping())
      process.stderr.write(
        `\nstopping; ${signal === "SIGINT" ? "press Ctrl-C" : `send ${signal}`} again to stop at once\n`,
      );
    if (!firstAt.has(signal)) firstAt.set(signal, now);
  });
}
// The terminal may be closed, or a `tee` may have ended with the same Ctrl-C: the command still stops in good order.
process.stderr.on("error", () => undefined);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (isStopping()) return;
  // EPIPE: the reader has seen enough, as in `refused-rows list … | head`. The exit code is not 0, which would tell a
  // shell with `pipefail` that `verify` found no fault.
  if (error.code !== "EPIPE")
    process.stderr.write(`standard output cannot be written: ${messageOf(error)}\n`);
  process.exit(EXIT_FAILED);
});

process.exitCode = await main(process.argv);

async function main(argv: string[]): Promise<number> {
  let exitCode = 0;
  try {
    const ended = await runProgram(commands, argv, async (definition, args, options) => {
      exitCode = await run(definition, args, options);
    });
    return ended ?? exitCode;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return EXIT_FAILED;
  }
}

async function run(definition: CommandDefinition, args: string[], options: GivenOptions): Promise<number> {
  const config = orExit(readProcessConfig);
  let stores: Stores | undefined;
  const context: CommandContext = {
    config,
    openStores: () => (stores ??= openStores(config)),
    print: (line) => process.stdout.write(`${line}\n`),
    write: (bytes) => process.stdout.write(bytes),
    // Erases a progress line first.
    tell: (line) => process.stderr.write(`${process.stderr.isTTY ? "\r\u001b[K" : ""}${line}\n`),
    ask: askPerson,
    isTerminal: process.stderr.isTTY,
    isStopping,
  };
  const onFault = (reason: string) => context.tell(`traces not sent: ${reason}`);
  await startTracing({ config, component: "cli", onFault });
  try {
    return await definition.run(context, args, options);
  } finally {
    if (stores) await closeStores(stores);
    await stopTracing();
  }
}

/** Asks on standard error, so that standard output has only the result; null without a terminal. */
async function askPerson(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D mean No.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const answer = terminal.question(question).catch(() => "");
  return Promise.race([answer, closed]).finally(() => terminal.close());
}

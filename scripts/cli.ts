/** Entry of the CLI: runs the command that was called, with what it may use. */
import { createInterface } from "node:readline/promises";
import { readProcessConfig } from "../api/core/config.ts";
import type { CommandContext, CommandDefinition, GivenOptions } from "../api/core/define-command.ts";
import {
  CommandError,
  DeniedError,
  NotReadyError,
  SourceError,
  UnavailableError,
  messageOf,
} from "../api/core/errors.ts";
import { closeStores, openStores, type Stores } from "../api/core/stores/index.ts";
import { showText } from "../ingest/show-bytes.ts";
import { commands } from "./commands/index.ts";
import { runProgram } from "./program.ts";

const EXIT_FAILED = 1;

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(EXIT_FAILED);
    isStopping = true;
    process.stderr.write(
      `\nstopping; once more ${signal === "SIGINT" ? "Ctrl-C" : signal} to stop at once\n`,
    );
  });
}
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Who reads has seen enough: `dead-letters list … | head`.
  if (error.code === "EPIPE") process.exit();
  throw error;
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
    // A sentence may quote a file.
    process.stderr.write(`${showText(explain(error))}\n`);
    return EXIT_FAILED;
  }
}

async function run(definition: CommandDefinition, args: string[], options: GivenOptions): Promise<number> {
  const config = readProcessConfig();
  let stores: Stores | undefined;
  const context: CommandContext = {
    config,
    openStores: () => (stores ??= openStores(config)),
    print: (line) => process.stdout.write(`${line}\n`),
    write: (bytes) => process.stdout.write(bytes),
    tell: (line) => process.stderr.write(`${line}\n`),
    ask: askPerson,
    isTerminal: process.stderr.isTTY,
    isStopping: () => isStopping,
  };
  try {
    return await definition.run(context, args, options);
  } finally {
    if (stores) await closeStores(stores);
  }
}

/** Asked on standard error, so that standard output holds the result alone. */
async function askPerson(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D are a No.
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const answer = terminal.question(question).catch(() => "");
  return Promise.race([answer, closed]).finally(() => terminal.close());
}

/** What a person is told: the sentence alone where the fault is theirs or the engines', the stack where it is ours. */
function explain(error: unknown): string {
  if (error instanceof NotReadyError) return error.message;
  if (error instanceof UnavailableError || error instanceof DeniedError) {
    const setting = { mongodb: "MONGODB_URL", elasticsearch: "ELASTICSEARCH_URL", redis: "REDIS_URL" }[
      error.store
    ];
    if (error instanceof DeniedError)
      return `${error.message.replace(/\.$/, "")}. User and password stand in the setting ${setting}.`;
    return `${error.message.replace(/\.$/, "")}. Is it running? Its address is the setting ${setting}; 'npm run demo' brings up all three.`;
  }
  if (error instanceof CommandError || error instanceof SourceError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

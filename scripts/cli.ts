/** Entry of the CLI: gathers the commands, which describe themselves, and runs the one that was called. */
import { createInterface } from "node:readline/promises";
import { Command, CommanderError, Option } from "commander";
import { readProcessConfig } from "../api/core/config.ts";
import type { CommandContext, CommandDefinition, CommandOption } from "../api/core/define-command.ts";
import { CommandError, SourceError, UnavailableError, messageOf } from "../api/core/errors.ts";
import { closeStores, openStores, type Stores } from "../api/core/stores/index.ts";
import { deadLettersExportCommand } from "../ingest/commands/dead-letters-export.ts";
import { deadLettersReplayCommand } from "../ingest/commands/dead-letters-replay.ts";
import { deadLettersListCommand, deadLettersShowCommand } from "../ingest/commands/dead-letters.ts";
import { loadCommand } from "../ingest/commands/load.ts";
import { loadsListCommand, loadsShowCommand } from "../ingest/commands/loads.ts";
import { verifyCommand } from "../ingest/commands/verify.ts";
import { contractCommand } from "./commands/contract.ts";
import { keysCreateCommand } from "./commands/keys.ts";
import { prepareCommand } from "./commands/prepare.ts";

const commands: CommandDefinition[] = [
  loadCommand,
  loadsListCommand,
  loadsShowCommand,
  deadLettersListCommand,
  deadLettersShowCommand,
  deadLettersExportCommand,
  deadLettersReplayCommand,
  verifyCommand,
  prepareCommand,
  keysCreateCommand,
  contractCommand,
];

// What the commands of several words are about.
const groups: Record<string, string> = {
  "dead-letters": "The rows that loads have refused.",
  keys: "API keys.",
  loads: "What was loaded, and with what outcome.",
};

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
  const program = buildProgram(commands, (code) => (exitCode = code));
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return EXIT_FAILED;
  }
}

function buildProgram(definitions: CommandDefinition[], onExit: (code: number) => void): Command {
  const program = new Command("npm run cli --").description("Operates the company register.").exitOverride();
  for (const definition of definitions) {
    const command = addCommand(program, definition.name.split(" "));
    command.description(definition.summary).addHelpText("after", helpOf(definition));
    for (const { name, description } of definition.arguments ?? []) command.argument(name, description);
    for (const option of definition.options) command.addOption(toOption(option));
    command.action(async (...given: unknown[]) => {
      // Commander hands over the arguments, then the options, then the command itself.
      const options = given.at(-2) as Record<string, string | undefined>;
      onExit(await run(definition, given.slice(0, -2).flat() as string[], options));
    });
  }
  return program;
}

/** `keys create` is the command `create` of the command `keys`. */
function addCommand(parent: Command, words: string[]): Command {
  const [word = "", ...rest] = words;
  if (rest.length === 0) return parent.command(word).exitOverride();
  const group = parent.commands.find((known) => known.name() === word) ?? addGroup(parent, word);
  return addCommand(group, rest);
}

function addGroup(parent: Command, word: string): Command {
  return parent
    .command(word)
    .description(groups[word] ?? "")
    .exitOverride();
}

function helpOf({ details, example }: CommandDefinition): string {
  return `${details ? `\n${details}\n` : ""}\nExample:\n  npm run cli -- ${example}`;
}

function toOption({ flags, description, choices, default: preset, required }: CommandOption): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (preset !== undefined) option.default(preset);
  return option.makeOptionMandatory(required ?? false);
}

async function run(
  definition: CommandDefinition,
  args: string[],
  options: Record<string, string | undefined>,
): Promise<number> {
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
  if (error instanceof UnavailableError) {
    const setting = { mongodb: "MONGODB_URL", elasticsearch: "ELASTICSEARCH_URL", redis: "REDIS_URL" }[
      error.store
    ];
    return `${error.message.replace(/\.$/, "")}. Is it running? Its address is the setting ${setting}; 'npm run demo' brings up all three.`;
  }
  if (error instanceof CommandError || error instanceof SourceError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

/** Builds the command-line program from the definitions of commands, and words the errors that a command throws. */
import { Command, CommanderError, Option } from "commander";
import type { CommandDefinition, CommandOption, GivenOptions } from "../ingest/commands/define-command.ts";
import { showLine } from "../api/shared/runtime/format.ts";
import {
  CommandError,
  DeniedError,
  NotReadyError,
  SourceError,
  UnavailableError,
  messageOf,
} from "../api/shared/runtime/errors.ts";

const IN_SCRIPTS = "\nIn scripts: npm run --silent cli -- ..., or node dist/scripts/cli.js ...";

/** Runs a command with the arguments and options that the command line gave. */
type CommandRunner = (command: CommandDefinition, args: string[], options: GivenOptions) => Promise<void>;

/**
 * Reads a command line (in the form of `process.argv`) and runs the command that it names; then returns null. Returns
 * an exit code if no command ran: the line asked for help, or was wrong (Commander has written why to standard error).
 */
export async function runProgram(
  definitions: readonly CommandDefinition[],
  argv: readonly string[],
  run: CommandRunner,
): Promise<number | null> {
  try {
    await buildProgram(definitions, run).parseAsync(argv);
    return null;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

function buildProgram(definitions: readonly CommandDefinition[], run: CommandRunner): Command {
  const program = new Command("npm run cli --")
    .description("Operate the company register. Every command has --help.")
    .addHelpText("after", IN_SCRIPTS)
    .showHelpAfterError("npm run cli -- --help")
    .exitOverride();
  for (const definition of definitions) {
    const command = addCommand(program, definition);
    command.description(definition.summary).addHelpText("after", helpOf(definition));
    command.showHelpAfterError(`npm run cli -- ${definition.name} --help`);
    for (const { name, description } of definition.arguments ?? []) command.argument(name, description);
    for (const option of definition.options) addOption(command, option);
    command.action(async (...given: unknown[]) => {
      // Commander hands over the arguments, then the options, then the command itself.
      await run(definition, given.slice(0, -2).flat() as string[], given.at(-2) as GivenOptions);
    });
  }
  return program;
}

/** `keys create` is the command `create` of the command `keys`. */
function addCommand(program: Command, { name, about = "" }: CommandDefinition): Command {
  const [first = "", second] = name.split(" ");
  if (second === undefined) return program.command(first).exitOverride();
  const group = program.commands.find((known) => known.name() === first) ?? addGroup(program, first, about);
  return group.command(second).exitOverride();
}

function addGroup(program: Command, word: string, about: string): Command {
  const advice = `${about}\nnpm run cli -- ${word} --help`;
  return program.command(word).description(about).showHelpAfterError(advice).exitOverride();
}

function helpOf({ details, example }: CommandDefinition): string {
  return `${details ? `\n${details}\n` : ""}\nExample:\n  npm run cli -- ${example}`;
}

function addOption(command: Command, given: CommandOption): void {
  const option = toOption(given);
  command.addOption(option);
  if (given.isList || !option.required) return;
  // Without this, Commander would silently take the last of two values.
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven) command.error(`error: option '${option.flags}' takes one value, but is given twice`);
    isGiven = true;
  });
}

function toOption({ flags, description, choices, default: preset, required, isList }: CommandOption): Option {
  const option = new Option(flags, required ? `${description} (required)` : description);
  if (choices) option.choices(choices);
  if (preset !== undefined) option.default(preset);
  if (isList) option.argParser((value: string, before?: string) => (before ? `${before} ${value}` : value));
  return option.makeOptionMandatory(required ?? false);
}

const SETTINGS = { mongodb: "MONGODB_URL", elasticsearch: "ELASTICSEARCH_URL", redis: "REDIS_URL" };

/** Words for an error: message and advice if the user or an engine is at fault, the stack if it is a bug. */
export function explain(error: unknown): string {
  if (error instanceof NotReadyError || error instanceof CommandError || error instanceof SourceError)
    return showLine(error.message);
  if (error instanceof DeniedError)
    return `${sentenceOf(error)} Set user and password in ${SETTINGS[error.store]}.`;
  if (error instanceof UnavailableError)
    return `${sentenceOf(error)} Is it running? Its address is the setting ${SETTINGS[error.store]}; 'npm run demo' starts all three stores.`;
  const text = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return text.split("\n").map(showLine).join("\n");
}

function sentenceOf({ message }: Error): string {
  return `${message.replace(/\.$/, "")}.`;
}

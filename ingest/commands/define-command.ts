/** Defines the commands of the CLI. Each describes itself for --help. Also has what all commands share. */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { showJson, showLine } from "../../api/shared/runtime/format.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** Opens the stores on first call; they are closed when the command has ended. */
  openStores: () => Stores;
  /** `print` writes a line of the result to standard output, `write` bytes as they are. */
  print: (line: string) => void;
  write: (bytes: Uint8Array) => void;
  /** Writes a line to standard error, for the person who waits. */
  tell: (line: string) => void;
  /**
   * Asks the person on the terminal, and returns the answer; null without a terminal. Commands use `confirm` instead.
   */
  ask: (question: string) => Promise<string | null>;
  /** True when standard error is a terminal, where a progress line may be drawn over. */
  isTerminal: boolean;
  /** True once the person has asked to stop (Ctrl-C); a long command ends at its next safe point. */
  isStopping: () => boolean;
}

/** One option, in the notation of the commander package: `--as <format>`. */
export interface CommandOption {
  flags: string;
  description: string;
  choices?: readonly string[];
  default?: string;
  required?: boolean;
  /** True: the option takes several values. They reach the command as one text, a space between them. */
  isList?: boolean;
}

/** The options given to a command, by their names in camelCase. A flag that is set is not undefined. */
export type GivenOptions = Record<string, string | undefined>;

/** The result of a command: printed as JSON with `--json`, else as lines. */
export interface CommandResult {
  exitCode: number;
  data: unknown;
  lines: string[];
}

/** A command as its file states it. `run` returns the result, or the exit code if it has already printed the result. */
export interface CommandSource {
  /** Words that call it: `load`, `keys create`. */
  name: string;
  /** For a command of two words: what all commands with the same first word are about, in a sentence. */
  about?: string;
  /** One sentence. */
  summary: string;
  /** What a person should know beyond the summary; shown by --help. */
  details?: string;
  /**
   * What it does to the stores. Every command has `--json`. A command that writes also has `--dry-run`. One that
   * deletes data that somebody may need also has `--yes`, and asks by `confirm`.
   */
  effect: keyof typeof EFFECT_OPTIONS;
  /** `<file...>` (required, many), `[load]` (may be absent). */
  arguments?: { name: string; description: string }[];
  /** Its own options. The options of its effect are added, except those listed here with their own descriptions. */
  options?: CommandOption[];
  /** A call as it may be typed, without the program's name. */
  example: string;
  run: (context: CommandContext, args: string[], options: GivenOptions) => Promise<CommandResult | number>;
}

export interface CommandDefinition extends Omit<CommandSource, "options" | "run"> {
  options: CommandOption[];
  /** Runs the command; returns the exit code. Throws CommandError or SourceError with a message for the person. */
  run: (...given: Parameters<CommandSource["run"]>) => Promise<number>;
}

const JSON_OPTION = { flags: "--json", description: "print the result as JSON" };
const DRY_RUN_OPTION = { flags: "--dry-run", description: "say what would be done, and write nothing" };
const YES_OPTION = { flags: "--yes", description: "delete without asking" };
const EFFECT_OPTIONS = {
  reads: [JSON_OPTION],
  writes: [DRY_RUN_OPTION, JSON_OPTION],
  deletes: [DRY_RUN_OPTION, YES_OPTION, JSON_OPTION],
};

/** Defines a command. A line in the CLI's list makes it callable. */
export function defineCommand(source: CommandSource): CommandDefinition {
  const { options = [] } = source;
  const added = EFFECT_OPTIONS[source.effect].filter(
    ({ flags }) => !options.some((own) => own.flags.split(/[ ,]/).includes(flags)),
  );
  return {
    ...source,
    options: [...options, ...added],
    run: async (everything, args, given) => {
      requireFilled(source, args);
      const context = withEscapes(everything, given);
      const result = await source.run(context, args, given);
      if (typeof result === "number") return result;
      const lines = given.json === undefined ? result.lines : [JSON.stringify(result.data)];
      for (const line of lines) context.print(line);
      return result.exitCode;
    },
  };
}

/**
 * Throws CommandError for an empty argument: a script may have filled it from a variable that is not set, and some
 * commands do more without the argument.
 */
function requireFilled({ arguments: expected = [] }: CommandSource, args: readonly string[]): void {
  const empty = args.indexOf("");
  const name = (expected[empty] ?? expected.at(-1))?.name;
  if (empty >= 0)
    throw new CommandError(`${name} is empty; leave it out, or check whether a variable is not set`);
}

/**
 * Escapes what is printed, since names and contents of files may contain control sequences for a terminal, and line
 * breaks that would imitate lines of ours.
 */
function withEscapes(context: CommandContext, { json }: GivenOptions): CommandContext {
  const { print, tell, ask } = context;
  return {
    ...context,
    print: (line) => print(json === undefined ? showLine(line) : showJson(line)),
    tell: (line) => tell(showLine(line)),
    ask: (question) => ask(showLine(question)),
  };
}

/** Defines the commands that share a first word, by their second words, in the order of --help. */
export function defineGroup<Word extends string>(
  group: string,
  about: string,
  sources: Record<Word, Omit<CommandSource, "name" | "about">>,
): Record<Word, CommandDefinition> {
  const words = Object.keys(sources) as Word[];
  const defined = words.map((word) => {
    return [word, defineCommand({ name: `${group} ${word}`, about, ...sources[word] })] as const;
  });
  // The cast: each word has an entry.
  return Object.fromEntries(defined) as Record<Word, CommandDefinition>;
}

/**
 * True if the person agrees, or has agreed in advance with `--yes`. `question` is a whole sentence that names what will
 * be deleted. Throws CommandError if `--yes` is not given and there is no terminal to ask on.
 */
export async function confirm(
  { ask, tell }: Pick<CommandContext, "ask" | "tell">,
  question: string,
  isYes: boolean,
): Promise<boolean> {
  if (isYes) return true;
  const answer = await ask(`${question} [y/N] `);
  if (answer === null)
    throw new CommandError(
      `${question} There is no terminal to ask on, so nothing was done; add --yes to agree`,
    );
  const agrees = /^\s*y(es)?\s*$/i.test(answer);
  if (!agrees) tell("nothing was done");
  return agrees;
}

// The default maximum, for counts. Timepoints of streams may be higher.
const MOST = 999_999_999;

/** Reads a whole number from `least` to `most`. `flag`: the option as typed, for the message. Throws CommandError. */
export function parseWholeNumber(flag: string, text: string, least: number, most = MOST): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new CommandError(`${flag} must be a whole number from ${least} to ${most}, not "${text}"`);
}

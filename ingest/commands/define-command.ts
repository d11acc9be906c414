/** The CommandDefinition type: a command of the CLI, which describes itself for --help, and what all of them share. */
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { showJson, showLine } from "../../api/shared/runtime/format.ts";
import type { Config } from "../../api/shared/settings/config.ts";
import type { Stores } from "../../api/shared/stores/index.ts";

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** Opens the stores on first call; they are closed when the command has ended. */
  openStores: () => Stores;
  /** Both write the result to standard output: a line of it, or bytes as they are. */
  print: (line: string) => void;
  write: (bytes: Uint8Array) => void;
  /** Writes a line for the person who waits to standard error. */
  tell: (line: string) => void;
  /** What the person answers on the terminal; null where nobody can be asked. `confirm` is the way to use it. */
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

/** What was given of a command's options, by their names in camelCase; flags that are set are not undefined. */
export type GivenOptions = Record<string, string | undefined>;

/** The result of a command: printed as JSON with `--json`, else as lines. */
export interface CommandResult {
  exitCode: number;
  data: unknown;
  lines: string[];
}

/** A command as it is written: one whose result is a whole returns it, one that prints as it goes returns its exit code. */
export interface CommandSource {
  /** Words that call it: `load`, `keys create`. */
  name: string;
  /** What the commands of its first word are about, in a sentence; of a command of two words. */
  about?: string;
  /** One sentence. */
  summary: string;
  /** What a person should know beyond the summary; shown by --help. */
  details?: string;
  /**
   * What it does to the stores. Every command has `--json`; one that writes has `--dry-run`, too, and one that deletes
   * what is somebody's has `--yes` as well, and asks by `confirm`.
   */
  effect: keyof typeof EFFECT_OPTIONS;
  /** `<file...>` (required, many), `[load]` (may be absent). */
  arguments?: { name: string; description: string }[];
  /** Its own options. Those that its effect asks for are added, unless they are listed here in words of its own. */
  options?: CommandOption[];
  /** A call as it may be typed, without the program's name. */
  example: string;
  run: (context: CommandContext, args: string[], options: GivenOptions) => Promise<CommandResult | number>;
}

export interface CommandDefinition extends Omit<CommandSource, "options" | "run"> {
  options: CommandOption[];
  /** Does it; returns the exit code. Throws CommandError or SourceError with a sentence for the person. */
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

/** Defines a command; its line in the CLI's list makes it callable. */
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
      const context = withoutOrders(everything, given);
      const result = await source.run(context, args, given);
      if (typeof result === "number") return result;
      const lines = given.json === undefined ? result.lines : [JSON.stringify(result.data)];
      for (const line of lines) context.print(line);
      return result.exitCode;
    },
  };
}

/** An argument that a script fills from a variable may be empty; without it some commands do more. Throws CommandError. */
function requireFilled({ arguments: expected = [] }: CommandSource, args: readonly string[]): void {
  const empty = args.indexOf("");
  const name = (expected[empty] ?? expected.at(-1))?.name;
  if (empty >= 0)
    throw new CommandError(`${name} is empty; leave it out, or look whether a variable is not set`);
}

/** Names of files and what is in them may hold orders to a terminal, and line breaks that feign lines of ours. */
function withoutOrders(context: CommandContext, { json }: GivenOptions): CommandContext {
  const { print, tell, ask } = context;
  return {
    ...context,
    print: (line) => print(json === undefined ? showLine(line) : showJson(line)),
    tell: (line) => tell(showLine(line)),
    ask: (question) => ask(showLine(question)),
  };
}

/** Defines the commands of one first word by their second ones, in the order of --help. */
export function defineGroup<Word extends string>(
  group: string,
  about: string,
  sources: Record<Word, Omit<CommandSource, "name" | "about">>,
): Record<Word, CommandDefinition> {
  const words = Object.keys(sources) as Word[];
  const defined = words.map((word) => {
    return [word, defineCommand({ name: `${group} ${word}`, about, ...sources[word] })] as const;
  });
  // The cast: each word is there.
  return Object.fromEntries(defined) as Record<Word, CommandDefinition>;
}

/**
 * True when the person agrees, or has agreed beforehand by `--yes`. `question` is a whole sentence that names what is
 * going to be deleted. Throws CommandError where nobody can be asked and nobody has agreed.
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

// As many as a counted thing can have; timepoints of streams have more.
const MOST = 999_999_999;

/** The number that the text of an option is, from `least` to `most`. `flag`: as it is typed. Throws CommandError. */
export function parseWholeNumber(flag: string, text: string, least: number, most = MOST): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new CommandError(`${flag} must be a whole number from ${least} to ${most}, not "${text}"`);
}

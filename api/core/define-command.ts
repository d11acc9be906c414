/** Owns the CommandDefinition type: a command of the CLI, which describes itself for --help. */
import type { Config } from "./config.ts";
import type { Stores } from "./stores/index.ts";

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** Opens the stores on first call; they are closed when the command has ended. */
  openStores: () => Stores;
  /** Writes a line of the result to standard output. */
  print: (line: string) => void;
  /** Writes bytes of the result to standard output, as they are. */
  write: (bytes: Uint8Array) => void;
  /** Writes a line for the person who waits to standard error. */
  tell: (line: string) => void;
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
}

/** One argument: `<file...>` (required, many), `[load]` (may be absent). */
export interface CommandArgument {
  name: string;
  description: string;
}

/** One command of the CLI. */
export interface CommandDefinition {
  /** Words that call it: `load`, `keys create`. */
  name: string;
  /** One sentence. */
  summary: string;
  /** What a person should know beyond the summary; shown by --help. */
  details?: string;
  arguments?: CommandArgument[];
  options?: CommandOption[];
  /** A call as it may be typed, without the program's name. */
  example: string;
  /** Does it; returns the exit code. Throws CommandError or SourceError with a sentence for the person. */
  run: (
    context: CommandContext,
    args: string[],
    options: Record<string, string | undefined>,
  ) => Promise<number>;
}

/** Defines a command; its line in the CLI's list makes it callable. */
export function defineCommand(definition: CommandDefinition): CommandDefinition {
  return definition;
}

/** The type of a benchmark (a part), with its texts for --help. */
import type { Config } from "../../api/shared/settings/config.ts";

/** The options of a run. */
export interface PartOptions {
  /** Size of the generated register. */
  companies: number;
  /** The same seed gives the same register and the same queries. */
  seed: number;
  /** How often everything is measured; undefined: the part's own default. */
  rounds: number | undefined;
  /** Values of the part's own options, by name in camel case; `true` for one without a value. */
  own: Record<string, string | number | true | undefined>;
}

/** What a part may use. */
export interface PartContext {
  /** The settings of the environment, with the addresses of the engines. */
  config: Config;
  /** Writes a line to standard error, for the user who waits. */
  tell: (line: string) => void;
  /** Registers how to end something just started. The last registered ends first, also after a failure or Ctrl-C. */
  onEnd: (title: string, end: () => unknown) => void;
}

/** What a part has found. */
export interface PartReport {
  /** Lines for people. */
  lines: string[];
  /** The same facts for --json. */
  facts: Record<string, unknown>;
  /** Whether the result is worse than required; the exit code is then 1. */
  isShort?: boolean;
}

/** An option of one part. */
interface PartOption {
  /** In the notation of the commander package: `--rows <number>`. */
  flags: string;
  description: string;
  /** A number here means that the option takes whole numbers, from `least` (absent: 1). */
  default?: string | number;
  least?: number;
}

/** One benchmark. */
export interface PartDefinition {
  /** The word that calls it on the command line: `search`. */
  name: string;
  /** One sentence. */
  title: string;
  /** What it compares with what, and how; shown by --help. */
  details: string;
  /** Its own options, besides those of every part. */
  options: PartOption[];
  /** Measures. Throws CommandError with a sentence for the user. */
  run: (context: PartContext, options: PartOptions) => Promise<PartReport>;
}

/** Defines a part. To be callable it also needs a line in parts/index.ts. */
export function definePart(definition: PartDefinition): PartDefinition {
  return definition;
}

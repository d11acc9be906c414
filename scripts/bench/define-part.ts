/** Owns the PartDefinition type: one benchmark, which describes itself for --help. */
import type { Config } from "../../api/shared/settings/config.ts";
import type { CommandOption } from "../../ingest/commands/define-command.ts";

/** What every part is told. */
export interface PartOptions {
  /** Size of the generated register. */
  companies: number;
  /** Decides the register and the queries; the same seed gives the same of both. */
  seed: number;
  /** How often all is measured; absent: as often as the part thinks fit. */
  rounds: number | undefined;
  /** Values of the part's own options, by name in camel case; `true` for one without a value. */
  own: Record<string, string | true | undefined>;
}

/** What a part may use. */
export interface PartContext {
  /** Where the engines are, and all other settings as the environment has them. */
  config: Config;
  /** Writes a line for the person who waits to standard error. */
  tell: (line: string) => void;
  /** Registers what ends a thing just begun; the last registered ends first, also after a failure or Ctrl-C. */
  onEnd: (title: string, end: () => unknown) => void;
}

/** What a part has found. */
export interface PartReport {
  /** For people. */
  lines: string[];
  /** The same for machines: plain JSON. */
  facts: Record<string, unknown>;
  /** True when what was measured is worse than it must be: the command's exit code is 1. */
  isShort?: boolean;
}

/** One benchmark. */
export interface PartDefinition {
  /** Word that calls it: `search`. */
  name: string;
  /** One sentence. */
  title: string;
  /** What is measured against what, and how; shown by --help. */
  details: string;
  /** Its own options, beside those of every part. */
  options: CommandOption[];
  /** Measures. Throws CommandError with a sentence for the person. */
  run: (context: PartContext, options: PartOptions) => Promise<PartReport>;
}

/** Defines a part; its line in the table of contents makes it callable. */
export function definePart(definition: PartDefinition): PartDefinition {
  return definition;
}

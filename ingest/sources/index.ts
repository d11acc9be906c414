/** Table of contents: every bulk format, one line each. */
import type { SourceDefinition } from "./define-source.ts";
import type { MergeRules } from "../statements/statement.ts";
import { apiJsonLines } from "./api-json-lines.ts";
import { companyCsv } from "./company-csv.ts";
import { disqualifiedOfficersSnapshot } from "./disqualified-officers-snapshot.ts";
import { officersSnapshot } from "./officers-snapshot.ts";
import { officersUpdate } from "./officers-update.ts";
import { pscSnapshot } from "./psc-snapshot.ts";
import { streamingEvents } from "./streaming-events.ts";

export const sources: readonly SourceDefinition[] = [
  companyCsv,
  // Before apiJsonLines, whose file names also match these files.
  streamingEvents,
  apiJsonLines,
  officersSnapshot,
  officersUpdate,
  disqualifiedOfficersSnapshot,
  pscSnapshot,
];

const mergeRulesByName = new Map(sources.flatMap(({ mergeRules = {} }) => Object.entries(mergeRules)));

/** The merge rules with this name, or undefined if only another release has them. */
export function findMergeRules(name: string): MergeRules | undefined {
  return mergeRulesByName.get(name);
}

/** The source with this name. Throws if there is none: callers pass checked names. */
export function findSource(name: string): SourceDefinition {
  const source = sources.find((candidate) => candidate.name === name);
  if (!source) throw new Error(`there is no source named ${name}`);
  return source;
}

/** Table of contents: every bulk format that can be loaded, one line each. */
import type { SourceDefinition } from "./define-source.ts";
import type { Table } from "../statements/statement.ts";
import { apiJsonLines } from "./api-json-lines.ts";
import { companyCsv } from "./company-csv.ts";
import { disqualifiedOfficersSnapshot } from "./disqualified-officers-snapshot.ts";
import { officersSnapshot } from "./officers-snapshot.ts";
import { officersUpdate } from "./officers-update.ts";
import { pscSnapshot } from "./psc-snapshot.ts";
import { streamingEvents } from "./streaming-events.ts";

export const sources: readonly SourceDefinition[] = [
  companyCsv,
  // Before the JSON lines of the API, whose file names its own are among.
  streamingEvents,
  apiJsonLines,
  officersSnapshot,
  officersUpdate,
  disqualifiedOfficersSnapshot,
  pscSnapshot,
];

const tables = new Map(sources.flatMap(({ tellings = {} }) => Object.entries(tellings)));

/** The table that a record remembers by this name; undefined when it is of a release that had others. */
export function findTable(name: string): Table | undefined {
  return tables.get(name);
}

/** The source of a name. Throws when there is none: names come from this list or are checked against it. */
export function findSource(name: string): SourceDefinition {
  const source = sources.find((candidate) => candidate.name === name);
  if (!source) throw new Error(`there is no source named ${name}`);
  return source;
}

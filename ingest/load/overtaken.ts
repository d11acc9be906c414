/**
 * Finds the batches of a load that may have found a row unchanged before an earlier row of its file changed the record: the last
 * row counts, and an unchanged one leaves no trace in the record, so they have to run again. In constant memory.
 * Limit: of equal rows in several batches the later ones count as overtaken by the first, which made the record.
 */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { groupBy } from "../../api/shared/values/group-by.ts";
import { readBatches } from "../log/changes.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { PartedLines } from "./parted-lines.ts";
import { placeOf } from "./repeats.ts";

/** A file of a load whose batches are written, and none of a later file. */
export interface WrittenFile {
  source: SourceDefinition;
  rows: number;
  /** How many of them changed nothing. */
  unchanged: number;
  /** Revision of its first batch. */
  first: number;
}

// Rows of a part are held in memory; fewer make more files.
const ROWS_A_PART = 10_000;
const CHANGED = "changed";
const NAMED = ["ids", "changed", "revision"] as const;

/** Their revisions. */
export async function findOvertaken(
  documents: DocumentStore,
  load: string,
  { source, rows, unchanged, first }: WrittenFile,
): Promise<ReadonlySet<number>> {
  if (unchanged === 0 || isOrdering(source)) return new Set();
  if (!(await isChanging(documents, load, first))) return new Set();
  const lines = new PartedLines(Math.ceil(rows / ROWS_A_PART));
  try {
    for await (const { revision = 0, ids, changed = ids } of readBatches(documents, load, NAMED, first)) {
      for (const [collection, named] of Object.entries(ids)) {
        const others = new Set(changed[collection]);
        for (const id of named) {
          const key = `${collection}/${id}`;
          lines.add(placeOf(key, lines.parts), `${key}\t${revision}\t${others.has(id) ? CHANGED : ""}`);
        }
      }
    }
    return listOvertaken(lines);
  } finally {
    await lines.remove();
  }
}

function listOvertaken(lines: PartedLines): Set<number> {
  const overtaken = new Set<number>();
  for (let part = 0; part < lines.parts; part += 1) {
    const rows = lines.read(part).map((line) => {
      const [key = "", revision, effect] = line.split("\t");
      return { key, revision: Number(revision), isChanged: effect === CHANGED };
    });
    for (const [, batches] of groupBy(rows, ({ key }) => key)) {
      const first = Math.min(...batches.flatMap(({ isChanged, revision }) => (isChanged ? revision : [])));
      for (const { isChanged, revision } of batches)
        if (!isChanged && revision > first) overtaken.add(revision);
    }
  }
  return overtaken;
}

/** True where something else than the order of writing decides: each row's place in its record, or the moment of an event. */
function isOrdering({ mergeRules = {}, isOrdered, name }: SourceDefinition): boolean {
  const isMarked = Object.values(mergeRules).some(({ keepsDay }) => keepsDay);
  return isMarked || isOrdered === true || name === streamingEvents.name;
}

/** False for a file that has found every record unchanged, as most that are loaded again. */
async function isChanging(documents: DocumentStore, load: string, first: number): Promise<boolean> {
  for await (const { changed } of readBatches(documents, load, ["changed"], first))
    if (!changed || Object.values(changed).some((ids) => ids.length > 0)) return true;
  return false;
}

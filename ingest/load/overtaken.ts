/**
 * Finds the batches of a load that may have found a row unchanged before an earlier row of its file changed the record: the last
 * row counts, and an unchanged one leaves no trace in the record, so they have to run again. In constant memory.
 * Limit: of two equal rows in two batches the second counts as overtaken by the first, which made the record.
 */
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { groupBy } from "../../api/shared/values/group-by.ts";
import type { LoadRecord } from "../history/loads.ts";
import { readBatches } from "../log/changes.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import { streamingEvents } from "../sources/streaming-events.ts";
import { PartedLines } from "./parted-lines.ts";
import { placeOf } from "./repeats.ts";

/** A file of a load whose batches are written; those of a later file began when they were. */
export interface WrittenFile {
  source: SourceDefinition;
  /** Revision of its first batch. */
  first: number;
}

// Rows of a part are held in memory; fewer make more files.
const ROWS_A_PART = 10_000;
const CHANGED = "changed";
const NAMED = ["ids", "changed", "revision"] as const;

/** Their revisions. `files`: in the order of their batches. */
export async function findOvertaken(
  documents: DocumentStore,
  { _id: load, counts }: LoadRecord,
  files: readonly WrittenFile[],
): Promise<ReadonlySet<number>> {
  if (counts.unchanged === 0 || files.every(isOrdering)) return new Set();
  if (!(await isChanging(documents, load))) return new Set();
  const lines = new PartedLines(Math.ceil(counts.read / ROWS_A_PART));
  try {
    for await (const { revision = 0, ids, changed = ids } of readBatches(documents, load, NAMED)) {
      const file = files.findLastIndex(({ first }) => first <= revision);
      if (!files[file] || isOrdering(files[file])) continue;
      for (const [collection, named] of Object.entries(ids)) {
        const others = new Set(changed[collection]);
        for (const id of named) {
          const key = `${file}/${collection}/${id}`;
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
      const last = batches.reduce((one, other) => (other.revision > one.revision ? other : one));
      if (!last.isChanged && batches.some(({ isChanged }) => isChanged)) overtaken.add(last.revision);
    }
  }
  return overtaken;
}

/** True where something else than the order of writing decides: each row's place in its record, or the moment of an event. */
function isOrdering({ source }: WrittenFile): boolean {
  const { mergeRules = {}, isOrdered, name } = source;
  const isMarked = Object.values(mergeRules).some(({ keepsDay }) => keepsDay);
  return isMarked || isOrdered === true || name === streamingEvents.name;
}

/** False for a load that has found every record unchanged, as most that are made again. */
async function isChanging(documents: DocumentStore, load: string): Promise<boolean> {
  for await (const { changed } of readBatches(documents, load, ["changed"]))
    if (!changed || Object.values(changed).some((ids) => ids.length > 0)) return true;
  return false;
}

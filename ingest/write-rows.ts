/** Owns the writing of records that a file tells. */
import type { Stores } from "../api/core/stores/index.ts";
import type { Members } from "../api/core/members.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import { writeBoth, type Leaving, type Told, type Truth } from "./both-stores.ts";
import { tellLasting, type RowRecord } from "./lasting.ts";
import { writeStatements, type Written } from "./statements/write.ts";

/** Where the rows come from. */
export interface RowsOrigin {
  jobId: string;
  /** Of their batch. */
  revision: number;
  /** The same, where no other batch writes under it. */
  ownRevision?: number | undefined;
}

/** Writes records of one kind to both stores; returns how many were written. */
export async function writeRows(
  stores: Stores,
  record: RecordDefinition,
  rows: readonly RowRecord[],
  { jobId, revision, ownRevision }: RowsOrigin,
): Promise<number> {
  const told = rows.flatMap(({ statements }) =>
    statements.flatMap(({ data }): Members[] => (data ? [data] : [])),
  );
  const ids = rows.map(({ id }) => id);
  return writeBoth(stores, record, { jobId, ids, told, ownRevision }, (leaving) =>
    tellRows(stores.mongo, record, rows, { revision, leaving }),
  );
}

/** Writes them to the truth alone; counts those that are held as they tell. */
export async function tellRows(
  truth: Truth,
  record: RecordDefinition,
  rows: readonly RowRecord[],
  { revision, leaving }: { revision: number; leaving: Leaving },
): Promise<Told<number>> {
  const incoming = await tellLasting(truth.documents, record, rows);
  const written = await writeStatements(truth, record, incoming, { revision, onLeave: leaving.onLeave });
  return {
    written: toIndex(written, leaving),
    counts: written.filter((item) => isWritten(item, revision)).length,
  };
}

/**
 * What the search has to follow: what was written, and all of a batch that an earlier run has begun. Records of which only the
 * statements have changed are among them: a document of one bears its revision, and who makes those of groups counts on
 * having all that the batch has written.
 */
export function toIndex(written: readonly Written[], { isRepeat }: Leaving): Written["held"][] {
  return written.filter(({ effect }) => isRepeat() || effect !== "known").map(({ held }) => held);
}

/** True for a record that this run of the batch, or an earlier one, has given another content. */
function isWritten({ effect, held }: Written, revision: number): boolean {
  const isOfBatch = held.revision === revision || held.told?.some(({ place }) => place === revision);
  const isOwn = effect === "known" && isOfBatch === true;
  return effect === "created" || effect === "changed" || isOwn;
}

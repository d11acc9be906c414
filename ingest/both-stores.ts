/** Owns the order in which the two stores are written: a note, MongoDB, Elasticsearch, and the note is gone. */
import type { Stores } from "../api/core/stores/index.ts";
import type { MongoStore } from "../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import { rekey } from "./rekey.ts";
import { beginUnindexed, noteGroups, removeUnindexed, type FormerGroup } from "./unindexed.ts";
import { removeRecords } from "./writers/mongo.ts";
import { formerGroupsOf, groupsLeftBy, isIndexed, writeSearchDocuments } from "./writers/search-index.ts";
import { markDrawn, markReplaced } from "./writers/versions.ts";

/** To be told before records are replaced or removed, so that the note knows which search documents they leave. */
export interface Leaving {
  /** To be told when some of the records turn out to have been written by an earlier run of the same batch. */
  onRepeat: () => void;
  onReplace: (held: StoredRecord[]) => Promise<void>;
  onRemove: (held: StoredRecord[]) => Promise<void>;
}

/** What the truth is read from and written to. A dry run has one in memory. */
export type Truth = Pick<MongoStore, "records" | "writer" | "documents">;

/** Whose writes they are: the job, which a rerun shares, and the records that may be written. */
export interface NotedWrite {
  jobId: string;
  ids: string[];
  /** Records as they come in, whether they will be written or not: ids that they share are learnt of all of them. */
  told?: readonly StoredRecord[];
  /** The revision under which all of them are written, where no other batch writes under it. */
  ownRevision?: number | undefined;
}

/** What a write to the truth came to. */
export interface Told<Counts> {
  /** What was written, also when it is gone again. */
  written: StoredRecord[];
  counts: Counts;
}

/**
 * Runs `writeTruth`, which writes records of one kind to MongoDB, then brings Elasticsearch up to date with them and
 * with what they left; returns its counts. Ended in between, it is finished by its rerun or by the next load.
 */
export async function writeBoth<Counts>(
  stores: Stores,
  record: RecordDefinition,
  { jobId, ids, told = [], ownRevision }: NotedWrite,
  writeTruth: (leaving: Leaving) => Promise<Told<Counts>>,
): Promise<Counts> {
  if (!isIndexed(record)) {
    const ignore = () => Promise.resolve();
    return (await writeTruth({ onReplace: ignore, onRemove: ignore, onRepeat: () => undefined })).counts;
  }
  const { documents } = stores.mongo;
  const id = `${jobId}:${record.collection}`;
  const fresh = { _id: id, job: jobId, collection: record.collection, ids, formerGroups: [] };
  const begun = await beginUnindexed(documents, fresh);
  const { note } = begun;
  let { isRepeat } = begun;
  const add = (groups: FormerGroup[]) => noteGroups(documents, note, groups);
  const { written, counts } = await writeTruth({
    // Whoever replaces or removes marks first; in this one place nobody can forget it.
    onReplace: async (held) => {
      if (held.length > 0) await markReplaced(documents, record.collection);
      await add(formerGroupsOf(record, held));
    },
    onRemove: async (held) => {
      await markDrawn(documents, record.collection);
      await add(groupsLeftBy(record, held));
    },
    onRepeat: () => (isRepeat = true),
  });
  await rekey(stores.mongo, record, new Set([...told, ...written]), (held, rekeyed) =>
    add(formerGroupsOf(record, [...held, ...rekeyed])),
  );
  const { formerGroups } = note;
  const revision = isRepeat ? undefined : ownRevision;
  await writeSearchDocuments(stores, record, { records: written, formerGroups, ownRevision: revision });
  await removeUnindexed(documents, id);
  return counts;
}

/**
 * Removes the records that `find` names from both stores; returns how many there were. `find` is asked again when
 * others write in between. `jobId`: a name for the work, the same when it is done again.
 */
export async function removeFromBoth(
  stores: Stores,
  record: RecordDefinition,
  jobId: string,
  find: () => Promise<StoredRecord[]>,
): Promise<number> {
  await markDrawn(stores.mongo.documents, record.collection);
  return writeBoth(stores, record, { jobId, ids: [] }, async ({ onRemove }) => {
    const removed = await removeRecords(stores.mongo, record, find, onRemove);
    return { written: [], counts: removed.length };
  });
}

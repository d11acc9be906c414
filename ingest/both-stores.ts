/** Owns the order in which the two stores are written: a note, MongoDB, Elasticsearch, and the note is gone. */
import type { Members } from "../api/core/members.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { MongoStore } from "../api/core/stores/mongo.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import { isGone } from "../api/core/gone.ts";
import { rekey } from "./rekey.ts";
import { beginUnindexed, noteGroups, removeUnindexed, type FormerGroup } from "./unindexed.ts";
import { formerGroupsOf, isIndexed, writeSearchDocuments } from "./writers/search-index.ts";
import { markReplaced } from "./writers/versions.ts";

/** What the writer of the truth tells, so that the note knows which search documents records leave. */
export interface Leaving {
  /** To be told before records are replaced. */
  onLeave: (held: StoredRecord[]) => Promise<void>;
  /** True when an earlier run of the same batch has begun to write. */
  isRepeat: () => boolean;
}

/** What the truth is read from and written to. A dry run has one in memory. */
export type Truth = Pick<MongoStore, "records" | "writer" | "documents">;

/** Whose writes they are: the job, which a rerun shares, and the records that may be written. */
export interface NotedWrite {
  jobId: string;
  ids: string[];
  /** Data as they come in, whether they will be written or not: ids that they share are learnt of all of them. */
  told?: readonly Members[];
  /** The revision under which all of them are written, where no other batch writes under it. */
  ownRevision?: number | undefined;
}

/** What a write to the truth came to. */
export interface Told<Counts> {
  /** What was written, as it is held now; of a repeat what is held of all that it names. */
  written: HeldRecord[];
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
    return (await writeTruth({ onLeave: () => Promise.resolve(), isRepeat: () => false })).counts;
  }
  const { documents } = stores.mongo;
  const id = `${jobId}:${record.collection}`;
  const fresh = { _id: id, job: jobId, collection: record.collection, ids, formerGroups: [] };
  const { note, isRepeat } = await beginUnindexed(documents, fresh);
  const add = (groups: FormerGroup[]) => noteGroups(documents, note, groups);
  const { written, counts } = await writeTruth({
    // Whoever replaces marks first; in this one place nobody can forget it.
    onLeave: async (held) => {
      if (held.length > 0) await markReplaced(documents, record.collection);
      await add(formerGroupsOf(record, held));
    },
    isRepeat: () => isRepeat,
  });
  const held = written.flatMap((item): Members[] => (isGone(item) ? [] : [item.data as Members]));
  await rekey(stores.mongo, record, [...told, ...held], (former, rekeyed) =>
    add(formerGroupsOf(record, [...former, ...rekeyed])),
  );
  const { formerGroups } = note;
  const revision = isRepeat ? undefined : ownRevision;
  await writeSearchDocuments(stores, record, { records: written, formerGroups, ownRevision: revision });
  await removeUnindexed(documents, id);
  return counts;
}

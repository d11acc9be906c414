/** Owns the writing of records that a file tells, and how they stand against what a stream has told or deleted. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import { writeBoth, type Leaving, type Told, type Truth } from "./both-stores.ts";
import { outlive } from "./burials.ts";
import { tellLasting } from "./lasting.ts";
import { fetchTombstonesOf, stampOf } from "./tombstones.ts";
import { fetchWithdrawals, type Withdrawal } from "./withdrawals.ts";
import type { PendingRecord } from "./writers/compare.ts";
import { releaseRecords, writeRecords, type Leaver } from "./writers/mongo.ts";
import { isOvertaken } from "./writers/retell.ts";
import { isAfter, isOlder } from "./writers/stored.ts";
import { isDrawn } from "./writers/versions.ts";

/** Where the rows come from. */
export interface RowsOrigin {
  jobId: string;
  /** The revision of their records, where no other batch writes under it. */
  ownRevision?: number | undefined;
  /** The day that their snapshot shows. */
  productionDate: string | undefined;
}

/**
 * Writes records of one kind to both stores; returns how many were written. A record that a stream has deleted since
 * the snapshot was made is not brought back by it.
 */
export async function writeRows(
  stores: Stores,
  record: RecordDefinition,
  pending: PendingRecord[],
  { jobId, ownRevision, productionDate }: RowsOrigin,
): Promise<number> {
  const told = pending.map(({ stored }) => stored);
  const ids = told.map(({ _id }) => _id);
  return writeBoth(stores, record, { jobId, ids, told, ownRevision }, (leaving) =>
    tellRows(stores.mongo, record, pending, { productionDate, leaving }),
  );
}

/** Writes them to the truth alone; counts those that are held then. */
export async function tellRows(
  truth: Truth,
  record: RecordDefinition,
  pending: PendingRecord[],
  { productionDate, leaving }: Pick<Written, "productionDate" | "leaving">,
): Promise<Told<number>> {
  const admitted = await admit(truth.documents, record, pending, productionDate);
  const { onReplace: onLeave, onRepeat } = leaving;
  const written = await writeRecords(truth, record, admitted, { onLeave, onRepeat, productionDate });
  const buried = await removeBuried(truth, record, { written, productionDate, leaving });
  return { written, counts: written.length - buried };
}

/**
 * Leaves out what a stream or a daily update has removed since the snapshot was made, and adds what the update has told
 * of all records of a key. What comes back after its deletion knows of it: the same event does not count twice.
 */
async function admit(
  documents: DocumentStore,
  record: RecordDefinition,
  pending: PendingRecord[],
  productionDate: string | undefined,
): Promise<PendingRecord[]> {
  // Costs a first load one small read: a collection that no stream has touched has no tombstones.
  if (!(await isDrawn(documents, record.collection))) return pending;
  const ids = pending.map(({ stored }) => stored._id);
  const tombstones = await fetchTombstonesOf(documents, record.collection, ids);
  const withdrawals = await fetchWithdrawals(documents, record.collection, ids);
  const told = await tellLasting(documents, record, pending, productionDate);
  return told.flatMap((item) => {
    if (isWithdrawnAfter(withdrawals.get(item.stored._id), productionDate)) return [];
    const tombstone = tombstones.get(item.stored._id);
    if (!tombstone) return item;
    if (isAfter(tombstone, productionDate)) return [];
    return { ...item, stored: { ...item.stored, event: stampOf(tombstone) } };
  });
}

function isWithdrawnAfter(withdrawal: Withdrawal | undefined, productionDate: string | undefined): boolean {
  return withdrawal !== undefined && productionDate !== undefined && withdrawal.day > productionDate;
}

/** Who deleted a record while it was being written has not seen it; so it is looked for again afterwards. */
export async function removeBuried(
  truth: Truth,
  record: RecordDefinition,
  { written, productionDate, leaving }: Written,
): Promise<number> {
  const { documents } = truth;
  if (productionDate === undefined || written.length === 0) return 0;
  if (!(await isDrawn(documents, record.collection))) return 0;
  const ids = written.map(({ _id }) => _id);
  const tombstones = await fetchTombstonesOf(documents, record.collection, ids);
  const withdrawals = await fetchWithdrawals(documents, record.collection, ids);
  const leave = (held: StoredRecord): Leaver[] => {
    const tombstone = tombstones.get(held._id);
    const isDeleted = tombstone !== undefined && isOlder(held, tombstone);
    if (isDeleted && isOvertaken(tombstone, held)) return [outlive(record, held, tombstone)];
    const isBuried = isDeleted && isAfter(tombstone, productionDate);
    // What an update or a stream tells anew knows of the withdrawal, or does not go by it.
    const isWithdrawn =
      !held.update && !held.event && isWithdrawnAfter(withdrawals.get(held._id), productionDate);
    return isBuried || isWithdrawn ? [{ held }] : [];
  };
  const removable = [...tombstones.keys(), ...withdrawals.keys()];
  const find = async () => (await truth.records.fetchByIds(record, removable)).flatMap(leave);
  return (await releaseRecords(truth, record, find, leaving.onRemove)).removed.length;
}

interface Written {
  written: StoredRecord[];
  productionDate: string | undefined;
  leaving: Leaving;
}

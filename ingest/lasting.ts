/**
 * Owns what a daily update has told of all records of a key, as the correction of a nominee tells it of all appointments
 * of a number: it lasts for those that an older snapshot brings later. Few are ever told.
 */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { RecordDefinition, StoredRecord } from "../api/resources/define-record.ts";
import type { HeldKey } from "./held-changes.ts";
import type { PendingRecord } from "./writers/compare.ts";
import { isUpdatedAfter, toStored } from "./writers/stored.ts";

const COLLECTION = "lasting";

/** What was told last of the records of one key. */
export interface Lasting {
  key: HeldKey;
  /** What of a record it tells: the record remembers the place for it. */
  aspect: string;
  /** Place in the series of updates at which it was told. */
  place: number;
  /** The day of that update, `YYYY-MM-DD`. */
  day: string;
  members: object;
}

/** Where a row's record stands under a key of which something may have been told that lasts. */
export interface LastingKey {
  key: HeldKey;
  /** What becomes of the record's data by the members that were told. Pure. */
  tell: (data: unknown, members: object) => unknown;
}

/** Keeps what lasts; of two of one key the later place stays. */
export async function raiseLasting(
  documents: DocumentStore,
  collection: string,
  lasting: Lasting[],
): Promise<void> {
  if (lasting.length === 0) return;
  const stored = lasting.map((one) => ({ _id: idOf(collection, one.key), ...one }));
  await documents.raise(COLLECTION, stored, "place");
}

/** Records of a snapshot, with what updates of a later day have told of their keys. */
export async function tellLasting(
  documents: DocumentStore,
  record: RecordDefinition,
  pending: PendingRecord[],
  productionDate: string | undefined,
): Promise<PendingRecord[]> {
  const ids = new Set(
    pending.flatMap(({ lasting }) => (lasting ? idOf(record.collection, lasting.key) : [])),
  );
  if (ids.size === 0) return pending;
  const found = await documents.fetchAll(COLLECTION, { _id: [...ids] });
  // The cast: documents of this collection are written above.
  const lasting = new Map(found.map((one) => [String(one._id), one as unknown as Lasting]));
  return pending.map((item) => {
    const told = item.lasting && lasting.get(idOf(record.collection, item.lasting.key));
    return told && item.lasting ? apply(record, item, { told, ...item.lasting, productionDate }) : item;
  });
}

function apply(
  record: RecordDefinition,
  item: PendingRecord,
  { told, tell, productionDate }: LastingKey & { told: Lasting; productionDate: string | undefined },
): PendingRecord {
  const { day, place, aspect } = told;
  const update = { day, places: { [aspect]: place } };
  if (!isUpdatedAfter({ ...item.stored, update }, productionDate)) return item;
  const made = toStored(record, tell(item.stored.data, told.members), item.stored.revision);
  const { event, snapshot } = item.stored;
  const stored: StoredRecord = { ...made, update, ...(event && { event }), ...(snapshot && { snapshot }) };
  return { ...item, stored };
}

function idOf(collection: string, { field, value }: HeldKey): string {
  return `${collection}/${field}/${value}`;
}

/**
 * Owns the re-keying of records that share an id which some sources cannot know (bulk formats 3.8): officers files have
 * person numbers, a stream has the officer's real id. Told of one appointment, it is from then on that of all of the
 * person, held already or to come, whatever the order.
 *
 * How it is kept without a lock: who has written a real id notes it before it looks for records under the derived one,
 * and who has written a derived id looks for a note afterwards; so of two workers that meet at least one sees the other.
 * Each step may be done again.
 *
 * Limit: of two real ids of one key the one that was told first goes to the records of which none was told.
 */
import type { RecordDefinition, SharedId, StoredRecord } from "../api/resources/define-record.ts";
import { keyOf } from "../api/core/key-of.ts";
import type { Members } from "../api/core/members.ts";
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { Truth } from "./write-rows.ts";
import { withData } from "./statements/absorb.ts";
import { guardLooks } from "./statements/write.ts";

const COLLECTION = "shared_ids";
// Limit: records re-keyed in one go, some 1.2 kB each; a nominee may have a hundred thousand.
const CHUNK_RECORDS = 2_000;

/** Told, before it happens, which records will be replaced by which. */
export type OnRekey = (held: StoredRecord[], rekeyed: StoredRecord[]) => Promise<void>;

/**
 * Gives the shared id to all records that lack it, of those whose key is that of a record that has come in or has been
 * written: what comes in may tell the id although something newer is held of its record, or its removal.
 */
export async function rekey(
  truth: Truth,
  record: RecordDefinition,
  told: readonly Members[],
  onRekey: OnRekey,
): Promise<void> {
  const { sharedId } = record;
  if (!sharedId) return;
  const known = await learn(truth.documents, record, sharedId, told);
  const derived = new Map([...known].map(([key, id]) => [sharedId.derive(key), id]));
  // An id that another key derives is no real one; two such would be exchanged without end.
  const real = new Map([...derived].filter(([, id]) => !derived.has(id)));
  if (real.size === 0) return;
  const filter = { [sharedId.field]: [...real.keys()] };
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const held: StoredRecord[] = await truth.records.fetchPage(record, {
      ...{ filter, sort: [], skip: 0, limit: CHUNK_RECORDS },
    });
    if (held.length === 0) return;
    const rekeyed = held.map((item) => withId(record, sharedId, item, real));
    await onRekey(held, rekeyed);
    const replacements = rekeyed.map((stored, at) => ({ stored, held: held[at] ?? stored }));
    // Each that is replaced leaves the filter; when none was, others are writing all of them.
    if ((await truth.writer.replaceHeld(record, replacements)) > 0) look = 0;
  }
}

/** The shared ids that are known of the keys of these records, those that they tell themselves included. */
async function learn(
  documents: DocumentStore,
  record: RecordDefinition,
  sharedId: SharedId,
  told: readonly Members[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const item of told) {
    const key = sharedId.keyOf(item);
    if (key === undefined) continue;
    const id = keyOf(item, sharedId.field);
    if (id !== sharedId.derive(key)) ids.set(key, id);
    else if (!ids.has(key)) ids.set(key, "");
  }
  if (ids.size === 0) return ids;
  const isTelling = [...ids.values()].some((id) => id !== "");
  // A first load of bulk files has nothing to look for: one small read a batch.
  if (!isTelling && !(await documents.fetch(COLLECTION, record.collection))) return new Map();
  const known = await fetchNotes(documents, record, ids.keys());
  const news = new Map([...ids].filter(([key, id]) => id !== "" && !known.has(key)));
  if (news.size === 0) return known;
  // The mark stands before the first note.
  await documents.putMissing(COLLECTION, [{ _id: record.collection }]);
  const notes = [...news].map(([key, id]) => ({ _id: noteIdOf(record, key), id }));
  await documents.putMissing(COLLECTION, notes);
  // Another worker may have noted another id in between.
  return new Map([...known, ...(await fetchNotes(documents, record, news.keys()))]);
}

async function fetchNotes(
  documents: DocumentStore,
  record: RecordDefinition,
  keys: Iterable<string>,
): Promise<Map<string, string>> {
  const noteIds = Array.from(keys, (key) => noteIdOf(record, key));
  const found = await documents.fetchAll(COLLECTION, { _id: noteIds });
  const prefix = noteIdOf(record, "");
  return new Map(found.map(({ _id, id }) => [String(_id).slice(prefix.length), String(id)]));
}

/** Under the same revision: the rerun of its batch then recognises it as its own. */
function withId(
  record: RecordDefinition,
  { field }: SharedId,
  held: StoredRecord,
  real: ReadonlyMap<string, string>,
): StoredRecord {
  return withData(record, held, { ...(held.data as object), [field]: real.get(keyOf(held, field)) });
}

function noteIdOf({ collection }: RecordDefinition, key: string): string {
  return `${collection}/${key}`;
}

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
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { Truth } from "./both-stores.ts";
import { guardLooks } from "./writers/mongo.ts";
import { toStored } from "./writers/stored.ts";
import { isDrawn, markDrawn } from "./writers/versions.ts";

const COLLECTION = "shared_ids";
// Limit: records re-keyed in one go, some 1.2 kB each; a nominee may have a hundred thousand.
const CHUNK_RECORDS = 2_000;

/** Told, before it happens, which records will be replaced by which. */
export type OnRekey = (held: StoredRecord[], rekeyed: StoredRecord[]) => Promise<void>;

/** Gives the shared id to all records that lack it, of those whose key is that of a record that has been written. */
export async function rekey(
  truth: Truth,
  record: RecordDefinition,
  written: readonly StoredRecord[],
  onRekey: OnRekey,
): Promise<void> {
  const { sharedId } = record;
  if (!sharedId || written.length === 0) return;
  const known = await learn(truth.documents, record, { sharedId, written });
  if (known.size === 0) return;
  const real = new Map([...known].map(([key, id]) => [sharedId.derive(key), id]));
  const filter = { [sharedId.field]: [...real.keys()] };
  for (let look = 1; ; look += 1) {
    guardLooks(look, record);
    const held: StoredRecord[] = await truth.records.fetchPage(record, {
      ...{ filter, sort: [], skip: 0, limit: CHUNK_RECORDS },
    });
    if (held.length === 0) return;
    const rekeyed = held.map((item) => withId(record, sharedId, item, real));
    await onRekey(held, rekeyed);
    const replacements = rekeyed.map((stored) => ({ stored, heldRevision: stored.revision }));
    // Each that is replaced leaves the filter; when none was, others are writing all of them.
    if ((await truth.writer.replaceHeld(record, replacements)) > 0) look = 0;
  }
}

/** The shared ids that are known of the keys of these records, those that they tell themselves included. */
async function learn(
  documents: DocumentStore,
  record: RecordDefinition,
  { sharedId, written }: { sharedId: SharedId; written: readonly StoredRecord[] },
): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  const asked = new Set<string>();
  for (const item of written) {
    const key = sharedId.keyOf(item.data);
    if (key === undefined) continue;
    const id = keyOf(item, sharedId.field);
    if (id === sharedId.derive(key)) asked.add(key);
    else told.set(key, id);
  }
  if (told.size > 0) {
    // A first load of bulk files then looks for no notes.
    await markDrawn(documents, record.collection);
    const notes = [...told].map(([key, id]) => ({ _id: noteIdOf(record, key), id }));
    for (const noteId of await documents.putMissing(COLLECTION, notes)) asked.add(keyOfNote(noteId));
  } else if (!(await isDrawn(documents, record.collection))) return told;
  const ids = [...asked].map((key) => noteIdOf(record, key));
  for (const { _id, id } of await documents.fetchAll(COLLECTION, { _id: ids })) {
    told.set(keyOfNote(String(_id)), String(id));
  }
  return told;
}

/** Under the same revision: the rerun of its batch then recognises it as its own. */
function withId(
  record: RecordDefinition,
  { field }: SharedId,
  held: StoredRecord,
  real: ReadonlyMap<string, string>,
): StoredRecord {
  const data = { ...(held.data as object), [field]: real.get(keyOf(held, field)) };
  return { ...held, ...toStored(record, data, held.revision) };
}

function noteIdOf({ collection }: RecordDefinition, key: string): string {
  return `${collection}/${key}`;
}

function keyOfNote(noteId: string): string {
  return noteId.slice(noteId.indexOf("/") + 1);
}

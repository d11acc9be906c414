/**
 * Owns the fingerprints of the last edition of each source, by the batches in which it was loaded: rows of the next one, or of
 * the same one again, that say the same need not be compared with the records that they tell of. That holds as long as nobody
 * else has told of these kinds of record.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { readNamed, type Ids } from "../log/changes.ts";
import { AGAIN } from "../statements/known-rows.ts";

const COLLECTION = "fingerprints";
const EDITION = "edition";

export const fingerprintsIndexes = { collection: COLLECTION, indexes: [{ fields: ["kind"] }] };

/** A file of an edition, as it is known again. */
export interface EditionFile {
  /** Its source, what it covers of it, and its part of a set. */
  key: string;
  source: string;
  /** Collections of the records that it fills. */
  collections: readonly string[];
}

/** What the last load of such a file has left, under its key. */
interface Kept extends Omit<EditionFile, "key"> {
  _id: string;
  kind: typeof EDITION;
  load: string;
  /** True: another source has told of these collections since, or a load of the next edition has begun. */
  isTouched: boolean;
}

/**
 * Notes that a load begins; returns by the key of each of its files the load whose fingerprints its rows can be compared with.
 * `files` are those of editions, `filled` all collections that the load fills.
 */
export async function beginEdition(
  documents: DocumentStore,
  files: readonly EditionFile[],
  filled: readonly string[],
): Promise<Map<string, string>> {
  const usable = new Map<string, string>();
  for (const kept of (await documents.fetchAll(COLLECTION, { kind: EDITION })) as unknown as Kept[]) {
    if (!kept.collections.some((name) => filled.includes(name))) continue;
    const own = files.find(({ key }) => key === kept._id);
    if (own && !kept.isTouched) usable.set(own.key, kept.load);
    // No record stands in two files of one edition, so that they do not touch each other.
    const isOther = files.every(({ source }) => source !== kept.source);
    if (own || isOther) await documents.amend(COLLECTION, [{ _id: kept._id, isTouched: true }]);
  }
  return usable;
}

/** Keeps the fingerprints of a load that has ended, in place of those that stood there. */
export async function keepEdition(
  documents: DocumentStore,
  load: string,
  files: readonly EditionFile[],
): Promise<void> {
  const again = new Set<string>();
  for await (const { _id, named, prints } of readPrints(documents, load)) {
    await documents.putMissing(COLLECTION, [{ _id, ids: named.join("\n"), prints: prints.join("\n") }]);
    for (const [at, print] of prints.entries()) if (print === AGAIN) again.add(named[at] ?? "");
  }
  // What rows of several batches tell of is known by none of them: each may have been the first that was written.
  for await (const { _id, named, prints } of again.size > 0 ? readPrints(documents, load) : []) {
    const left = prints.map((print, at) => (again.has(named[at] ?? "") ? AGAIN : print));
    if (named.some((id) => again.has(id)))
      await documents.amend(COLLECTION, [{ _id, prints: left.join("\n") }]);
  }
  for (const { key, ...file } of files) {
    const former = await documents.fetch(COLLECTION, key);
    await documents.put(COLLECTION, { _id: key, kind: EDITION, load, ...file, isTouched: false });
    if (!former || former.load === load) continue;
    const left = idOf(String(former.load), [""]);
    await documents.removeBetween(COLLECTION, { after: left, before: `${left}~` });
  }
}

/** The records that each batch of a load has named, and what is known of each. */
async function* readPrints(documents: DocumentStore, load: string) {
  for await (const { ids, prints = "" } of readNamed(documents, load)) {
    const named = Object.values(ids).flat();
    if (prints !== "") yield { _id: idOf(load, named), named, prints: prints.split("\n") };
  }
}

/** Fingerprints by id, of the batch of a load that began as this one does; none where none did. `ids`: those of the batch. */
export async function fetchPrints(
  documents: DocumentStore,
  load: string | undefined,
  ids: Ids,
): Promise<ReadonlyMap<string, string>> {
  const named = Object.values(ids).flat();
  const found =
    load !== undefined && named.length > 0 ? await documents.fetch(COLLECTION, idOf(load, named)) : null;
  if (!found) return new Map();
  const prints = String(found.prints).split("\n");
  const lines = String(found.ids).split("\n").entries();
  return new Map(Array.from(lines, ([at, id]): [string, string] => [id, prints[at] ?? ""]));
}

/** A batch is known again by the first record that it names. */
function idOf(load: string, [first = ""]: readonly string[]): string {
  return `${load}/${first}`;
}

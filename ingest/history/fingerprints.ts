/**
 * Owns the fingerprints of the last edition of each source, by the batches in which it was loaded: rows that say the same in
 * the next load need not be compared with their records, as long as no other source has told of these kinds of record.
 */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { readNamed, type Ids } from "../log/changes.ts";
import { AGAIN } from "../statements/known-rows.ts";

const COLLECTION = "fingerprints";
const EDITION = "edition";

export const fingerprintsIndexes = { collection: COLLECTION, indexes: [{ fields: ["kind"] }] };

/** A file of an edition, and the collections that it fills. That of the next edition is known by the same id. */
export interface EditionFile {
  /** Its source, what it covers of it, and its part of a set. */
  _id: string;
  source: string;
  collections: readonly string[];
}

/** What the last load of such a file has left. */
interface Kept extends EditionFile {
  kind: typeof EDITION;
  load: string;
  /** True: another source has told of these collections since, or a load of the next edition has begun. */
  isTouched: boolean;
}

/**
 * Notes that a load begins; returns by the ids of its files the loads whose fingerprints their rows can be compared with.
 * `files` are those of editions, `filled` all collections that the load fills.
 */
export async function beginEdition(
  documents: DocumentStore,
  files: readonly EditionFile[],
  filled: readonly string[],
): Promise<Map<string, string>> {
  const usable = new Map<string, string>();
  // The cast: documents of this kind are written below.
  const all = (await documents.fetchAll(COLLECTION, { kind: EDITION })) as unknown as Kept[];
  for (const { _id, collections, source, isTouched, load } of all) {
    if (!collections.some((name) => filled.includes(name))) continue;
    const isOwn = files.some((file) => file._id === _id);
    if (isOwn && !isTouched) usable.set(_id, load);
    // No record stands in two files of one edition, so that they do not touch each other.
    if (isOwn || files.every((file) => file.source !== source))
      await documents.amend(COLLECTION, [{ _id, isTouched: true }]);
  }
  return usable;
}

/** Keeps the fingerprints of a load that has ended, in place of those that stood there. */
export async function keepEdition(documents: DocumentStore, load: string, files: readonly EditionFile[]) {
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
  for (const file of files) {
    const former = await documents.fetch(COLLECTION, file._id);
    await documents.put(COLLECTION, { ...file, kind: EDITION, load, isTouched: false });
    const left = `${String(former?.load)}/`;
    if (former && former.load !== load)
      await documents.removeBetween(COLLECTION, { after: left, before: `${left}~` });
  }
}

/** The records that each batch of a load has named, and their fingerprints. */
async function* readPrints(documents: DocumentStore, load: string) {
  for await (const { ids, prints = "" } of readNamed(documents, load)) {
    const named = Object.values(ids).flat();
    if (prints !== "") yield { _id: idOf(load, named), named, prints: prints.split("\n") };
  }
}

/** Fingerprints by id, of the batch of a load that began as this one does; none where none did. `ids`: those of the batch. */
export async function fetchPrints(documents: DocumentStore, load: string | undefined, ids: Ids) {
  const named = Object.values(ids).flat();
  const isKnown = load !== undefined && named.length > 0;
  const found = isKnown ? await documents.fetch(COLLECTION, idOf(load, named)) : null;
  const [known = [], prints = []] = found
    ? [found.ids, found.prints].map((text) => String(text).split("\n"))
    : [];
  return new Map(known.map((id, at) => [id, prints[at] ?? ""]));
}

/** A batch is known again by the first record that it names. */
function idOf(load: string, [first = ""]: readonly string[]): string {
  return `${load}/${first}`;
}

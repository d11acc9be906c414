/**
 * Owns the fingerprints of the last edition of each source, by the batches in which it was loaded: rows that say the same in
 * the next load need not be compared with their records, as long as no other source has told of these kinds of record.
 */
import { contentHash } from "../../api/core/identifiers.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import { readNamed, type Ids } from "../log/changes.ts";
import { findTable } from "../sources/index.ts";
import { keysOfHeld, sayingOf, type Incoming } from "../statements/absorb.ts";

const COLLECTION = "fingerprints";
const EDITION = "edition";
// In place of a fingerprint: rows of several batches tell of the record, which is looked at each time.
export const AGAIN = "!";

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
    if (!isTouched && (isOwn || files.every((file) => file.source !== source)))
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

// Hex digits: of 23 million rows that all were changed none is expected to be taken for what it was.
const DIGITS = 12;

/** The fingerprint of a row; undefined where more than the row decides what becomes of its record. */
function fingerprintOf(record: RecordDefinition, row: Incoming): string | undefined {
  const [{ data, ...stamp } = { at: "" }, ...others] = row.statements;
  if (!data || others.length > 0 || row.isUndated || row.isMeant) return undefined;
  return print({ etag: contentHash(data), revision: 0, told: [stamp] }, record.keysOf(data));
}

/** The fingerprint of what a record has been made of: that of a row where it was one alone. */
export function fingerprintOfHeld(held: HeldRecord): string {
  return held.told?.some(({ again }) => again) ? AGAIN : print(held, keysOfHeld(held));
}

/** The keys are part of it: a release that finds records by others compares them all. */
function print(held: Pick<HeldRecord, "etag" | "told" | "revision">, keys: object): string {
  return contentHash([held.etag, keys, sayingOf(held, findTable)]).slice(0, DIGITS);
}

/** The rows of one batch by their fingerprints: those that say what they said before, then what has become of the others. */
export class KnownRows {
  private readonly prints = new Map<string, string>();

  /** `before`: by the ids of records, those of the batch of the edition before. */
  constructor(private readonly before: ReadonlyMap<string, string>) {}

  /** Takes away the rows that need not be looked at. */
  leaveOut(record: RecordDefinition, rows: Map<string, Incoming>): void {
    for (const [id, row] of this.before.size > 0 ? rows : []) {
      const print = this.before.get(id);
      if (!print || fingerprintOf(record, row) !== print) continue;
      this.prints.set(id, print);
      rows.delete(id);
    }
  }

  /** Takes what became of rows. */
  note(outcome: readonly { held: HeldRecord }[]): void {
    for (const { held } of outcome) this.prints.set(held._id, fingerprintOfHeld(held));
  }

  /** Of each record that a batch names, in their order, a line each; empty where it has none. */
  listPrints(ids: Ids): string {
    const named = Object.values(ids).flat();
    return named.map((id) => this.prints.get(id) ?? "").join("\n");
  }
}

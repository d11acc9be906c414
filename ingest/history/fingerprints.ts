/**
 * Fingerprints of each source's last edition, by batch. A row that is the same in the next edition is not
 * compared with its record, unless any other load has written these kinds of record since.
 */
import { groupBy } from "../../api/shared/values/group-by.ts";
import { contentHash, hashOnce } from "../../api/shared/values/identifiers.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import type { RecordOrTombstone, RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { PartedLines } from "../load/parted-lines.ts";
import { placeOf } from "../load/repeats.ts";
import { readNamed, type Ids } from "../log/changes.ts";
import { findMergeRules } from "../sources/index.ts";
import { keysOfStored, comparableOf, type Incoming } from "../statements/absorb.ts";

const COLLECTION = "fingerprints";
const EDITION = "edition";
// In place of a fingerprint: rows of several batches wrote the record, so it is compared each time.
export const AGAIN = "!";

export const fingerprintsIndexes = { collection: COLLECTION, indexes: [{ fields: ["kind"] }] };

/** A file of an edition, and the collections that it fills; the same file has the same id in each edition. */
export interface EditionFile {
  /** Source, scope and part. */
  _id: string;
  collections: readonly string[];
}

/** A file of a load: stored when the load begins, so that the loads that write beside it can mark it, too. */
interface Edition {
  _id: string;
  kind: typeof EDITION;
  load: string;
  /** Id of the file. */
  file: string;
  collections: readonly string[];
  /** True once all fingerprints of the load are stored. */
  isKept: boolean;
  /** True: another load of these collections has begun or ended since. */
  isTouched: boolean;
}

/** Begins a load of these files and collections; returns, by file id, the loads whose fingerprints it can use. */
export async function beginEdition(
  documents: DocumentStore,
  load: string,
  { files, filled }: { files: readonly EditionFile[]; filled: readonly string[] },
): Promise<Map<string, string>> {
  const known = await touchEditions(documents, load, filled);
  for (const { _id: file, collections } of files) {
    const edition = { kind: EDITION, load, file, collections, isKept: false, isTouched: false };
    await documents.put(COLLECTION, { _id: editionId(load, file), ...edition });
  }
  const isOwn = ({ file }: Edition) => files.some(({ _id }) => _id === file);
  return new Map(known.filter(isOwn).map(({ file, load: of }) => [file, of]));
}

/**
 * Says that a load writes these collections: call it before the load writes and, since it may have lost its locks meanwhile,
 * after that. Returns the editions of other loads whose fingerprints were good until now.
 */
export async function touchEditions(
  documents: DocumentStore,
  load: string,
  filled: readonly string[],
): Promise<Edition[]> {
  // Also another part of the same source: from one edition to the next, records move between parts.
  const isOf = (edition: Edition) =>
    edition.load !== load && edition.collections.some((name) => filled.includes(name));
  const touched = (await fetchEditions(documents)).filter((edition) => !edition.isTouched && isOf(edition));
  for (const { _id } of touched) await documents.amend(COLLECTION, [{ _id, isTouched: true }]);
  return touched.filter(({ isKept }) => isKept);
}

// Rows of a part are held in memory; fewer make more files.
const ROWS_A_PART = 10_000;

/**
 * Finds records that several batches of a load have named, in the change log and in constant memory: ids go to temporary
 * files first. `rows`: of the load; 0 finds none. `overtaken`: revisions of batches that may have found their row unchanged
 * before an earlier row of the same file changed its record: the last row of a file counts, so they have to run again.
 */
export async function findRepeated(documents: DocumentStore, load: string, rows: number) {
  const ids = new Set<string>();
  const overtaken = new Set<number>();
  if (rows === 0) return { ids, overtaken };
  const lines = new PartedLines(Math.ceil(rows / ROWS_A_PART));
  try {
    for await (const { revision, named, prints } of readPrints(documents, load))
      for (const [at, id] of named.entries())
        lines.add(placeOf(id, lines.parts), `${id}\t${revision}\t${prints[at]}`);
    for (let part = 0; part < lines.parts; part += 1) {
      const named = lines.read(part).map((line) => {
        const [id = "", revision, print] = line.split("\t");
        return { id, revision: Number(revision), print };
      });
      for (const [id, batches] of groupBy(named, (one) => one.id)) {
        if (batches.length === 1) continue;
        ids.add(id);
        const { revision = 0, print } = batches.toSorted((a, b) => a.revision - b.revision).at(-1) ?? {};
        if (print !== AGAIN && batches.some((other) => other.print !== print)) overtaken.add(revision);
      }
    }
    return { ids, overtaken };
  } finally {
    await lines.remove();
  }
}

/** What a load has written. */
export interface EndedEditions {
  files: readonly EditionFile[];
  filled: readonly string[];
  repeated: ReadonlySet<string>;
}

/**
 * Stores the fingerprints of a load that has written everything, unless another load of the same collections has begun or
 * ended since it began, as where it has lost its locks. Removes those that can never be used again: of the load before, and of
 * other files that filled the same collections alone. Repeated records keep none.
 */
export async function keepEdition(
  documents: DocumentStore,
  load: string,
  { files, filled, repeated }: EndedEditions,
): Promise<void> {
  await touchEditions(documents, load, filled);
  if (files.length === 0) return;
  for await (const { _id, named, prints } of readPrints(documents, load)) {
    const kept = prints.map((print, at) => (repeated.has(named[at] ?? "") ? AGAIN : print));
    await documents.put(COLLECTION, { _id, ids: named.join("\n"), prints: kept.join("\n") });
  }
  const outcomes: boolean[] = [];
  for (const { _id: file } of files) {
    const untouched = { _id: editionId(load, file), isTouched: false };
    outcomes.push(await documents.amendIf(COLLECTION, untouched, { isKept: true }));
  }
  if (!outcomes.includes(true)) await removePrints(documents, load);
  await removeUnusable(documents, files);
}

/** Removes touched files that filled no other collections than these, and the fingerprints of loads that have no other files. */
async function removeUnusable(documents: DocumentStore, files: readonly EditionFile[]): Promise<void> {
  const filled = new Set(files.flatMap(({ collections }) => collections));
  const editions = await fetchEditions(documents);
  const isUnusable = ({ isTouched, collections }: Edition) =>
    isTouched && collections.every((name) => filled.has(name));
  const left = new Set(editions.filter((edition) => !isUnusable(edition)).map(({ load }) => load));
  for (const { _id, load } of editions.filter(isUnusable)) {
    if (!left.has(load)) await removePrints(documents, load);
    await documents.remove(COLLECTION, _id);
  }
}

/** Removes the fingerprints that a load has kept. */
export function removePrints(documents: DocumentStore, load: string): Promise<unknown> {
  return documents.removeBetween(COLLECTION, { after: `${load}/`, before: `${load}/~` });
}

async function fetchEditions(documents: DocumentStore): Promise<Edition[]> {
  // The cast: they are written here.
  return (await documents.fetchAll(COLLECTION, { kind: EDITION })) as unknown as Edition[];
}

/** Not among the fingerprints of the load. */
function editionId(load: string, file: string): string {
  return `${EDITION}/${load}/${file}`;
}

async function* readPrints(documents: DocumentStore, load: string) {
  for await (const { ids, revision = 0, prints = "" } of readNamed(documents, load)) {
    const named = Object.values(ids).flat();
    if (prints !== "") yield { _id: idOf(load, named), revision, named, prints: prints.split("\n") };
  }
}

/** Fingerprints by record id, of the batch of an earlier load that began with the same record. */
export async function fetchPrints(documents: DocumentStore, load: string | undefined, ids: Ids) {
  const named = Object.values(ids).flat();
  const isKnown = load !== undefined && named.length > 0;
  const found = isKnown ? await documents.fetch(COLLECTION, idOf(load, named)) : null;
  if (!found) return new Map<string, string>();
  const prints = String(found.prints).split("\n");
  return new Map(Array.from(String(found.ids).split("\n"), (id, at) => [id, prints[at] ?? ""]));
}

/** Batches are matched by their first record. */
function idOf(load: string, [first = ""]: readonly string[]): string {
  return `${load}/${first}`;
}

// Hex digits: of 23 million changed rows none is expected to be taken for unchanged.
const DIGITS = 12;

/** The fingerprint of a row; undefined where the result depends on more than the row. */
function fingerprintOf(record: RecordDefinition, row: Incoming): string | undefined {
  const [{ data, ...stamp } = { at: "" }, ...others] = row.statements;
  if (!data || others.length > 0 || row.isUndated || row.isApplicable) return undefined;
  return print({ etag: hashOnce(data), revision: 0, told: [stamp] }, record.keysOf(data));
}

/** The fingerprint of a record: that of its row, where it was made of one. */
export function fingerprintOfStored(stored: RecordOrTombstone): string {
  return stored.told?.some(({ again }) => again) ? AGAIN : print(stored, keysOfStored(stored));
}

/** Includes the keys: a release with other keys compares all records. */
function print(stored: Pick<RecordOrTombstone, "etag" | "told" | "revision">, keys: object): string {
  return contentHash([stored.etag, keys, comparableOf(stored, findMergeRules)]).slice(0, DIGITS);
}

/** Leaves out rows of one batch that are unchanged, and collects the fingerprints of all. */
export class KnownRows {
  private readonly prints = new Map<string, string>();

  /** `before`: fingerprints by record id, of the edition before. */
  constructor(private readonly before: ReadonlyMap<string, string>) {}

  leaveOut(record: RecordDefinition, rows: Map<string, Incoming>): void {
    for (const [id, row] of this.before.size > 0 ? rows : []) {
      const print = this.before.get(id);
      if (!print || fingerprintOf(record, row) !== print) continue;
      this.prints.set(id, print);
      rows.delete(id);
    }
  }

  note(outcome: readonly { stored: RecordOrTombstone }[]): void {
    for (const { stored } of outcome) this.prints.set(stored._id, fingerprintOfStored(stored));
  }

  /** A line for each of these records, in order; empty where it has no fingerprint. */
  listPrints(ids: Ids): string {
    const named = Object.values(ids).flat();
    return named.map((id) => this.prints.get(id) ?? "").join("\n");
  }
}

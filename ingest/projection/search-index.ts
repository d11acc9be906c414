/** Owns the writing of search documents: what changed in MongoDB is projected into every index built from it. */
import { RefusedDocumentError } from "../../api/core/errors.ts";
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isNextName } from "../../api/core/stores/elasticsearch-names.ts";
import type { IndexRefusal, IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type {
  AliasedIndex,
  IndexAlias,
  IndexDefinition,
  SearchDocument,
} from "../../index-mappings/define-index.ts";
import { indicesOf } from "../../index-mappings/index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import type { Change, Ids } from "../log/changes.ts";
import { fetchGroupWrites, toGroupWrites } from "./group-documents.ts";
import { fetchFit, type Fit } from "./live-fit.ts";

/** What documents are made of. */
export interface Written {
  /** Records as they are held, of indices that have a document a record. */
  records: readonly HeldRecord[];
  /** Ids of documents of several records, which are read. */
  documents: readonly string[];
}

/** True when a document of the index is made of one record alone, and bears its revision as its version. */
export function bearsRevision({ groupBy }: Pick<AliasedIndex, "groupBy">): boolean {
  return groupBy === "_id";
}

/**
 * Brings one index up to date, under its live name or that of the one being built. MongoDB must have been written before:
 * documents of several records are made from what it holds. Returns the live index, by its own name. Throws
 * RefusedDocumentError when Elasticsearch refuses a document, since a projection that does not fit its mapping is a fault of
 * the code and not of the row; UnavailableError for an index of other name rules: no document goes into it.
 */
export async function writeIndexDocuments(
  stores: Stores,
  index: AliasedIndex,
  { records, documents }: Written,
): Promise<string | undefined> {
  const writes = bearsRevision(index)
    ? toWrites(index, records)
    : await fetchGroupWrites(stores, index, documents);
  return writeIndex(stores, index, writes);
}

/**
 * Writes what a batch has in hand, without reading it back; returns the live indices, by their own names, that have its
 * documents now, but for those apart.
 */
export async function writeInHand(
  stores: Stores,
  record: RecordDefinition,
  records: readonly HeldRecord[],
  whole?: WholeDocuments,
): Promise<Change["indexed"]> {
  const indexed: Change["indexed"] = {};
  for (const index of indicesOf(record)) {
    if (records.length === 0 || (!whole && !bearsRevision(index))) continue;
    const writes =
      whole && !bearsRevision(index) ? toWholeWrites(index, records, whole) : toWrites(index, records);
    const live = await writeIndex(stores, index, writes);
    if (live !== undefined) indexed[index.name] = live;
  }
  return indexed;
}

/** Which documents of several records are made of what one batch has in hand. */
export interface WholeDocuments {
  /** The version that they bear. */
  version: number;
  /** Those that are not. */
  apart: readonly string[];
  /** The records all belong to the one that is apart, and so do those of as many batches in all. */
  pieces?: number | undefined;
}

function toWholeWrites(
  index: IndexDefinition,
  records: readonly HeldRecord[],
  { version, apart }: WholeDocuments,
): IndexWrite[] {
  const isApart = new Set(apart);
  const whole = records.filter(isThere).filter((item) => !isApart.has(keyOf(item, index.groupBy)));
  return toGroupWrites(index, whole, version);
}

/** Writes documents to one index, under its live name or that of the one being built; returns the live one. */
export async function writeIndex(
  stores: Stores,
  index: AliasedIndex,
  writes: IndexWrite[],
): Promise<string | undefined> {
  const { name } = index;
  if (writes.length === 0) return undefined;
  if (!isNextName(name)) return writeLive(stores, { ...index, name }, writes);
  requireAccepted(name, await stores.elasticsearch.write(name, writes));
  return undefined;
}

async function writeLive(
  { elasticsearch }: Stores,
  index: IndexDefinition,
  writes: IndexWrite[],
): Promise<string | undefined> {
  // Asked anew for each write, since another process may have moved the alias; cheap beside a bulk write.
  const [live] = await requireNameRules(elasticsearch, [index.name]);
  const { isCut, fit } = await fetchFit(elasticsearch, index, live);
  const fitted = isCut ? writes.map((write) => ({ ...write, document: fitDocument(write, fit) })) : writes;
  // Should the alias move now, the whole document of the new index stands against the cut one of the same version.
  requireAccepted(index.name, await elasticsearch.write(index.name, fitted, { isNewerOnly: isCut }));
  return live?.name;
}

function fitDocument({ document }: IndexWrite, fit: Fit["fit"]): IndexWrite["document"] {
  if (document === null) return null;
  return fit(typeof document === "string" ? (JSON.parse(document) as SearchDocument) : document);
}

function requireAccepted(name: IndexAlias, refusals: IndexRefusal[]): void {
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
}

/** Ids of the documents of several records that these records are in, by index; none where every record has its own. */
export function documentsOf(record: RecordDefinition, records: readonly HeldRecord[]): Ids {
  const grouped = indicesOf(record).filter((index) => !bearsRevision(index));
  const there = records.filter(isThere);
  return Object.fromEntries(
    grouped.map(
      ({ name, groupBy }) => [name, [...new Set(there.map((item) => keyOf(item, groupBy)))]] as const,
    ),
  );
}

function isThere(item: HeldRecord): item is StoredRecord {
  return !isGone(item);
}

/** A record that is gone has no document any more. */
function toWrites(index: AliasedIndex, records: readonly HeldRecord[]): IndexWrite[] {
  return records.map((item) => ({
    id: item._id,
    version: item.revision,
    document: isGone(item) ? null : toJson(index.document([item])),
  }));
}

/** At once to JSON: documents that wait as objects cost the collector of garbage as much as making them. */
export function toJson(document: SearchDocument | null): string | null {
  return document && JSON.stringify(document);
}

/** Owns the writing of search documents: what changed in MongoDB is projected into every index built from it. */
import { RefusedDocumentError } from "../../api/core/errors.ts";
import { isGone } from "../../api/core/gone.ts";
import { keyOf } from "../../api/core/key-of.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isNextName } from "../../api/core/stores/elasticsearch-names.ts";
import type { IndexRefusal, IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { AliasedIndex, IndexAlias, IndexDefinition } from "../../index-mappings/define-index.ts";
import { indicesOf } from "../../index-mappings/index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import type { FormerGroup } from "../unindexed.ts";
import { writeBuild } from "./build-writes.ts";
import { fetchGroupWrites } from "./group-documents.ts";
import { fetchFit, type Fit } from "./live-fit.ts";
import { bearsRevision } from "./versions.ts";

/** What a batch has written to MongoDB. */
export interface WrittenBatch {
  records: readonly HeldRecord[];
  /** Groups that records have left. */
  formerGroups: FormerGroup[];
  /** The revision of all these records, where it belongs to them alone. */
  ownRevision?: number | undefined;
}

/**
 * Brings the indices built from these records up to date. MongoDB must have been written before: documents
 * of a group are made from what it holds, those of `formerGroups` included, which a record has left. Throws
 * when Elasticsearch refuses a document, since a projection that does not fit its mapping is a fault of the
 * code and not of the row. Throws UnavailableError for an index of other name rules: no document goes into it.
 */
export async function writeSearchDocuments(
  stores: Stores,
  record: RecordDefinition,
  batch: WrittenBatch,
): Promise<void> {
  for (const index of indicesOf(record)) await writeIndexDocuments(stores, index, batch);
}

/** The same for one index: the live one, with the one that is being built beside it, or that one alone. */
export async function writeIndexDocuments(
  stores: Stores,
  index: AliasedIndex,
  batch: WrittenBatch,
): Promise<void> {
  const writes = bearsRevision(index)
    ? toWrites(index, batch.records)
    : await fetchWrites(stores, index, batch);
  if (writes.length === 0) return;
  const { name } = index;
  if (isNextName(name)) return requireAccepted(name, await stores.elasticsearch.write(name, writes));
  await writeBuild(stores, { ...index, name }, writes);
  await writeLive(stores, { ...index, name }, writes);
}

async function fetchWrites(
  stores: Stores,
  index: AliasedIndex,
  { records, formerGroups, ownRevision }: WrittenBatch,
): Promise<IndexWrite[]> {
  const there = records.filter((item): item is StoredRecord => !isGone(item));
  const left = formerGroups.filter((group) => index.groupBy in group);
  const ids = [...new Set([...there, ...left].map((item) => keyOf(item, index.groupBy)))];
  if (ids.length === 0) return [];
  const own = ownRevision === undefined ? undefined : { revision: ownRevision, records: there };
  return fetchGroupWrites(stores, index, ids, own);
}

async function writeLive(
  { elasticsearch }: Stores,
  index: IndexDefinition,
  writes: IndexWrite[],
): Promise<void> {
  // Asked anew for each write, since another process may have moved the alias; cheap beside a bulk write.
  const [live] = await requireNameRules(elasticsearch, [index.name]);
  const { isCut, fit } = await fetchFit(elasticsearch, index, live);
  const fitted = isCut ? writes.map((write) => ({ ...write, document: fitDocument(write, fit) })) : writes;
  // Should the alias move now, the whole document of the new index stands against the cut one of the same version.
  requireAccepted(index.name, await elasticsearch.write(index.name, fitted, { isNewerOnly: isCut }));
}

function fitDocument({ document }: IndexWrite, fit: Fit["fit"]): IndexWrite["document"] {
  return typeof document === "object" && document !== null ? fit(document) : document;
}

function requireAccepted(name: IndexAlias, refusals: IndexRefusal[]): void {
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
}

/** True when an index is built from these records, so that they are written to both stores. */
export function isIndexed(record: RecordDefinition): boolean {
  return indicesOf(record).length > 0;
}

/**
 * The groups that these records are in and may leave when they are replaced or go, one entry a record; none where every
 * record is a document of its own.
 */
export function formerGroupsOf(record: RecordDefinition, records: readonly StoredRecord[]): FormerGroup[] {
  const grouped = indicesOf(record).filter(({ groupBy }) => groupBy !== "_id");
  return toGroups(grouped, records);
}

function toGroups(grouped: IndexDefinition[], records: readonly StoredRecord[]): FormerGroup[] {
  if (grouped.length === 0) return [];
  return records.map((item) =>
    Object.fromEntries(grouped.map((index) => [index.groupBy, keyOf(item, index.groupBy)] as const)),
  );
}

/** A record that is gone has no document any more. */
function toWrites(index: AliasedIndex, records: readonly HeldRecord[]): IndexWrite[] {
  return records.map((item) => ({
    id: item._id,
    version: item.revision,
    document: isGone(item) ? null : index.document([item]),
  }));
}

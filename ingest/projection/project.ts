/** Writes changes to search indices: documents of records that a batch has in memory, or made again from MongoDB. */
import { NotReadyError, RefusedDocumentError } from "../../api/shared/runtime/errors.ts";
import { isNextName, versionOf } from "../../api/shared/stores/elasticsearch/names.ts";
import type { IndexWrite, LiveIndex } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { RecordOrTombstone, RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import {
  indexNameOf,
  type AliasedIndex,
  type IndexDefinition,
} from "../../api/shared/definitions/define-index.ts";
import { indices, indicesOf } from "../../index-mappings/index.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import { fetchRefusals, markRefused, readChanges, type Change } from "../log/changes.ts";
import { documentsOf, fetchWrites, toWrites } from "./documents.ts";
import { isOfOneRecord } from "./groups.ts";

// Limit: how many documents are made and written at a time, from records of some 1.2 kB each in memory.
const AT_ONCE = 2_000;

/** Writes documents of a batch's records in memory; returns the real names of the live indices that have them. */
export async function projectBatchRecords(
  stores: Stores,
  record: RecordDefinition,
  stored: readonly RecordOrTombstone[],
  whole?: Parameters<typeof toWrites>[2],
): Promise<Change["indexed"]> {
  const indexed: Change["indexed"] = {};
  for (const index of indicesOf(record)) {
    const live = await writeIndex(stores, index, toWrites(index, stored, whole));
    if (live !== undefined) indexed[index.name] = live;
  }
  return indexed;
}

/** Makes these documents again and writes them. Throws the first RefusedDocumentError once all others are written. */
export async function projectDocuments(stores: Stores, index: AliasedIndex, ids: readonly string[]) {
  let refused: RefusedDocumentError | undefined;
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const writes = await fetchWrites(stores, index, ids.slice(at, at + AT_ONCE));
    await writeIndex(stores, index, writes).catch((error: unknown) => {
      if (!(error instanceof RefusedDocumentError)) throw error;
      refused ??= error;
    });
  }
  if (refused) throw refused;
}

/** Applies changes to one index. `live`: its real name; changes that it already has are then left out. */
export async function projectChanges(
  stores: Stores,
  index: AliasedIndex,
  changes: readonly Change[],
  live?: string,
): Promise<void> {
  const name = indexNameOf(index.name);
  const open = changes.filter(({ indexed }) => live === undefined || indexed[name] !== live);
  if (isOfOneRecord(index)) return projectDocuments(stores, index, recordsOf(index, open));
  const named = changes.flatMap(({ documents }) => documents[name] ?? []);
  // A change does not name all its documents if it was interrupted, or has itself written them to another index.
  const unnamed = open.filter(({ state, indexed }) => state !== "written" || indexed[name]);
  const stored = await stores.mongo.records.fetchStored(index.record, recordsOf(index, unnamed));
  const others = documentsOf(index.record, stored)[name] ?? [];
  await projectDocuments(stores, index, [...new Set([...named, ...others])]);
}

function recordsOf({ record }: AliasedIndex, changes: readonly Change[]): string[] {
  return [...new Set(changes.flatMap(({ ids, changed = ids }) => changed[record.collection] ?? []))];
}

/**
 * Applies changes to the live indices that do not have them. Refused documents do not stop the others: their changes
 * are marked, `doctor` reports them, and the reasons are returned. Throws UnavailableError.
 */
export async function projectLive(stores: Stores, changes: readonly Change[]): Promise<string[]> {
  const refused: string[] = [];
  for (const index of indices) {
    const concerned = changes.filter((change) => change.ids[index.record.collection]);
    if (concerned.length === 0) continue;
    const [live] = await stores.elasticsearch.fetchLiveIndices([index.name]);
    refused.push(...(await projectOrMark(stores, index, concerned, live?.name)));
  }
  return refused;
}

async function projectOrMark(
  stores: Stores,
  index: IndexDefinition,
  changes: readonly Change[],
  live: string | undefined,
): Promise<string[]> {
  try {
    await projectChanges(stores, index, changes, live);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedDocumentError)) throw error;
    const [only, ...others] = changes;
    if (only && others.length === 0) {
      await markRefused(stores.mongo.documents, only, error.message);
      return [error.message];
    }
    const refused: string[] = [];
    for (const change of changes) refused.push(...(await projectOrMark(stores, index, [change], live)));
    return refused;
  }
}

/** Retries refused changes; returns how many were accepted, and the reasons of the others. */
export async function retryRefused(stores: Stores): Promise<{ mended: number; refused: string[] }> {
  const { documents } = stores.mongo;
  const outcome = { mended: 0, refused: [] as string[] };
  for await (const change of readChanges(documents, await fetchRefusals(documents))) {
    const [reason] = await projectLive(stores, [change]);
    if (reason !== undefined) outcome.refused.push(reason);
    else {
      await markRefused(documents, change);
      outcome.mended += 1;
    }
  }
  return outcome;
}

// Real names of live indices of an older release that now accept new fields, which are stored but not searched.
const loosened = new Set<string>();

/**
 * Writes documents to the live index or the one being built; returns the real name of the live one. Throws
 * UnavailableError, and RefusedDocumentError for a document that does not fit its mapping, which is a bug.
 */
export async function writeIndex({ elasticsearch }: Stores, index: AliasedIndex, writes: IndexWrite[]) {
  const { name } = index;
  if (writes.length === 0) return undefined;
  // Fetched for each write, since the alias may move; this is cheap compared with a bulk write.
  const { live, isOlder } = await fetchLiveIndex(elasticsearch, index);
  if (live && isOlder && !loosened.has(live.name)) {
    await elasticsearch.builds.allowUnknownFields(live.name);
    loosened.add(live.name);
  }
  const refusals = await elasticsearch.write(name, writes);
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
  return live?.name;
}

/** The live index, if any. Throws UnavailableError if another release has built it, with other name rules or newer. */
export async function fetchLiveIndex(
  elasticsearch: Stores["elasticsearch"],
  { name, version }: AliasedIndex,
): Promise<{ live?: LiveIndex; isOlder: boolean }> {
  const [live] = isNextName(name) ? [] : await requireNameRules(elasticsearch, [name]);
  if (!live) return { isOlder: false };
  const built = versionOf(live.name) ?? version;
  if (built <= version) return { live, isOlder: built < version };
  // Documents of this release would lack fields that the newer release's searches need.
  throw new NotReadyError(
    "elasticsearch",
    `index ${live.name} was built by a newer release, this one has version ${version}: start that release`,
  );
}

/** Writes changes to search indices: from what a batch has in hand, or made again from MongoDB. */
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

// Limit: documents made and written at a time, from records of some 1.2 kB each in memory.
const AT_ONCE = 2_000;

/** Writes what a batch has in hand; returns the real names of the live indices that have its documents. */
export async function projectInHand(
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

/** Makes these documents again and writes them. Throws the first RefusedDocumentError once it has written all others. */
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

/** Applies changes to one index. `live`: its real name, for leaving out changes that it already has. */
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
  // Some do not name theirs: they were interrupted, or wrote them to another index themselves.
  const unnamed = open.filter(({ state, indexed }) => state !== "written" || indexed[name]);
  const stored = await stores.mongo.records.fetchStored(index.record, recordsOf(index, unnamed));
  const others = documentsOf(index.record, stored)[name] ?? [];
  await projectDocuments(stores, index, [...new Set([...named, ...others])]);
}

function recordsOf({ record }: AliasedIndex, changes: readonly Change[]): string[] {
  return [...new Set(changes.flatMap(({ ids, changed = ids }) => changed[record.collection] ?? []))];
}

/**
 * Applies changes to the live indices that do not have them. Refused documents hold nothing else up: they are
 * marked, reported by `doctor`, and their reasons returned. Throws UnavailableError.
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

// Live indices of an older release that now store new fields, without searching them; by real name.
const loosened = new Set<string>();

/**
 * Writes documents to the live index or the one being built; returns the live one's real name. Throws
 * RefusedDocumentError for a document that does not fit its mapping, a fault of the code; UnavailableError.
 */
export async function writeIndex({ elasticsearch }: Stores, index: AliasedIndex, writes: IndexWrite[]) {
  const { name } = index;
  if (writes.length === 0) return undefined;
  // For each write again, since the alias may move; cheap beside a bulk write.
  const { live, isOlder } = await fetchLiveIndex(elasticsearch, index);
  if (live && isOlder && !loosened.has(live.name)) {
    await elasticsearch.builds.loosen(live.name);
    loosened.add(live.name);
  }
  const refusals = await elasticsearch.write(name, writes);
  const [first] = refusals;
  if (first) throw new RefusedDocumentError(name, { count: refusals.length, ...first });
  return live?.name;
}

/** The live index, if any. Throws UnavailableError for other name rules and for a newer release's index. */
export async function fetchLiveIndex(
  elasticsearch: Stores["elasticsearch"],
  { name, version }: AliasedIndex,
): Promise<{ live?: LiveIndex; isOlder: boolean }> {
  const [live] = isNextName(name) ? [] : await requireNameRules(elasticsearch, [name]);
  if (!live) return { isOlder: false };
  const built = versionOf(live.name) ?? version;
  if (built <= version) return { live, isOlder: built < version };
  // What this release writes would lack fields that the newer one's searches need.
  throw new NotReadyError(
    "elasticsearch",
    `index ${live.name} was built by a newer release, this one has version ${version}: start that release`,
  );
}

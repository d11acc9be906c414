/** Owns the bringing of changes to a search index: their documents are made anew of what MongoDB holds now. */
import { RefusedDocumentError } from "../../api/core/errors.ts";
import { keyOf } from "../../api/core/key-of.ts";
import { isGone } from "../../api/core/gone.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { indexNameOf, type AliasedIndex, type IndexDefinition } from "../../index-mappings/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchPieced } from "./pieces.ts";
import { bearsRevision, writeIndex, writeIndexDocuments } from "./search-index.ts";
import { fetchRefusedChanges, markRefused, type Change } from "../log/changes.ts";

// Limit: documents made and written at a time; records of some 1.2 kB each are held for them.
const AT_ONCE = 2_000;

/**
 * Brings changes to one index, under its live name or that of the one being built. `live`: its own name, which tells what of
 * them it has already.
 */
export async function projectChanges(
  stores: Stores,
  index: AliasedIndex,
  changes: readonly Change[],
  live?: string,
): Promise<void> {
  const hasOwn = ({ indexed }: Change) => live !== undefined && indexed[indexNameOf(index.name)] === live;
  const open = changes.filter((change) => !hasOwn(change));
  const ids = bearsRevision(index)
    ? recordsOf(index, open)
    : unite([
        documentsOf(index, changes),
        await fetchDocumentsOf(stores, index, open),
        await writePieced(stores, index, changes),
      ]);
  await projectDocuments(stores, index, ids);
}

/** Makes the documents of these ids anew, of what MongoDB holds of them. */
export async function projectDocuments(
  stores: Stores,
  index: AliasedIndex,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const records = bearsRevision(index) ? await stores.mongo.records.fetchHeld(index.record, some) : [];
    await writeIndexDocuments(stores, index, { records, documents: bearsRevision(index) ? [] : some });
  }
}

/** Writes the documents of which the last piece has come; returns the ids of those that their records have to be read for. */
async function writePieced(
  stores: Stores,
  index: AliasedIndex,
  changes: readonly Change[],
): Promise<string[]> {
  const { bounds } = index;
  const isOfIndex = (name: string) => name.startsWith(`${indexNameOf(index.name)}/`);
  const names = unite([changes.flatMap(({ piece }) => piece ?? [])]).filter(isOfIndex);
  if (!bounds || names.length === 0) return [];
  const { writes, open } = await fetchPieced(stores, { ...index, bounds }, names);
  await writeIndex(stores, index, writes);
  return open;
}

/**
 * Brings changes to all live indices that do not have them. What Elasticsearch refuses is marked, told by `doctor`, and
 * returned by its reason: it keeps nothing else from the search. Throws UnavailableError.
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

/** Brings to Elasticsearch what it has refused before, and may take now; returns how many it took, and why not the others. */
export async function retryRefused(stores: Stores): Promise<{ mended: number; refused: string[] }> {
  const { documents } = stores.mongo;
  const outcome = { mended: 0, refused: [] as string[] };
  for (const change of await fetchRefusedChanges(documents)) {
    const [reason] = await projectLive(stores, [change]);
    if (reason !== undefined) outcome.refused.push(reason);
    else {
      await markRefused(documents, change);
      outcome.mended += 1;
    }
  }
  return outcome;
}

function recordsOf({ record }: Pick<AliasedIndex, "record">, changes: readonly Change[]): string[] {
  return unite(changes.map(({ ids, changed = ids }) => changed[record.collection] ?? []));
}

/** The documents of several records that changes say are to be made anew. */
function documentsOf({ name }: AliasedIndex, changes: readonly Change[]): string[] {
  return changes.flatMap(({ documents }) => documents[indexNameOf(name)] ?? []);
}

/** Those that they do not say, since they were broken off, or brought them to another index themselves. */
async function fetchDocumentsOf(
  { mongo }: Stores,
  { record, groupBy, name }: AliasedIndex,
  changes: readonly Change[],
): Promise<string[]> {
  const unsaid = changes.filter(({ state, indexed }) => state !== "written" || indexed[indexNameOf(name)]);
  const held = await mongo.records.fetchHeld(record, recordsOf({ record }, unsaid));
  return held.flatMap((item) => (isGone(item) ? [] : keyOf(item, groupBy)));
}

function unite(lists: string[][]): string[] {
  return [...new Set(lists.flat())];
}

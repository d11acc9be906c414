/**
 * The mark of an index that was created empty although records are stored. It lacks their documents until `reindex` or
 * `verify --repair` has finished. Its documents do not show this, since loads write to the index meanwhile.
 */
import type { AliasedIndex, IndexDefinition, IndexName } from "../api/shared/definitions/define-index.ts";
import type { ElasticsearchStore, LiveIndex } from "../api/shared/stores/elasticsearch/elasticsearch.ts";
import { isNextName } from "../api/shared/stores/elasticsearch/names.ts";
import { indices } from "./index.ts";

/** The index with the mark in its mappings. */
export function markUnfilled<Index extends Pick<IndexDefinition, "mappings">>(index: Index): Index {
  const { _meta: meta, ...mappings } = index.mappings;
  return { ...index, mappings: { ...mappings, _meta: { ...(meta as object), unfilled: true } } };
}

function isUnfilled({ meta }: LiveIndex): boolean {
  return meta.unfilled === true;
}

/** Names of the live indices that have the mark. */
export async function fetchUnfilled({
  fetchLiveIndices,
}: Pick<ElasticsearchStore, "fetchLiveIndices">): Promise<IndexName[]> {
  const live = await Promise.all(indices.map(({ name }) => fetchLiveIndices([name])));
  return indices.flatMap(({ name }, at) => (live[at]?.some(isUnfilled) ? name : []));
}

/** Removes the mark from a live index that has all its documents now. */
export async function markFilled(
  { fetchLiveIndices, builds }: Pick<ElasticsearchStore, "fetchLiveIndices" | "builds">,
  { name }: Pick<AliasedIndex, "name">,
): Promise<void> {
  if (isNextName(name)) return;
  for (const live of (await fetchLiveIndices([name])).filter(isUnfilled)) {
    const meta = { ...live.meta };
    delete meta.unfilled;
    await builds.putMeta(live.name, meta);
  }
}

/** A sentence about indices with the mark, and the command that repairs them. */
export function describeUnfilled(names: readonly IndexName[]): { found: string; repair: string } {
  return {
    found: `${names.join(", ")}: made anew beside stored records, of which searches find only those written since`,
    repair: `npm run cli -- reindex ${names.join(" ")}`,
  };
}

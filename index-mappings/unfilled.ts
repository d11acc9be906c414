/**
 * Owns the mark of an index that was made anew beside stored records: it lacks them until `reindex` or `verify --repair` has
 * ended. Its documents cannot tell, since loads write to it meanwhile.
 */
import type { AliasedIndex, IndexDefinition, IndexName } from "../api/shared/definitions/define-index.ts";
import type { ElasticsearchStore, LiveIndex } from "../api/shared/stores/elasticsearch/elasticsearch.ts";
import { isNextName } from "../api/shared/stores/elasticsearch/names.ts";
import { indices } from "./index.ts";

/** An index that is made with the mark. */
export function asUnfilled<Index extends Pick<IndexDefinition, "mappings">>(index: Index): Index {
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

/** Takes the mark off a live index, which has all its documents now. */
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

/** What is found of such indices, and the command that mends it. */
export function describeUnfilled(names: readonly IndexName[]): { found: string; repair: string } {
  return {
    found: `${names.join(", ")}: made anew beside stored records, of which searches find only those written since`,
    repair: `npm run cli -- reindex ${names.join(" ")}`,
  };
}

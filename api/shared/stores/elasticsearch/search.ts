/** Owns the searches of Elasticsearch: one body or several in one request, and what comes back of each. */
import { errors, type Client, type estypes, type TransportRequestOptions } from "@elastic/elasticsearch";
import type { Budget } from "../../runtime/budget.ts";
import type { IndexAlias, IndexName } from "../../definitions/define-index.ts";
import { indexIn } from "./names.ts";
import { TRY_ONCE_MORE } from "./transport.ts";
import type { Facet, SearchBody, SearchHit, SearchResult } from "../../definitions/search-result.ts";

// A failed shard is an error, not a shorter list.
const WHOLE = { allow_partial_search_results: false };
const WHOLE_QUERY = "allow_partial_search_results=false";

/** What a search may take. */
export interface SearchLimits {
  /** When it ends, the connection is closed, on which the engine gives up the search. */
  budget?: Budget | undefined;
  /** Shards of a node that work for a single body at once; default: the engine's. */
  shardsAtOnce?: number;
  /** The engine keeps what a single body finds, and answers with it until the index changes. */
  isCached?: boolean;
}

/** Asks each of the bodies; throws the client's errors, one that only one of several met included. */
export type Search = (
  indices: readonly IndexAlias[],
  bodies: SearchBody[],
  limits?: SearchLimits,
) => Promise<SearchResult[]>;

/** Opens the searches of a client. `prefix` stands before every name. */
export function openSearch(client: Client, prefix: string): Search {
  // Which of ours an index is, by its own name: one entry for each that was ever live.
  const known = new Map<string, IndexName>();
  return async (indices, bodies, { budget, ...way } = {}) => {
    const how = { ...TRY_ONCE_MORE, ...(budget && { signal: budget.signal }) };
    const aliases = indices.map((name) => prefix + name);
    const answers = await fetchAnswers(client, { names: aliases, bodies, way, how });
    const strange = new Set<string>();
    const indexOf = (name: string): IndexName => {
      const index = known.get(name) ?? indexIn(name.slice(prefix.length));
      if (index) known.set(name, index);
      else strange.add(name);
      // The cast: hits of a strange index are read again below.
      return index ?? (name as IndexName);
    };
    const results = answers.map((answer) => toResult(answer, indexOf));
    if (strange.size === 0) return results;
    // Restored or copied under a name of its own: its alias says which one it is.
    const found = await client.indices.getAlias({ index: [...strange] }, how);
    for (const [name, { aliases: reaching }] of Object.entries(found)) {
      const position = aliases.findIndex((alias) => alias in reaching);
      const index = indexIn(indices[position] ?? "");
      if (index) known.set(name, index);
    }
    return answers.map((answer) => toResult(answer, indexOf));
  };
}

interface Asked {
  names: string[];
  bodies: SearchBody[];
  way: Omit<SearchLimits, "budget">;
  how: TransportRequestOptions;
}

async function fetchAnswers(client: Client, { names, bodies, way, how }: Asked): Promise<Answer[]> {
  const index = names.join(",");
  const [only] = bodies;
  if (only && bodies.length === 1) {
    // Not by the client's method for it, which sorts some fifty parameters by name for each call.
    const path = `/${encodeURIComponent(index)}/_search`;
    const request = { method: "POST", path, querystring: queryOf(way), body: withTotal(only) };
    return [await client.transport.request<Answer>(request, how)];
  }
  const searches = bodies.flatMap((body) => [{ index, ...WHOLE }, withTotal(body)]);
  const answer = await client.msearch<Source>({ searches }, { ...how, meta: true });
  return answer.body.responses.map((response) => {
    if (!("error" in response)) return response;
    throw new errors.ResponseError({ ...answer, statusCode: response.status ?? 500, body: response });
  });
}

function queryOf({ shardsAtOnce, isCached }: Asked["way"]): string {
  const shards = shardsAtOnce ? `&max_concurrent_shard_requests=${shardsAtOnce}` : "";
  return WHOLE_QUERY + shards + (isCached ? "&request_cache=true" : "");
}

function withTotal(body: SearchBody): SearchBody {
  return { track_total_hits: true, ...body };
}

type Source = Record<string, unknown>;
type Answer = Pick<estypes.SearchResponse<Source>, "hits" | "aggregations">;

/** Finds by an index's own name which one of ours it is. */
type IndexOf = (name: string) => IndexName;

function toResult({ hits, aggregations }: Answer, indexOf: IndexOf): SearchResult {
  const { total } = hits;
  return {
    total: typeof total === "number" ? total : (total?.value ?? 0),
    hits: hits.hits.map((hit) => toHit(hit, indexOf)),
    ...(aggregations && { facets: toFacets(aggregations) }),
  };
}

function toHit(hit: estypes.SearchHit<Source>, indexOf: IndexOf): SearchHit {
  return {
    index: indexOf(hit._index),
    id: hit._id ?? "",
    score: hit._score ?? null,
    source: hit._source ?? {},
    sort: hit.sort ?? [],
  };
}

/** Aggregations of terms as counts; the searches ask for no others. */
function toFacets(aggregations: Record<string, unknown>): Record<string, Facet[]> {
  const buckets = Object.entries(aggregations).map(([name, aggregation]) => {
    const terms = aggregation as { buckets: { key: string; doc_count: number }[] };
    return [name, terms.buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count }))] as const;
  });
  return Object.fromEntries(buckets);
}

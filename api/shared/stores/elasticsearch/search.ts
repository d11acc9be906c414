/** Owns the searches of Elasticsearch: one body or several in one request, and what comes back of each. */
import { errors, type Client, type estypes, type TransportRequestOptions } from "@elastic/elasticsearch";
import type { Budget } from "../../runtime/deadlines.ts";
import { INDEX_BY_KIND, type IndexAlias } from "../../definitions/define-index.ts";
import { guard } from "./faults.ts";
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

/** Answers each body by its result, in order; several bodies travel in one request, which ends with the budget. */
export type Search = (
  indices: readonly IndexAlias[],
  bodies: SearchBody[],
  limits?: SearchLimits,
) => Promise<SearchResult[]>;

/** Opens the searches of a client. `prefix` stands before every name. */
export function openSearch(client: Client, prefix: string): Search {
  return (indices, bodies, { budget, ...way } = {}) =>
    guard(async () => {
      const how = { ...TRY_ONCE_MORE, ...(budget && { signal: budget.signal }) };
      const names = indices.map((name) => prefix + name);
      return (await fetchAnswers(client, { names, bodies, way, how })).map(toResult);
    }, budget);
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
    const request = { method: "POST", path, querystring: queryOf(way), body: complete(only) };
    return [await client.transport.request<Answer>(request, how)];
  }
  const searches = bodies.flatMap((body) => [{ index, ...WHOLE }, complete(body)]);
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

// Read of each hit: the engine's own `_id` is that of the record, which can differ from the id in the API.
const OF_HITS = ["kind", "id"];

function complete({ _source, ...body }: SearchBody): SearchBody {
  const members = Array.isArray(_source) && { _source: [...(_source as string[]), ...OF_HITS] };
  return { track_total_hits: true, ...body, ...members };
}

type Source = Record<string, unknown>;
type Answer = Pick<estypes.SearchResponse<Source>, "hits" | "aggregations">;

function toResult({ hits, aggregations }: Answer): SearchResult {
  const { total } = hits;
  return {
    total: typeof total === "number" ? total : (total?.value ?? 0),
    hits: hits.hits.map(toHit),
    ...(aggregations && { facets: toFacets(aggregations) }),
  };
}

function toHit({ _source: source = {}, _score, sort = [] }: estypes.SearchHit<Source>): SearchHit {
  const { kind, id } = source;
  const index = INDEX_BY_KIND.get(kind);
  if (!index || typeof id !== "string")
    throw new Error(`a document of the search has the kind ${String(kind)}`);
  return { index, id, score: _score ?? null, source, sort };
}

/** Aggregations of terms as counts; the searches ask for no others. */
function toFacets(aggregations: Record<string, unknown>): Record<string, Facet[]> {
  const buckets = Object.entries(aggregations).map(([name, aggregation]) => {
    const terms = aggregation as { buckets: { key: string; doc_count: number }[] };
    return [name, terms.buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count }))] as const;
  });
  return Object.fromEntries(buckets);
}

/** Owns the searches of Elasticsearch: one body or several in one request, and what comes back of each. */
import { errors, type Client, type estypes } from "@elastic/elasticsearch";
import type { IndexName } from "../../../index-mappings/define-index.ts";
import { withoutVersion } from "./elasticsearch-names.ts";
import type { Facet, SearchBody, SearchHit, SearchResult } from "../../search/define-search.ts";

/** The indices to search: their aliases, and what stands before every name. */
export interface Searched {
  names: string[];
  prefix: string;
}

// One try more, at once: it answers where a kept connection had gone stale, and costs nothing where the engine is away.
const RETRY = { maxRetries: 1, retryBackoff: () => 0 };

/** Asks each of the bodies; throws the client's errors, one that only one of several met included. */
export async function searchIndices(
  client: Client,
  { names, prefix }: Searched,
  bodies: SearchBody[],
): Promise<SearchResult[]> {
  // A failed shard is an error, not a shorter list.
  const target = { index: names.join(","), allow_partial_search_results: false };
  const [only] = bodies;
  if (only && bodies.length === 1) {
    const answer = await client.search<Source>({ ...target, ...withTotal(only) }, RETRY);
    return [toResult(answer, prefix)];
  }
  const searches = bodies.flatMap((body) => [target, withTotal(body)]);
  const answer = await client.msearch<Source>({ searches }, { ...RETRY, meta: true });
  return answer.body.responses.map((response) => {
    if (!("error" in response)) return toResult(response, prefix);
    throw new errors.ResponseError({ ...answer, statusCode: response.status ?? 500, body: response });
  });
}

function withTotal(body: SearchBody): SearchBody {
  return { track_total_hits: true, ...body };
}

type Source = Record<string, unknown>;
type Answer = Pick<estypes.SearchResponse<Source>, "hits" | "aggregations">;

function toResult({ hits, aggregations }: Answer, prefix: string): SearchResult {
  const { total } = hits;
  return {
    total: typeof total === "number" ? total : (total?.value ?? 0),
    hits: hits.hits.map((hit) => toHit(hit, prefix)),
    ...(aggregations && { facets: toFacets(aggregations) }),
  };
}

function toHit(hit: estypes.SearchHit<Source>, prefix: string): SearchHit {
  return {
    index: withoutVersion(hit._index.slice(prefix.length)) as IndexName,
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

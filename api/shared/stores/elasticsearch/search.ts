/**
 * Sends searches to Elasticsearch, one body or several in one request, and reads their results. Searches take a
 * shortcut past most of the client, whose general code needs twice the processor time. Whenever something unusual
 * happens, the client itself handles the request.
 */
import {
  errors,
  SniffingTransport,
  type Client,
  type DiagnosticResult,
  type estypes,
  type TransportRequestOptions,
  type TransportRequestOptionsWithMeta,
  type TransportRequestParams,
  type TransportResult,
} from "@elastic/elasticsearch";
import { LateError, type Budget } from "../../runtime/deadlines.ts";
import { INDEX_BY_KIND, type IndexAlias } from "../../definitions/define-index.ts";
import type { Facet, SearchBody, SearchHit, SearchResult } from "../../definitions/search-result.ts";
import { isTracing, traceContext } from "../../tracing/tracing.ts";
import { guard, isCopyLost, type EngineFault } from "./faults.ts";
import { DirectConnection, JSON_TYPE, type Answer } from "./nodes.ts";

// A failed shard is an error, not a shorter list.
const WHOLE = { allow_partial_search_results: false };
const WHOLE_QUERY = "allow_partial_search_results=false";

/** One immediate retry: it helps when a kept connection was stale, and costs no time when the engine is unavailable. */
export const TRY_ONCE_MORE = { maxRetries: 1, retryBackoff: () => 0 };

/** Limits and options of a search. */
export interface SearchLimits {
  /** When it ends, the connection is closed, so that the engine stops the search. */
  budget?: Budget | undefined;
  /** For a single body: how many shards of a node search at once; default: the engine's. */
  shardsAtOnce?: number;
  /** For a single body: the engine caches the result until the index changes. */
  isCached?: boolean;
}

/**
 * Returns the result of each body, in order. Several bodies go in one request, which ends with the budget. Throws when
 * one of them fails.
 */
type Search = (
  indices: readonly IndexAlias[],
  bodies: SearchBody[],
  limits?: SearchLimits,
) => Promise<SearchResult[]>;

/** Opens the searches of a client. `prefix` begins the name of every index. */
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

async function fetchAnswers(client: Client, { names, bodies, way, how }: Asked): Promise<Found[]> {
  const index = names.join(",");
  const [only] = bodies;
  if (only && bodies.length === 1) {
    // Not `client.search`, which looks up each parameter in lists of some seventy names.
    const path = `/${encodeURIComponent(index)}/_search`;
    const request = { method: "POST", path, querystring: queryOf(way), body: complete(only) };
    return [await client.transport.request<Found>(request, how)];
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

// Read from each hit. The engine's `_id` is the record's, which can differ from the id in the API.
const OF_HITS = ["kind", "id"];

function complete({ _source, ...body }: SearchBody): SearchBody {
  const members = Array.isArray(_source) && { _source: [...(_source as string[]), ...OF_HITS] };
  return { track_total_hits: true, ...body, ...members };
}

type Source = Record<string, unknown>;
type Found = Pick<estypes.SearchResponse<Source>, "hits" | "aggregations">;

function toResult({ hits, aggregations }: Found): SearchResult {
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

/** The counts of terms aggregations, the only kind that searches use. */
function toFacets(aggregations: Record<string, unknown>): Record<string, Facet[]> {
  const buckets = Object.entries(aggregations).map(([name, aggregation]) => {
    const terms = aggregation as { buckets: { key: string; doc_count: number }[] };
    return [name, terms.buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count }))] as const;
  });
  return Object.fromEntries(buckets);
}

// As the client of this major version sends it.
const LINES_TYPE = "application/vnd.elasticsearch+x-ndjson; compatible-with=9";
const SEARCHES = /\/_m?search$/;
const PRODUCT = "x-elastic-product";
// A node that starts or stops; the client then tries another one.
const TRIED_AGAIN: ReadonlySet<number> = new Set([502, 503, 504]);

/** The members of an answer that report faults: of the whole request, or of single searches. */
interface Faults {
  error?: EngineFault | string;
  responses?: { error?: EngineFault }[];
}

/** Sends searches over a DirectConnection, and other requests as the client does, with the current `traceparent`. */
export class DirectTransport extends SniffingTransport {
  private readonly isTraced = isTracing();

  override request<T = unknown>(
    params: TransportRequestParams,
    options?: TransportRequestOptionsWithMeta,
  ): Promise<TransportResult<T>>;
  override request<T = unknown>(
    params: TransportRequestParams,
    options?: TransportRequestOptions,
  ): Promise<T>;
  override async request(
    params: TransportRequestParams,
    given: TransportRequestOptions = {},
  ): Promise<unknown> {
    const trace = this.isTraced && traceContext();
    const options = trace ? { ...given, headers: { ...given.headers, ...trace } } : given;
    // A request with its own time limit goes through the client, which applies it.
    const isUsual = SEARCHES.test(params.path) && options.requestTimeout === undefined;
    const connection = isUsual ? this.getConnection({ requestId: 0, context: null }) : null;
    if (!(connection instanceof DirectConnection)) return super.request(params, options);
    const answer = await this.post(connection, params, options);
    if (!answer || TRIED_AGAIN.has(answer.statusCode)) return super.request(params, options);
    const { statusCode, headers, text } = answer;
    // The server is not Elasticsearch; the client's error says so.
    if (headers[PRODUCT] !== "Elasticsearch") return super.request(params, options);
    const body = JSON.parse(text) as Faults;
    // A lost copy, with a status that the client would not retry, or in one search of several.
    if ([body, ...(body.responses ?? [])].some(({ error }) => isCopyLost(error)))
      return super.request(params, options);
    const result = toDiagnostic(statusCode, headers, body);
    if (statusCode >= 400) throw new errors.ResponseError(result);
    return options.meta ? result : result.body;
  }

  /** Null when the connection failed. Throws TimeoutError. */
  private async post(
    connection: DirectConnection,
    { path, body, bulkBody, querystring }: TransportRequestParams,
    { signal, headers: own }: TransportRequestOptions,
  ): Promise<Answer | null> {
    const query =
      typeof querystring === "string"
        ? querystring
        : new URLSearchParams(querystring as Record<string, string>).toString();
    const target = query === "" ? path : `${path}?${query}`;
    const lines = bulkBody as object[] | undefined;
    const text = lines ? lines.map((line) => `${JSON.stringify(line)}\n`).join("") : JSON.stringify(body);
    const headers = { "content-type": lines ? LINES_TYPE : JSON_TYPE, ...own };
    try {
      return await connection.post({ path: target, body: text, headers }, signal);
    } catch (error) {
      // At the deadline: either the query is slow or the node hangs, so other nodes come first for a while.
      const isLate = signal?.reason instanceof LateError && this.connectionPool.size > 1;
      if (!signal?.aborted || isLate) this.connectionPool.markDead(connection);
      if ((error as NodeJS.ErrnoException).code === "UND_ERR_HEADERS_TIMEOUT")
        throw new errors.TimeoutError("Request timed out");
      return null;
    }
  }
}

function toDiagnostic(statusCode: number, headers: Answer["headers"], body: unknown): DiagnosticResult {
  const request = { params: { method: "POST", path: "" }, options: {}, id: 0 };
  const meta = { context: null, name: "direct", request, connection: null, attempts: 0, aborted: false };
  return { statusCode, headers, body, warnings: null, meta };
}

/**
 * Owns the searches of Elasticsearch: one body or several in one request, their short way to the engine, and what comes back of
 * each. The client's own way, made for every kind of request, takes twice the processor time; whatever does not go as usual
 * goes that way.
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

/** One try more, at once: it answers where a kept connection had gone stale, and costs nothing where the engine is unavailable. */
export const TRY_ONCE_MORE = { maxRetries: 1, retryBackoff: () => 0 };

/** What a search may take. */
export interface SearchLimits {
  /** When it ends, the connection is closed, on which the engine gives up the search. */
  budget?: Budget | undefined;
  /** Shards of a node that work for a single body at once; default: the engine's. */
  shardsAtOnce?: number;
  /** The engine keeps what a single body finds, and answers with it until the index changes. */
  isCached?: boolean;
}

/**
 * Answers each body by its result, in order; several bodies travel in one request, which ends with the budget. Throws when one
 * of them fails.
 */
type Search = (
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

async function fetchAnswers(client: Client, { names, bodies, way, how }: Asked): Promise<Found[]> {
  const index = names.join(",");
  const [only] = bodies;
  if (only && bodies.length === 1) {
    // Not by the client's method for it, which looks up each parameter in lists of some seventy names.
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

// Read of each hit: the engine's own `_id` is that of the record, which can differ from the id in the API.
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

/** Aggregations of terms as counts; the searches ask for no others. */
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
// A node that starts or stops: the client tries another one.
const TRIED_AGAIN: ReadonlySet<number> = new Set([502, 503, 504]);

/** Where an answer says what went wrong: in all, or with single searches of several. */
interface Faults {
  error?: EngineFault | string;
  responses?: { error?: EngineFault }[];
}

/** Sends searches over a DirectConnection, and all else as the client does; each with the `traceparent` of the current span. */
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
    // A time limit of the request's own is the client's to keep.
    const isUsual = SEARCHES.test(params.path) && options.requestTimeout === undefined;
    const connection = isUsual ? this.getConnection({ requestId: 0, context: null }) : null;
    if (!(connection instanceof DirectConnection)) return super.request(params, options);
    const answer = await this.post(connection, params, options);
    if (!answer || TRIED_AGAIN.has(answer.statusCode)) return super.request(params, options);
    const { statusCode, headers, text } = answer;
    // Something else answers at the address, which the client tells.
    if (headers[PRODUCT] !== "Elasticsearch") return super.request(params, options);
    const body = JSON.parse(text) as Faults;
    // Said with statuses that the client does not try again, or of one search of several.
    if ([body, ...(body.responses ?? [])].some(({ error }) => isCopyLost(error)))
      return super.request(params, options);
    const result = toDiagnostic(statusCode, headers, body);
    if (statusCode >= 400) throw new errors.ResponseError(result);
    return options.meta ? result : result.body;
  }

  /** Null where the connection failed. Throws TimeoutError. */
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
      // Too late: maybe a slow query, maybe a node that hangs. The others are asked first for a while.
      const isLate = signal?.reason instanceof LateError && this.connectionPool.size > 1;
      if (!signal?.aborted || isLate) this.connectionPool.markDead(connection);
      if (error instanceof Error && "code" in error && error.code === "UND_ERR_HEADERS_TIMEOUT")
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

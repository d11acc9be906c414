/**
 * Owns the short way of a search to Elasticsearch and back: the client's own way, made for every kind of request, takes
 * twice the processor time. Whatever does not go as usual goes the client's way.
 */
import {
  errors,
  SniffingTransport,
  type DiagnosticResult,
  type TransportRequestOptions,
  type TransportRequestOptionsWithMeta,
  type TransportRequestParams,
  type TransportResult,
} from "@elastic/elasticsearch";
import { LateError } from "../../runtime/deadlines.ts";
import { traceContext } from "../../tracing/tracing.ts";
import { isCopyLost, type EngineFault } from "./faults.ts";
import { DirectConnection, JSON_TYPE, type Answer } from "./nodes.ts";

// As the client of this major version sends it.
const LINES_TYPE = "application/vnd.elasticsearch+x-ndjson; compatible-with=9";
const SEARCHES = /\/_m?search$/;
const PRODUCT = "x-elastic-product";
// A node that starts or stops: the client tries another one.
const TRIED_AGAIN: ReadonlySet<number> = new Set([502, 503, 504]);

/** One try more, at once: it answers where a kept connection had gone stale, and costs nothing where the engine is unavailable. */
export const TRY_ONCE_MORE = { maxRetries: 1, retryBackoff: () => 0 };

/** Where an answer says what went wrong: in all, or with single searches of several. */
interface Faults {
  error?: EngineFault | string;
  responses?: { error?: EngineFault }[];
}

/** Sends searches over a DirectConnection, and all else as the client does; each with the `traceparent` of the current span. */
export class DirectTransport extends SniffingTransport {
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
    const trace = traceContext();
    const options = trace.traceparent ? { ...given, headers: { ...given.headers, ...trace } } : given;
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
    const result = toResult(statusCode, headers, body);
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

function toResult(statusCode: number, headers: Answer["headers"], body: unknown): DiagnosticResult {
  const request = { params: { method: "POST", path: "" }, options: {}, id: 0 };
  const meta = { context: null, name: "direct", request, connection: null, attempts: 0, aborted: false };
  return { statusCode, headers, body, warnings: null, meta };
}

/**
 * Owns the short way of a search to Elasticsearch and back: the client's own way, made for every kind of request, takes
 * twice the processor time. Whatever does not go as usual goes the client's way.
 */
import {
  ClusterConnectionPool,
  errors,
  SniffingTransport,
  UndiciConnection,
  type DiagnosticResult,
  type TransportRequestOptions,
  type TransportRequestOptionsWithMeta,
  type TransportRequestParams,
  type TransportResult,
} from "@elastic/elasticsearch";
import { LateError } from "../../runtime/deadlines.ts";
import { traceContext } from "../../tracing/tracing.ts";
import { isCopyLost, type EngineFault } from "./faults.ts";

// As the client of this major version sends them.
const JSON_TYPE = "application/vnd.elasticsearch+json; compatible-with=9";
const LINES_TYPE = "application/vnd.elasticsearch+x-ndjson; compatible-with=9";
const SEARCHES = /\/_m?search$/;
const PRODUCT = "x-elastic-product";
// A node that starts or stops: the client tries another one.
const TRIED_AGAIN: ReadonlySet<number> = new Set([502, 503, 504]);

interface Question {
  path: string;
  body: string;
  headers: NonNullable<TransportRequestOptions["headers"]>;
}

// A node that failed gets no requests for so long; then it is asked whether it answers, and gets some once it does.
const NODE_REST_MS = 10_000;

/** One try more, at once: it answers where a kept connection had gone stale, and costs nothing where the engine is unavailable. */
export const TRY_ONCE_MORE = { maxRetries: 1, retryBackoff: () => 0 };

/** Where an answer says what went wrong: in all, or with single searches of several. */
interface Faults {
  error?: EngineFault | string;
  responses?: { error?: EngineFault }[];
}

interface Answer {
  statusCode: number;
  headers: NonNullable<DiagnosticResult["headers"]>;
  text: string;
}

/** A connection that collects an answer as its bytes come, without a stream between. */
export class DirectConnection extends UndiciConnection {
  constructor(options: ConstructorParameters<typeof UndiciConnection>[0]) {
    super(options);
    // The client writes the address into its errors. User and password are among the headers by now.
    this.url = new URL(this.url);
    this.url.username = this.url.password = "";
  }

  /** Rejects with what ended the request, the signal included. */
  post({ path, body, headers: own }: Question, signal?: AbortSignal): Promise<Answer> {
    const { authorization } = this.headers;
    const headers = { accept: JSON_TYPE, ...own, ...(authorization && { authorization }) };
    const folder = this.url.pathname.replace(/\/$/, "");
    return new Promise((resolve, reject) => {
      const answer: Answer = { statusCode: 0, headers: {}, text: "" };
      const chunks: Buffer[] = [];
      let abort = () => undefined as void;
      const end = () => signal?.removeEventListener("abort", abort);
      this.pool.dispatch(
        { method: "POST", path: folder + path, headers, body },
        {
          onRequestStart: (controller) => {
            abort = () => controller.abort(new errors.RequestAbortedError("Request aborted"));
            if (signal?.aborted) abort();
            else signal?.addEventListener("abort", abort, { once: true });
          },
          onResponseStart: (_controller, statusCode, received) => {
            answer.statusCode = statusCode;
            answer.headers = received;
          },
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => {
            end();
            resolve({ ...answer, text: Buffer.concat(chunks).toString() });
          },
          onResponseError: (_controller, error) => {
            end();
            reject(error);
          },
        },
      );
    });
  }
}

/**
 * The nodes of a cluster in turn, without those that have failed. The client's usual pool only lowers the share of a node
 * that fails, and asks it again within some requests.
 */
export class NodePool extends ClusterConnectionPool {
  override resurrectTimeout = NODE_REST_MS;
  // However often a node has failed.
  override resurrectTimeoutCutoff = 0;

  /** One node alone is always asked. */
  override markDead(connection: Parameters<ClusterConnectionPool["markDead"]>[0]): this {
    return this.size === 1 ? this : super.markDead(connection);
  }
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
      if (error instanceof Error && "code" in error && error.code === "UND_ERR_HEADERS_TIMEOUT")
        throw new errors.TimeoutError("Request timed out");
      // Too late: maybe a slow query, maybe a node that hangs. The others are asked first for a while.
      const isLate = signal?.reason instanceof LateError && this.connectionPool.size > 1;
      if (!signal?.aborted || isLate) this.connectionPool.markDead(connection);
      return null;
    }
  }
}

function toResult(statusCode: number, headers: Answer["headers"], body: unknown): DiagnosticResult {
  const request = { params: { method: "POST", path: "" }, options: {}, id: 0 };
  const meta = { context: null, name: "direct", request, connection: null, attempts: 0, aborted: false };
  return { statusCode, headers, body, warnings: null, meta };
}

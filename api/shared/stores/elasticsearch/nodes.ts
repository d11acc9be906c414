/**
 * Connections to the nodes of a cluster: sends requests with little overhead, tells a node that hangs from one that is
 * slow, and chooses the node for the next request.
 */
import {
  ClusterConnectionPool,
  errors,
  UndiciConnection,
  type DiagnosticResult,
  type TransportRequestOptions,
} from "@elastic/elasticsearch";
import { within } from "../../runtime/deadlines.ts";

// As the client of this major version sends it.
export const JSON_TYPE = "application/vnd.elasticsearch+json; compatible-with=9";
// Tuned: after SILENT_MS without an answer the node is pinged, and has THERE_MS to answer.
const SILENT_MS = 500;
const THERE_MS = 300;
// Reads, which may be sent to another node as well.
const READS = /\/_(m?search|mget|count)$/;
// A node that failed gets no requests for so long. Then it is pinged, and gets requests again once it answers.
const NODE_REST_MS = 10_000;

interface Question {
  path: string;
  body: string;
  headers: NonNullable<TransportRequestOptions["headers"]>;
}

export interface Answer {
  statusCode: number;
  headers: NonNullable<DiagnosticResult["headers"]>;
  text: string;
}

type Asked = Parameters<UndiciConnection["request"]>;

/**
 * A connection that collects an answer directly, without a stream. It waits for a silent node only while the node
 * answers pings, or no other node is left.
 */
export class DirectConnection extends UndiciConnection {
  /** True when another node is alive; set by the pool. */
  hasOthers = () => false;
  private pinging: Promise<boolean> | undefined;

  constructor(options: ConstructorParameters<typeof UndiciConnection>[0]) {
    super(options);
    // The client's errors quote the address. It has already copied user and password into the headers.
    this.url = new URL(this.url);
    this.url.username = this.url.password = "";
  }

  override request(...[params, options]: Asked): Promise<never> {
    const send = (signal = options.signal) =>
      super.request(params, { ...options, ...(signal && { signal }) }) as Promise<never>;
    const { method, path } = params;
    // The pool's own check whether a node is back, which has a time limit.
    const isPing = method === "HEAD" && path === "/";
    const isRead = method === "GET" || method === "HEAD" || READS.test(path);
    return isRead && !isPing ? this.whileAlive(send, options.signal) : send();
  }

  /** Sends a POST. Rejects with the error that ended it, also when that was `signal`. */
  post(question: Question, signal?: AbortSignal): Promise<Answer> {
    return this.whileAlive((given) => this.send(question, given), signal);
  }

  /**
   * Settles as `send` does. Rejects with a ConnectionError when this node is lost and another is alive, and at once
   * when `given` fires: undici ignores signals while it connects.
   */
  private async whileAlive<T>(send: (signal?: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    if (!this.hasOthers()) return send(given);
    const silent = new AbortController();
    let giveUp: (reason: Error) => void = () => undefined;
    const lost = new Promise<never>((_resolve, reject) => (giveUp = reject));
    const abort = () => giveUp(new errors.RequestAbortedError("Request aborted"));
    given?.addEventListener("abort", abort, { once: true });
    if (given?.aborted) abort();
    const timer = setTimeout(() => {
      void this.isAlive().then((isAlive) => {
        if (isAlive || !this.hasOthers()) return;
        giveUp(new errors.ConnectionError("the node does not answer"));
        silent.abort();
      });
    }, SILENT_MS);
    try {
      const signal = given ? AbortSignal.any([given, silent.signal]) : silent.signal;
      return await Promise.race([send(signal), lost]);
    } finally {
      clearTimeout(timer);
      given?.removeEventListener("abort", abort);
    }
  }

  /** One ping for all requests that wait. */
  private isAlive(): Promise<boolean> {
    return (this.pinging ??= this.answersPing().finally(() => (this.pinging = undefined)));
  }

  private answersPing(): Promise<boolean> {
    const options = { requestId: 0, name: "direct", context: null, timeout: THERE_MS };
    // The client's own time limit does not apply while it connects.
    return within(THERE_MS, super.request({ method: "HEAD", path: "/" }, options)).then(
      () => true,
      () => false,
    );
  }

  private send({ path, body, headers: own }: Question, signal?: AbortSignal): Promise<Answer> {
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
 * Uses the nodes of a cluster in turn, without those that have failed. The client's own pool only lowers the share of
 * a failed node, and sends it requests again soon.
 */
export class NodePool extends ClusterConnectionPool {
  override resurrectTimeout = NODE_REST_MS;
  // 0: the rest is the same however often a node has failed.
  override resurrectTimeoutCutoff = 0;

  /** A single node always gets requests. */
  override markDead(connection: Parameters<ClusterConnectionPool["markDead"]>[0]): this {
    return this.size === 1 ? this : super.markDead(connection);
  }

  override update(...given: Parameters<ClusterConnectionPool["update"]>): this {
    super.update(...given);
    const others = (own: DirectConnection) => this.connections.filter((one) => one !== own);
    for (const own of this.connections)
      if (own instanceof DirectConnection)
        own.hasOthers = () => others(own).some(({ id }) => !this.dead.includes(id));
    return this;
  }

  /** Pings a silent node once in NODE_REST_MS, not with every request. */
  override resurrect(asked: Parameters<ClusterConnectionPool["resurrect"]>[0]): void {
    const due = this.connections.find(({ id }) => id === this.dead[0]);
    super.resurrect(asked);
    if (due && asked.now && asked.now >= due.resurrectTimeout)
      due.resurrectTimeout = asked.now + NODE_REST_MS;
  }
}

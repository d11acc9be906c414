/**
 * Owns the connections to the nodes of a cluster: how a question is sent to one, how one that hangs is told from one that is
 * slow, and which gets the next question.
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
// Tuned: a node that has said nothing for so long is asked whether it is there, and has so long to say it.
const SILENT_MS = 500;
const THERE_MS = 300;
// What may be asked of another node as well.
const READS = /\/_(m?search|mget|count)$/;
// A node that failed gets no requests for so long; then it is asked whether it answers, and gets some once it does.
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
 * A connection that collects an answer as its bytes come, without a stream between, and waits for a node only while it is
 * there or none else is.
 */
export class DirectConnection extends UndiciConnection {
  /** Whether another node can be asked instead; set by the pool. */
  hasOthers = () => false;
  private asking: Promise<boolean> | undefined;

  constructor(options: ConstructorParameters<typeof UndiciConnection>[0]) {
    super(options);
    // The client writes the address into its errors. User and password are among the headers by now.
    this.url = new URL(this.url);
    this.url.username = this.url.password = "";
  }

  override request(...[params, options]: Asked): Promise<never> {
    const ask = (signal = options.signal) =>
      super.request(params, { ...options, ...(signal && { signal }) }) as Promise<never>;
    const { method, path } = params;
    // The pool's own question whether a node is back, which has a time limit.
    const isPing = method === "HEAD" && path === "/";
    const isRead = method === "GET" || method === "HEAD" || READS.test(path);
    return isRead && !isPing ? this.whileThere(ask, options.signal) : ask();
  }

  /** Rejects with what ended the request, the signal included. */
  post(question: Question, signal?: AbortSignal): Promise<Answer> {
    return this.whileThere((given) => this.send(question, given), signal);
  }

  /**
   * Ends as `ask` does; with a ConnectionError once the node is not there, and another one is; or with `given`, at once:
   * undici heeds no signal while it connects.
   */
  private async whileThere<T>(ask: (signal?: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    if (!this.hasOthers()) return ask(given);
    const silent = new AbortController();
    let giveUp: (reason: Error) => void = () => undefined;
    const lost = new Promise<never>((_resolve, reject) => (giveUp = reject));
    const abort = () => giveUp(new errors.RequestAbortedError("Request aborted"));
    given?.addEventListener("abort", abort, { once: true });
    if (given?.aborted) abort();
    const timer = setTimeout(() => {
      void this.isThere().then((isThere) => {
        if (isThere || !this.hasOthers()) return;
        giveUp(new errors.ConnectionError("the node does not answer"));
        silent.abort();
      });
    }, SILENT_MS);
    try {
      const signal = given ? AbortSignal.any([given, silent.signal]) : silent.signal;
      return await Promise.race([ask(signal), lost]);
    } finally {
      clearTimeout(timer);
      given?.removeEventListener("abort", abort);
    }
  }

  /** One question for all that wait. */
  private isThere(): Promise<boolean> {
    return (this.asking ??= this.answersPing().finally(() => (this.asking = undefined)));
  }

  private answersPing(): Promise<boolean> {
    const options = { requestId: 0, name: "direct", context: null, timeout: THERE_MS };
    // The client's own time limit does not count while it connects.
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

  override update(...given: Parameters<ClusterConnectionPool["update"]>): this {
    super.update(...given);
    const others = (own: DirectConnection) => this.connections.filter((one) => one !== own);
    for (const own of this.connections)
      if (own instanceof DirectConnection)
        own.hasOthers = () => others(own).some(({ id }) => !this.dead.includes(id));
    return this;
  }

  /** A node is asked once whether it is back, not with each request while it says nothing. */
  override resurrect(asked: Parameters<ClusterConnectionPool["resurrect"]>[0]): void {
    const due = this.connections.find(({ id }) => id === this.dead[0]);
    super.resurrect(asked);
    if (due && asked.now && asked.now >= due.resurrectTimeout)
      due.resurrectTimeout = asked.now + NODE_REST_MS;
  }
}

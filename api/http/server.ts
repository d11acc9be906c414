/** A listening server that shuts down in order: it answers the requests under way, and no connection outlives it. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";

// A connection on which no byte moves for this long is closed, unless its answer may take longer.
const SILENT_MS = 120_000;
// Time that an answer may need beyond the time limit of its request.
const REMAINDER_MS = 30_000;

/** How long a connection may be silent, in milliseconds, where an answer takes at most `longestAnswerMs`. */
export function silentMsFor(longestAnswerMs: number): number {
  return Math.max(SILENT_MS, longestAnswerMs + REMAINDER_MS);
}

// A connection that has sent nothing this long after shutdown began was opened in advance, and is closed.
const UNUSED_MS = 1_000;

// Limit: open connections of a server; one more is closed at once. Two servers and the stores' connections stay below
// 4,096 file descriptors. With none left, running requests could not reach the stores.
const MOST_CONNECTIONS = 1_900;

// Tuned: Node and Koa add seven listeners to a response that is piped through a compression, and we add five at most.
// Above ten Node suspects a leak, and warns on standard error in a form that is no log line.
const MOST_LISTENERS = 20;

export class HttpServer {
  private isEnding = false;
  private readonly server: Server;
  /** Requests under way on each connection. */
  private readonly underWay = new Map<Socket, number>();

  /**
   * `keepAliveMs`: how long an idle connection stays open. Set it longer than a proxy's, so that the proxy closes
   * first. `silentMs`: how long any other connection may stay open without a byte moving.
   */
  constructor(
    answer: RequestListener,
    keepAliveMs: number,
    silentMs = SILENT_MS,
    mostConnections = MOST_CONNECTIONS,
  ) {
    this.server = createServer((request, response) => {
      const { socket } = request;
      response.setMaxListeners(MOST_LISTENERS);
      this.countRequest(socket, 1);
      if (this.isEnding) response.setHeader("Connection", "close");
      response.once("close", () => {
        this.countRequest(socket, -1);
        // Shutdown has closed the idle connections, and this one was busy then.
        if (!this.server.listening) this.closeUnless(isFresh);
      });
      const { url, host } = readTarget(request.url ?? "");
      request.url = url;
      if (host !== undefined) request.headers.host = host;
      answer(request, response);
    });
    this.server.keepAliveTimeout = keepAliveMs;
    this.server.timeout = silentMs;
    this.server.maxConnections = mostConnections;
    this.server.on("connection", (socket) => {
      this.underWay.set(socket, 0);
      socket.once("close", () => this.underWay.delete(socket));
    });
    // Node would cut a connection whose answer is written but not yet sent. `closeUnless` lets it finish.
    this.server.closeIdleConnections = () => undefined;
  }

  /** Requests under way. */
  count(): number {
    return [...this.underWay.values()].reduce((sum, requests) => sum + requests, 0);
  }

  /** Listens; resolves to the port. Rejects when it cannot. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject).listen(port, host, resolve);
    });
    const address = this.server.address();
    return typeof address === "object" && address ? address.port : port;
  }

  /** From now on each answer closes its connection, so that clients and proxies open their next one elsewhere. */
  beginEnd(): void {
    this.isEnding = true;
  }

  /** Accepts no new connections, and gives requests under way `graceMs` milliseconds to finish. */
  async close(graceMs: number): Promise<void> {
    this.beginEnd();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.closeUnless(isFresh);
    const timers = [
      setTimeout(() => this.closeUnless(() => false), UNUSED_MS),
      setTimeout(() => this.server.closeAllConnections(), graceMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  private countRequest(socket: Socket, change: number): void {
    const requests = this.underWay.get(socket);
    if (requests !== undefined) this.underWay.set(socket, requests + change);
  }

  private closeUnless(isKept: (socket: Socket) => boolean): void {
    for (const [socket, requests] of this.underWay)
      if (requests === 0 && !isKept(socket)) socket.destroySoon();
  }
}

/** True for a connection that has sent nothing yet: its first request may be on the way. */
function isFresh({ bytesRead }: Socket): boolean {
  return bytesRead === 0;
}

// Targets that Koa reads itself. Its parser for all others throws wherever the path is read, even after the answer.
const PLAIN_TARGET = /^(?:\/[^\s#]*|\*)$/;

// Replaces a target that cannot be parsed. It cannot be decoded: `repairAddress` refuses it, and it is logged as usual.
const UNREADABLE = "/%";

/**
 * Path and query of a request's target. A target that is a whole address also has a host, which replaces the Host
 * header (RFC 9112, 3.2.2). A target that is neither becomes a path that is refused.
 */
function readTarget(target: string): { url: string; host?: string } {
  if (PLAIN_TARGET.test(target)) return { url: target };
  try {
    const isPath = target.startsWith("/");
    const { pathname, search, host } = new URL(isPath ? `http://localhost${target}` : target);
    if (!pathname.startsWith("/")) return { url: UNREADABLE };
    return { url: pathname + search, ...(!isPath && { host }) };
  } catch {
    return { url: UNREADABLE };
  }
}

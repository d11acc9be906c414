/** Owns a listening server that ends well: what is under way is answered, and no connection outlives it. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";

// An open connection on which no byte moves for so long is closed, unless its answer may take longer.
const SILENT_MS = 120_000;
// What else an answer takes beyond the time limit of its request.
const REMAINDER_MS = 30_000;

/** How long a connection may be silent where an answer takes this long at most. */
export function silentMsFor(longestAnswerMs: number): number {
  return Math.max(SILENT_MS, longestAnswerMs + REMAINDER_MS);
}

// A connection that has brought no request by then, after the end began, was made in advance.
const UNUSED_MS = 1_000;

// Limit: open connections of a server; one more is closed at once. Two servers and the stores' connections stay below 4,096
// descriptors: without any left, those that are answered would lose their stores.
const MOST_CONNECTIONS = 1_900;

// Tuned: for one that is piped through a compression Node and Koa listen seven times, we five times at most. Above Node's own ten it
// takes the listeners for a leak and warns on standard error, which is no line of a log.
const MOST_LISTENERS = 20;

export class HttpServer {
  private isEnding = false;
  private readonly server: Server;
  /** Requests under way on each connection. */
  private readonly underWay = new Map<Socket, number>();

  /**
   * `keepAliveMs`: after so long an idle connection is closed; longer than a proxy's, so that the proxy closes it. `silentMs`: after
   * so long any other one on which no byte moves.
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
        // It was busy when the others were closed.
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
    // Node takes a connection for idle whose answer is written but not yet sent, and would cut it: `close` does it itself.
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

  /** From now on each answer ends its connection, so that clients and proxies make their next one elsewhere. */
  beginEnd(): void {
    this.isEnding = true;
  }

  /** Takes no further connections, and lets requests under way finish for so many milliseconds. */
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

/** True for a connection that has brought nothing yet: its first request may be on its way. */
function isFresh({ bytesRead }: Socket): boolean {
  return bytesRead === 0;
}

// What Koa reads as it stands; anything else it hands to a parser that throws wherever the path is asked for, also after the
// answer.
const PLAIN_TARGET = /^(?:\/[^\s#]*|\*)$/;

// No path either, and plain: it is refused, logged and counted as any request.
const UNREADABLE = "/%";

/**
 * Path and query of a request's target, and its host, which is the request's, where it is a whole address (RFC 9112, 3.2.2);
 * where it is none, a path that is refused.
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

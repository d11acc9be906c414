/** Owns a listening server that ends well: what is under way is answered, and no connection outlives it. */
import { createServer, type RequestListener, type Server } from "node:http";

export class HttpServer {
  private isEnding = false;
  private open = 0;
  private readonly server: Server;

  /** `keepAliveMs`: after so long an idle connection is closed; longer than a proxy's, so that the proxy closes it. */
  constructor(answer: RequestListener, keepAliveMs: number) {
    this.server = createServer((request, response) => {
      this.open += 1;
      if (this.isEnding) response.setHeader("Connection", "close");
      response.once("close", () => {
        this.open -= 1;
        // It was busy when the others were closed.
        if (!this.server.listening) this.server.closeIdleConnections();
      });
      answer(request, response);
    });
    this.server.keepAliveTimeout = keepAliveMs;
  }

  /** Requests under way. */
  count(): number {
    return this.open;
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
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
  }
}

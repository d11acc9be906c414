/** Starts servers on ports of this machine. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Waits until a server listens on 127.0.0.1, and returns its address. */
export async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  base: string;
  port: number;
  /** Cuts all connections; ends when the server no longer listens. */
  close: () => Promise<void>;
}

/** Starts a Koa app, or a server, by default on any free port; the caller closes it. */
export async function listen(
  app: { listen: (port: number, host: string) => Server },
  given = 0,
): Promise<Listening> {
  const server = app.listen(given, "127.0.0.1");
  const base = await addressOf(server);
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { base, port: Number(new URL(base).port), close };
}

/** Starts a server with this listener, as `listen` does. */
export const serve = (listener: RequestListener, port = 0) => listen(createServer(listener), port);

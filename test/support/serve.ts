/** Starts servers on ports of this machine. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Waits until a server listens on 127.0.0.1, and returns its address. */
export async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server with this listener; by default on any free port. */
export async function serve(listener: RequestListener, port = 0) {
  const server = createServer(listener).listen(port, "127.0.0.1");
  const base = await addressOf(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { base, close };
}

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  base: string;
  port: number;
  /** Stops listening, and cuts all connections. */
  close: () => void;
}

/** Starts a Koa app, or a server, on any free port; the caller closes it. */
export async function listen(app: { listen: (port: number, host: string) => Server }): Promise<Listening> {
  const server = app.listen(0, "127.0.0.1");
  const base = await addressOf(server);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { base, port: Number(new URL(base).port), close };
}

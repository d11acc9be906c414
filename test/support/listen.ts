/** Serves a Koa app, or a server, on a free port of this machine. */
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  base: string;
  port: number;
  /** Stops listening, and cuts all connections. */
  close: () => void;
}

/** Starts an app or a server; the caller closes it. */
export async function listen(app: { listen: (port: number, host: string) => Server }): Promise<Listening> {
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { base: `http://127.0.0.1:${port}`, port, close };
}

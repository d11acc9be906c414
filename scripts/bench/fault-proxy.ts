/** A failing network for measurements and tests: a proxy that refuses or freezes connections to an engine. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface FaultProxy {
  /** The engine's address, but with the host and port of the proxy. */
  address: string;
  /** Breaks all connections and refuses new ones, as when the engine has died. */
  refuse: () => Promise<void>;
  /** Lets nothing through and keeps all connections, as when the engine's machine hangs. */
  freeze: () => void;
  /** Ends either fault. */
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/** Opens a proxy on a free port before the engine at this address. */
export async function openFaultProxy(address: string): Promise<FaultProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let server: Server;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    if (isFrozen) socket.pause();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const serve = async (port: number) => {
    server = createServer((client) => join(client, connect(Number(target.port), target.hostname), keep));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const refuse = async () => {
    const isClosed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await isClosed;
  };
  const port = await serve(0);
  return {
    address: Object.assign(new URL(address), { hostname: "127.0.0.1", port: String(port) }).href,
    refuse,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    restore: async () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await serve(port);
    },
    close: refuse,
  };
}

function join(client: Socket, engine: Socket, keep: (socket: Socket) => void): void {
  for (const [from, to] of [
    [client, engine],
    [engine, client],
  ] as const) {
    keep(from);
    from.on("data", (bytes) => to.write(bytes));
    from.on("close", () => to.destroy());
  }
}

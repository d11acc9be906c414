/** Owns a proxy before an engine that can hold everything back, as when the engine's machine hangs. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";

/** A proxy on a port of its own. */
export interface FreezingProxy {
  /** The engine's address with the proxy's port in it. */
  address: string;
  /** Lets nothing through and keeps all connections. */
  freeze: () => void;
  /** Lets through what was held back, and all else. */
  thaw: () => void;
  close: () => void;
}

/** Opens a proxy before the engine at this address. */
export async function openFreezingProxy(address: string): Promise<FreezingProxy> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    if (isFrozen) from.pause();
    from.on("error", () => from.destroy());
    from.on("data", (bytes) => to.write(bytes));
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const engine = connect(Number(target.port), target.hostname);
    join(client, engine);
    join(engine, client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const all = (change: (socket: Socket) => unknown) => sockets.forEach((socket) => void change(socket));
  return {
    address: Object.assign(new URL(address), { hostname: "127.0.0.1", port: String(port) }).href,
    freeze: () => {
      isFrozen = true;
      all((socket) => socket.pause());
    },
    thaw: () => {
      isFrozen = false;
      all((socket) => socket.resume());
    },
    close: () => {
      server.close();
      all((socket) => socket.destroy());
    },
  };
}

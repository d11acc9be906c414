/** A proxy in front of Elasticsearch that holds back one request, or the answer to it. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface RequestGate {
  /** The engine's address with the proxy's port in it. */
  address: string;
  /** Resolves when the request, or with `holds: "after"` its answer, has arrived and is held back. */
  reached: Promise<void>;
  close: () => Promise<void>;
}

/** Which request to hold, matched by its first line: `before` Elasticsearch gets it, or its answer `after` that. */
export interface Gate {
  request: RegExp;
  holds: "before" | "after";
}

/** Opens the proxy on a free port in front of this address. */
export async function openRequestGate(address: string, { request, holds }: Gate): Promise<RequestGate> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const server = createServer((client) => {
    const engine = connect(Number(target.port), target.hostname);
    let isHeld = false;
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    client.on("close", () => engine.destroy());
    engine.on("close", () => client.destroy());
    client.on("data", (bytes) => {
      isHeld ||= request.test(bytes.toString("latin1").split("\r\n", 1)[0] ?? "");
      if (!isHeld || holds === "after") engine.write(bytes);
      else reach();
    });
    engine.on("data", (bytes) => {
      if (isHeld) reach();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: Object.assign(new URL(address), { hostname: "127.0.0.1", port: String(port) }).href,
    reached,
    close: async () => {
      const isClosed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
  };
}

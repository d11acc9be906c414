/** Owns a proxy before Elasticsearch that stops at one request: before the engine has it, or before its answer is heard. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface RequestGate {
  /** The engine's address with the proxy's port in it. */
  address: string;
  /** Resolves when the request has come, and the engine has done it where the answer is what is held back. */
  reached: Promise<void>;
  close: () => Promise<void>;
}

/** The request: its first line matches, and it is held back `before` the engine, or its answer `after`. */
export interface Gate {
  request: RegExp;
  holds: "before" | "after";
}

/** Opens a proxy on a free port before the engine at this address. */
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

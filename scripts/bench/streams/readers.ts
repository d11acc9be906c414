/**
 * Many readers of one event stream: half of them read as fast as they can, the others one byte per second. They take as
 * little processor time as possible (one buffer for all, nothing parsed), since real readers run on other machines.
 */
import { connect, type Socket } from "node:net";

// How often a slow reader reads a byte.
const SLOW_MS = 1_000;
const FAST_BYTES = 256 * 1024;
const OK = "HTTP/1.1 200 ";

interface Readers {
  /** Bytes read by the slowest of the fast readers. */
  leastRead: () => number;
  close: () => void;
}

/** Connects the readers. Rejects if the server refuses one. */
export async function openReaders(address: string, key: string, count: number): Promise<Readers> {
  const bytes = new Map<number, number>();
  const sockets: Socket[] = [];
  const shared = Buffer.alloc(FAST_BYTES);
  for (let at = 0; at < count; at += 1) {
    if (at % 2 === 1) {
      sockets.push(await openReader(address, key, Buffer.alloc(1), () => false));
      continue;
    }
    const onRead = (length: number) => {
      bytes.set(at, (bytes.get(at) ?? 0) + length);
      return true;
    };
    bytes.set(at, 0);
    sockets.push(await openReader(address, key, shared, onRead));
  }
  const slow = sockets.filter((_socket, at) => at % 2 === 1);
  const timer = setInterval(() => {
    for (const socket of slow) socket.resume();
  }, SLOW_MS);
  return {
    leastRead: () => Math.min(...bytes.values()),
    close: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends the request and checks the status; then calls `onRead` with the length of each read. If that returns false,
 * the reader pauses. */
function openReader(
  address: string,
  key: string,
  buffer: Buffer,
  onRead: (length: number) => boolean,
): Promise<Socket> {
  const { hostname: host, port, pathname } = new URL(address);
  const credentials = Buffer.from(`${key}:`).toString("base64");
  return new Promise((resolve, reject) => {
    let status = "";
    const callback = (length: number, read: Uint8Array) => {
      if (status.length >= OK.length) return onRead(length);
      status += Buffer.from(read.subarray(0, length)).toString("latin1");
      if (status.length < OK.length) return true;
      if (status.startsWith(OK)) resolve(socket);
      else reject(new Error(`a reader was answered with ${status.split("\r\n")[0] ?? ""}`));
      return onRead(length);
    };
    const socket = connect({ host, port: Number(port), onread: { buffer, callback } });
    socket.once("error", reject);
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Basic ${credentials}\r\n\r\n`);
  });
}

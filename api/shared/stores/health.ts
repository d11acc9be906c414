/** Owns the shapes of the stores' health reports, and what they have in common. */
import { createRequire } from "node:module";

/** The server behind a store's address. */
export interface ServerState {
  /** What it calls itself, where that is not the store's own name: a stand-in such as `ferretdb`, `valkey`. */
  product?: string;
  /** `9.4.3`. */
  version: string;
  /** Of the client package that speaks with it. */
  clientVersion: string;
  /** Its clock, less ours at the middle of the question, in milliseconds. */
  clockOffsetMs: number;
}

/** Bytes of something bounded. */
export interface Capacity {
  /** What it is of: a node's name. */
  of: string;
  totalBytes: number;
  freeBytes: number;
}

/** Asks a question whose answer has a time. `at`: our clock at the middle of the question. */
export async function askClock<T>(question: () => Promise<T>) {
  const before = Date.now();
  const answer = await question();
  return { answer, at: (before + Date.now()) / 2 };
}

/** Version of a client's package as it is installed: `9.4.3`. */
export function readClientVersion(name: "@elastic/elasticsearch" | "ioredis" | "mongodb"): string {
  // The cast: every package has one.
  return (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version;
}

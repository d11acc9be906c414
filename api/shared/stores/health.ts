/** Owns the shapes of the stores' health reports, and what they have in common. */
import { createRequire } from "node:module";

/** The server behind a store's address. */
export interface ServerState {
  /** `9.4.3`. */
  version: string;
  /** Of the client package that speaks with it. */
  clientVersion: string;
}

/** Bytes of something bounded. */
export interface Capacity {
  /** What it is of: a node's name. */
  of: string;
  totalBytes: number;
  freeBytes: number;
}

/** Version of a client's package as it is installed: `9.4.3`. */
export function readClientVersion(name: "@elastic/elasticsearch" | "ioredis" | "mongodb"): string {
  // The cast: every package has one.
  return (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version;
}

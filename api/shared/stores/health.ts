/** The parts that the health reports of the stores share: version of server and client, free space. */
import { createRequire } from "node:module";

export interface ServerState {
  /** `9.4.3`. */
  version: string;
  /** Version of our client package. */
  clientVersion: string;
}

/** Total and free space of a disk. */
export interface Capacity {
  /** Name of the node, or of the store. */
  of: string;
  totalBytes: number;
  freeBytes: number;
}

/** The installed version of a client package: `9.4.3`. */
export function readClientVersion(name: "@elastic/elasticsearch" | "ioredis" | "mongodb"): string {
  // The cast: every package.json has a version.
  return (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version;
}

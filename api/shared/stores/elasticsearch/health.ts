/** Reads for operators: Elasticsearch's version, free disk space, and the state of every index of the prefix. */
import type { Client } from "@elastic/elasticsearch";
import { guard } from "./faults.ts";
import { readClientVersion, type Capacity, type ServerState } from "../health.ts";

/** One index whose name begins with the prefix, with or without an alias. */
export interface IndexState {
  /** Full name, with version and time. */
  name: string;
  /** Without the prefix. */
  aliases: string[];
  health: "green" | "yellow" | "red";
  isOpen: boolean;
  /** Bytes on disk, replicas included. */
  bytes: number;
  mappings: Record<string, unknown>;
  /** By full name: `index.refresh_interval`. */
  settings: Record<string, unknown>;
}

/** Opens the reads for operators. */
export function openHealth(client: Client, prefix: string) {
  return {
    fetchServer: () => guard(() => fetchServer(client)),
    /** The disk of each node that holds data. */
    fetchDisks: () => guard(() => fetchDisks(client)),
    /** Every index of the prefix, sorted by name. */
    fetchIndices: () => guard(() => fetchIndices(client, prefix)),
    /** Number of documents that searches find in each of these indices; null if a shard does not answer. */
    fetchCounts: (names: readonly string[]) => Promise.all(names.map((index) => fetchCount(client, index))),
  };
}

// Operators must see at once that an engine is unavailable: no retry.
const AT_ONCE = { maxRetries: 0 };

async function fetchServer(client: Client): Promise<ServerState> {
  const { version } = await client.info({}, AT_ONCE);
  return { version: version.number, clientVersion: readClientVersion("@elastic/elasticsearch") };
}

async function fetchDisks(client: Client): Promise<Capacity[]> {
  const { nodes } = await client.nodes.stats({ node_id: "data:true", metric: "fs" }, AT_ONCE);
  return Object.values(nodes).flatMap(({ name: of = "", fs }) => {
    const { total_in_bytes: total, available_in_bytes: free } = fs?.total ?? {};
    return total && free !== undefined ? [{ of, totalBytes: total, freeBytes: free }] : [];
  });
}

async function fetchIndices(client: Client, prefix: string): Promise<IndexState[]> {
  const asked = { index: `${prefix}*`, expand_wildcards: ["open" as const, "closed" as const] };
  const listing = { ...asked, format: "json" as const, bytes: "b" as const };
  const [listed, described] = await Promise.all([
    client.cat.indices({ ...listing, h: ["index", "health", "status", "store.size"] }, AT_ONCE),
    client.indices.get({ ...asked, flat_settings: true }, AT_ONCE),
  ]);
  return Object.entries(described)
    .map(([name, { aliases = {}, mappings = {}, settings = {} }]) => {
      const row = listed.find((candidate) => candidate.index === name);
      return {
        name,
        aliases: Object.keys(aliases).map((alias) => alias.slice(prefix.length)),
        health: (row?.health ?? "red") as IndexState["health"],
        isOpen: row?.status === "open",
        bytes: Number(row?.["store.size"] ?? 0),
        mappings: mappings as Record<string, unknown>,
        settings,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Not from the engine's listing of indices, which also counts nested documents. */
async function fetchCount(client: Client, index: string): Promise<number | null> {
  const answer = await client.count({ index }, AT_ONCE).catch(() => null);
  return answer?._shards.failed === 0 ? answer.count : null;
}

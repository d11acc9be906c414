/** Indices beside the live ones: create and fill them, inspect them, move the live alias to them, delete them. */
import type { Client, estypes } from "@elastic/elasticsearch";
import type {
  AliasedIndex,
  IndexAlias,
  IndexDefinition,
  IndexName,
  NeededIndex,
} from "../../definitions/define-index.ts";
import { guard } from "./faults.ts";
import { isNextName, nameIndex, stampOf, versionOf } from "./names.ts";
import { TRY_ONCE_MORE } from "./search.ts";

/** A move of the live alias to another index. */
export interface AliasMove {
  index: IndexName;
  /** The live index so far; undefined: none. */
  from: string | undefined;
  to: string;
  /** True when `to` has the alias of the index being built, which this step removes. */
  isBuilt: boolean;
  /** Indices deleted in the same step. */
  remove: readonly string[];
}

// The build remembers live deletions for longer than any scan takes, so a late write of a scan cannot undo them.
const BUILDING_SETTINGS = {
  refresh_interval: "-1",
  number_of_replicas: 0,
  auto_expand_replicas: false,
  gc_deletes: "48h",
};

/** How long an index remembers the versions of deleted documents (`gc_deletes`); null: the engine's default. */
export function deletionMemoryOf({ name, settings }: Pick<AliasedIndex, "name" | "settings">): string | null {
  const { gc_deletes } = isNextName(name) ? BUILDING_SETTINGS : settings;
  return typeof gc_deletes === "string" ? gc_deletes : null;
}

/** Opens the indices beside the live ones. Every failure to reach the engine is an UnavailableError. */
export function openBuilds(client: Client, prefix: string) {
  const alias = (name: string) => prefix + name;
  return { ...openReads(client, alias), ...openChanges(client, alias) };
}

function openReads(client: Client, alias: (name: string) => string) {
  return {
    /** Every index of this name, oldest first. */
    list: (index: IndexName) => guard(() => listBuilds(client, alias(index))),

    /** Begins to merge a filled index into few segments, for faster searches; returns the engine's task id. */
    beginMerge: (name: IndexAlias | NeededIndex) =>
      guard(async () => {
        const index = alias(name);
        const bytes = usedBytesOf(await client.indices.stats({ index, metric: "store" }));
        const max_num_segments = Math.max(1, Math.ceil(bytes / SEGMENT_BYTES));
        const asked = { index, max_num_segments, wait_for_completion: false };
        return (await client.indices.forcemerge(asked)).task ?? "";
      }),

    /** True when the task has ended, or its node has, and the task with it. The index is complete in either case. */
    isMerged: (task: string) =>
      guard(async () => (await client.tasks.get({ task_id: task }, { ignore: [404] })).completed !== false),

    /** Waits until all replicas that the settings ask for exist; false when `timeoutMs` was too short. */
    waitForCopies: (name: string, timeoutMs: number) =>
      guard(async () => {
        const asked = { index: name, wait_for_status: "green" as const, timeout: `${timeoutMs}ms` };
        // At a timeout the engine answers 408, with the health so far.
        const options = { requestTimeout: timeoutMs + 10_000, ignore: [408] };
        return !(await client.cluster.health(asked, options)).timed_out;
      }),

    /** Number of documents that searches would find. */
    countDocuments: (name: string) => guard(async () => (await client.count({ index: name })).count),

    /** Number of writes that an index has ever taken, deletions included. */
    countOperations: (name: string) => guard(() => countOperations(client, name)),

    /** Bytes of the live index and of the build, without replicas, and free bytes of each data node, if known. */
    fetchRoom: (index: IndexName) =>
      guard(async () => {
        const fetchBytes = async (name: string) =>
          usedBytesOf(await client.indices.stats({ index: name, metric: "store" }, { ignore: [404] }));
        // Without a live index, nothing shows how large the new one will be.
        const usedBytes = await fetchBytes(alias(index));
        const buildBytes = await fetchBytes(`${alias(index)}-next`);
        const { nodes } = await client.nodes.stats({ node_id: "data:true", metric: "fs" }, { ignore: [403] });
        const freeBytes = Object.values(nodes ?? {}).flatMap(({ fs }) => fs?.total?.available_in_bytes ?? []);
        return { usedBytes, buildBytes, freeBytes };
      }),
  };
}

async function countOperations(client: Client, name: string): Promise<number> {
  const asked = { index: name, metric: "docs" as const, level: "shards" as const };
  const { indices = {} } = await client.indices.stats(asked);
  const copies = Object.values(indices[name]?.shards ?? {});
  // Each shard numbers its operations from 0.
  return copies
    .map((shard) => Math.max(...shard.map(({ seq_no }) => seq_no?.max_seq_no ?? -1)) + 1)
    .reduce((sum, count) => sum + count, 0);
}

function openChanges(client: Client, alias: (name: string) => string) {
  return {
    /** Creates an index beside the live one, set up for bulk writes: no replicas, no refresh. Returns its name. */
    create: (definition: IndexDefinition, moment: Date) =>
      guard(async () => {
        const live = alias(definition.name);
        const taken = (await listBuilds(client, live)).map(({ name }) => name);
        const name = nameIndex(live, definition.version, moment, taken);
        await client.indices.create({
          index: name,
          mappings: definition.mappings,
          settings: { ...definition.settings, ...BUILDING_SETTINGS } as never,
          aliases: { [`${live}-next`]: { is_write_index: true } },
        });
        return name;
      }),

    /** Sets the settings of a built index to those of its definition. */
    finish: ({ settings }: IndexDefinition, name: string) =>
      guard(async () => {
        const own = Object.keys(BUILDING_SETTINGS).map((setting) => [setting, settings[setting] ?? null]);
        await client.indices.putSettings({ index: name, settings: Object.fromEntries(own) as never });
      }),

    /** Moves the live alias in one atomic step. */
    move: ({ index, from, to, isBuilt, remove }: AliasMove) =>
      guard(async () => {
        const live = alias(index);
        await client.indices.updateAliases({
          actions: [
            ...(from ? [{ remove: { index: from, alias: live, must_exist: true } }] : []),
            ...(isBuilt ? [{ remove: { index: to, alias: `${live}-next`, must_exist: true } }] : []),
            { add: { index: to, alias: live, is_write_index: true } },
            ...remove.map((name) => ({ remove_index: { index: name } })),
          ],
        });
      }),

    /** Deletes an index, if it exists. */
    remove: (name: string) =>
      guard(async () => void (await client.indices.delete({ index: name, ignore_unavailable: true }))),

    /** Replaces the `_meta` of an index's mappings. */
    putMeta: (name: string, meta: Record<string, unknown>) =>
      guard(async () => void (await client.indices.putMapping({ index: name, _meta: meta }))),

    /** From now on an index stores fields that its mapping does not define, without indexing them. */
    allowUnknownFields: (name: string) =>
      guard(async () => void (await client.indices.putMapping({ index: name, dynamic: false }))),
  };
}

// Below 5 GB: the engine never merges larger segments again, however many of their documents are deleted.
const SEGMENT_BYTES = 4_000_000_000;

function usedBytesOf({ _all }: estypes.IndicesStatsResponse): number {
  return _all?.primaries?.store?.size_in_bytes ?? 0;
}

/** An existing index. Its name shows its version and when it was made. */
export interface FoundIndex {
  name: string;
  /** Its aliases, with the prefix. */
  aliases: string[];
  /** The `_meta` of its mappings, which records how it was built; empty if it has none. */
  meta: Record<string, unknown>;
  /** False when somebody has closed it: it can be neither searched nor written. */
  isOpen: boolean;
}

/** The indices with these names or aliases; missing ones are left out. */
export async function listIndices(client: Client, names: string[]): Promise<FoundIndex[]> {
  const request = {
    index: names,
    features: ["aliases" as const, "mappings" as const, "settings" as const],
    ignore_unavailable: true,
    // The engine sets `verified_before_close` when an index is closed, and removes it when the index is opened.
    filter_path: ["*.aliases", "*.mappings._meta", "*.settings.index.verified_before_close"],
  };
  const found = await client.indices.get(request, TRY_ONCE_MORE);
  return Object.entries(found).map(([name, { aliases = {}, mappings, settings }]) => ({
    name,
    aliases: Object.keys(aliases),
    meta: mappings?._meta ?? {},
    isOpen: settings === undefined,
  }));
}

/** Every index built for this alias, oldest first. */
async function listBuilds(client: Client, live: string) {
  // An index that was restored under another name is found by its alias.
  const found = await listIndices(client, [`${live}-v*`, live, `${live}-next`]);
  const named = found.map(({ name, aliases, meta }) => ({
    name,
    /** Version of the definition that it was built from; undefined if its name has none. */
    version: versionOf(name),
    meta,
    isLive: aliases.includes(live),
    /** True when it has the alias of the index being built. */
    isNext: aliases.includes(`${live}-next`),
  }));
  return named.sort((a, b) => (stampOf(a.name) < stampOf(b.name) ? -1 : 1));
}

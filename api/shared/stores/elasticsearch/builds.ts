/** Owns the indices of Elasticsearch beside the live ones: built, looked at, taken into use in one step, deleted. */
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

/** A step from one live index to another. */
export interface AliasMove {
  index: IndexName;
  /** The live index until now; undefined: there is none. */
  from: string | undefined;
  to: string;
  /** True when `to` is reached as the one being built, which ends. */
  isBuilt: boolean;
  /** Indices deleted in the same step. */
  remove: readonly string[];
}

// Deletions of live writes are remembered for longer than any scan takes: its late writes do not undo them.
const BUILDING_SETTINGS = {
  refresh_interval: "-1",
  number_of_replicas: 0,
  auto_expand_replicas: false,
  gc_deletes: "48h",
};

/** How long an index remembers the versions of deleted documents, by its settings; null: as long as the engine likes. */
export function remembersDeletions({
  name,
  settings,
}: Pick<AliasedIndex, "name" | "settings">): string | null {
  const { gc_deletes } = isNextName(name) ? BUILDING_SETTINGS : settings;
  return typeof gc_deletes === "string" ? gc_deletes : null;
}

/** The indices beside the live ones. Every failure to reach the engine is an UnavailableError. */
export function openBuilds(client: Client, prefix: string) {
  const alias = (name: string) => prefix + name;
  return { ...openQuestions(client, alias), ...openSteps(client, alias) };
}

function openQuestions(client: Client, alias: (name: string) => string) {
  return {
    /** Every index of this name, in the order in which they were made. */
    list: (index: IndexName) => guard(() => listBuilds(client, alias(index))),

    /** Begins to merge a filled index into few segments, for faster searches; returns the task of the engine. */
    beginMerge: (name: IndexAlias | NeededIndex) =>
      guard(async () => {
        const index = alias(name);
        const bytes = usedBytesOf(await client.indices.stats({ index, metric: "store" }));
        const max_num_segments = Math.max(1, Math.ceil(bytes / SEGMENT_BYTES));
        const asked = { index, max_num_segments, wait_for_completion: false };
        return (await client.indices.forcemerge(asked)).task ?? "";
      }),

    /** True when the task has ended; also where its node has, and with it the task: the index is whole in either case. */
    isMerged: (task: string) =>
      guard(async () => (await client.tasks.get({ task_id: task }, { ignore: [404] })).completed !== false),

    /** Waits for every copy that the settings ask for; false when the time was too short. */
    waitForCopies: (name: string, timeoutMs: number) =>
      guard(async () => {
        const asked = { index: name, wait_for_status: "green" as const, timeout: `${timeoutMs}ms` };
        // A time that was too short is answered by 408, and by what was reached.
        const options = { requestTimeout: timeoutMs + 10_000, ignore: [408] };
        return !(await client.cluster.health(asked, options)).timed_out;
      }),

    /** Documents of an index that searches would find. */
    countDocuments: (name: string) => guard(async () => (await client.count({ index: name })).count),

    /** Writes that an index has ever taken, deletions included. */
    countOperations: (name: string) => guard(() => countOperations(client, name)),

    /** Bytes of the live index and of a build, without copies, and what each data node has left, if the engine says it. */
    fetchRoom: (index: IndexName) =>
      guard(async () => {
        const fetchBytes = async (name: string) =>
          usedBytesOf(await client.indices.stats({ index: name, metric: "store" }, { ignore: [404] }));
        // There may be no live index: then the size of the new one is unknown.
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
  // The numbers of operations are counted from 0 on each shard.
  return copies
    .map((shard) => Math.max(...shard.map(({ seq_no }) => seq_no?.max_seq_no ?? -1)) + 1)
    .reduce((sum, count) => sum + count, 0);
}

function openSteps(client: Client, alias: (name: string) => string) {
  return {
    /** Creates an index that is built beside the live one, fit for writing much: no copies, no refresh. Returns its name. */
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

    /** Gives a built index the settings of its definition. */
    finish: ({ settings }: IndexDefinition, name: string) =>
      guard(async () => {
        const own = Object.keys(BUILDING_SETTINGS).map((setting) => [setting, settings[setting] ?? null]);
        await client.indices.putSettings({ index: name, settings: Object.fromEntries(own) as never });
      }),

    /** Moves the live alias, in one step. */
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

    /** Deletes an index; nothing happens when it is not there. */
    remove: (name: string) =>
      guard(async () => void (await client.indices.delete({ index: name, ignore_unavailable: true }))),

    /** Replaces what an index records of itself. */
    putMeta: (name: string, meta: Record<string, unknown>) =>
      guard(async () => void (await client.indices.putMapping({ index: name, _meta: meta }))),

    /** From now on an index stores fields that its mapping does not know, without searching them. */
    loosen: (name: string) =>
      guard(async () => void (await client.indices.putMapping({ index: name, dynamic: false }))),
  };
}

// The engine leaves segments alone that are larger than 5 GB, whatever was deleted in them.
const SEGMENT_BYTES = 4_000_000_000;

function usedBytesOf({ _all }: estypes.IndicesStatsResponse): number {
  return _all?.primaries?.store?.size_in_bytes ?? 0;
}

/** An index that is there, by its own name, which shows its version and time. */
export interface FoundIndex {
  name: string;
  /** What leads to it. */
  aliases: string[];
  /** The `_meta` of its mappings, which records how it was built; empty when there is none. */
  meta: Record<string, unknown>;
  /** False once somebody has closed it: it is neither searched nor written then. */
  isOpen: boolean;
}

/** The indices of these names and behind these aliases; those that do not exist are left out. */
export async function listIndices(client: Client, names: string[]): Promise<FoundIndex[]> {
  const request = {
    index: names,
    features: ["aliases" as const, "mappings" as const, "settings" as const],
    ignore_unavailable: true,
    // The engine gives that setting to an index as it is closed, and takes it back as it is opened.
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

/** Every index of the name behind this alias, in the order in which they were made. */
async function listBuilds(client: Client, live: string) {
  // An index that was restored under another name is known by its alias.
  const found = await listIndices(client, [`${live}-v*`, live, `${live}-next`]);
  const named = found.map(({ name, aliases, meta }) => ({
    name,
    /** Of the definition it was built from; undefined if its name does not say. */
    version: versionOf(name),
    meta,
    isLive: aliases.includes(live),
    /** True when it is reached as the one being built. */
    isNext: aliases.includes(`${live}-next`),
  }));
  return named.sort((a, b) => (stampOf(a.name) < stampOf(b.name) ? -1 : 1));
}

/**
 * Opens the Elasticsearch store: the files beside it behind one interface with one translation of errors. Also creates
 * live indices with their aliases, lists them and deletes them.
 */
import { Client, errors } from "@elastic/elasticsearch";
import { withBudget } from "../../runtime/deadlines.ts";
import type {
  AliasedIndex,
  IndexAlias,
  IndexDefinition,
  IndexedWords,
  IndexName,
  NeededIndex,
} from "../../definitions/define-index.ts";
import { CONNECT_MS } from "../network-faults.ts";
import { fetchDocuments, forgetDocuments, walkIds, type IndexedDocument } from "./documents.ts";
import { guard, guardEach, typeOf } from "./faults.ts";
import { openHealth } from "./health.ts";
import { listIndices, openBuilds, deletionMemoryOf, type FoundIndex } from "./builds.ts";
import { isNextName, nameIndex } from "./names.ts";
import { DirectConnection, NodePool } from "./nodes.ts";
import { DirectTransport, openSearch } from "./search.ts";
import { openWords, type Words } from "./words.ts";
import { writeDocuments, type IndexRefusal, type IndexWrite, type WriteOptions } from "./writes.ts";

export type { IndexRefusal, IndexWrite } from "./writes.ts";

/** An index behind an alias, with the `_meta` of its mappings, which records how it was built. */
export type LiveIndex = Pick<FoundIndex, "name" | "meta">;

export type ElasticsearchStore = ReturnType<typeof openElasticsearch>;

/**
 * Opens a pool; every failure to reach the engine is an UnavailableError. Nothing is sent until the first operation.
 * `url`: one address, or comma-separated addresses of several nodes of a cluster; requests go to them in turn, except
 * to nodes that have failed. `prefix` begins the name of every index and alias.
 */
export function openElasticsearch(options: { url: string; prefix: string; timeoutMs: number }) {
  const nodes = options.url.split(",").map((address) => address.trim());
  const client = openClient(nodes, options.timeoutMs);
  // One client for each node of a cluster, so that each can be pinged.
  const single = nodes.length > 1 ? nodes.map((node) => openClient([node], options.timeoutMs)) : [client];
  const alias = (name: string) => options.prefix + name;
  const words = openWords(client, alias("words"));
  return {
    search: openSearch(client, options.prefix),

    ...openWrites(client, alias, words),

    /** The existing documents with these ids, as last written, visible to searches or not. */
    fetchDocuments: (index: IndexAlias, ids: readonly string[]) =>
      guard(() => fetchDocuments(client, alias(index), ids)),

    /** The ids of all documents that searches could find when the walk began, in pages, in no order. */
    walkIds: (index: IndexAlias) => guardEach(walkIds(client, alias(index))),

    /** Creates an index and its alias, once for simultaneous callers; returns its name, or null if the alias exists. */
    createIndex: (definition: IndexDefinition | IndexedWords, moment: Date) =>
      guard(() => createIndex(client, alias(definition.name), definition, moment)),

    /** The indices behind these aliases and whether they are open, in one request; missing aliases are left out. */
    fetchAliasedIndices: (indices: readonly NeededIndex[]) =>
      guard(() => fetchAliasedIndices(client, indices, alias)),

    /** The indices behind these aliases; missing aliases are left out. */
    fetchLiveIndices: (indices: readonly IndexName[]): Promise<LiveIndex[]> =>
      guard(() => listIndices(client, indices.map(alias))),

    /** Makes earlier writes visible to searches, in the live indices of these names; default: in all of the prefix. */
    refresh: (names: readonly (NeededIndex | "*")[] = ["*"]) =>
      guard(async () => {
        await client.indices.refresh({ index: names.map(alias), ignore_unavailable: true });
      }),

    count: (index: IndexAlias) => guard(async () => (await client.count({ index: alias(index) })).count),

    /** The words of the register, for near spellings; see `index-mappings/words`. */
    words,

    builds: openBuilds(client, options.prefix),

    deleteIndices: () => guard(() => deleteIndices(client, options.prefix)),

    health: openHealth(client, options.prefix),

    /** Rejects when no node answers within so many milliseconds. */
    ping: (withinMs = options.timeoutMs) => ping(single, withinMs),

    close: async () => void (await Promise.all([...new Set([client, ...single])].map((one) => one.close()))),
  };
}

/** Writes documents, and their words into the index of words. */
function openWrites(client: Client, alias: (name: string) => string, words: Words) {
  const targetOf = (index: IndexAlias) => ({ alias: alias(index), mayBeGone: isNextName(index) });
  return {
    /**
     * Writes documents through the alias, and their words into the index of words. Retries items that failed
     * temporarily, and returns those that were refused for good. Throws BuildGoneError when the alias is that of an
     * index being built, and no longer exists.
     */
    write: (index: IndexAlias, writes: IndexWrite[], how?: WriteOptions): Promise<IndexRefusal[]> =>
      guard(async () => {
        const documents = writeDocuments(client, { ...targetOf(index), ...how }, writes);
        const texts = writes.flatMap((one) => one.texts ?? []);
        const [refusals] = await Promise.all([documents, words.add(texts)]);
        return refusals;
      }),

    /** Deletes documents at these versions, and makes the index forget them: lower versions are accepted again. */
    forget: (
      index: Pick<AliasedIndex, "name" | "settings">,
      stored: readonly Pick<IndexedDocument, "id" | "version">[],
    ): Promise<void> =>
      guard(() => {
        const removals = stored.map(({ id, version }) => ({ id, version, document: null }));
        const target = { alias: alias(index.name), remembers: deletionMemoryOf(index) };
        return forgetDocuments(client, target, () => writeDocuments(client, targetOf(index.name), removals));
      }),
  };
}

/** Does not retry, because readiness must show a lost engine at once. In a cluster, one node that answers is enough. */
function ping(nodes: readonly Client[], withinMs: number): Promise<void> {
  return withBudget(withinMs, (budget) =>
    guard(async () => {
      const how = { maxRetries: 0, signal: budget.signal };
      await Promise.any(nodes.map((node) => node.info({}, how))).catch(throwFirst);
      // Ends the requests to nodes that hang.
      budget.abandon();
    }, budget),
  );
}

function throwFirst({ errors: [first] }: AggregateError): never {
  throw first;
}

function openClient(nodes: string[], timeoutMs: number): Client {
  // Answers are never merged into objects, and the client's search for `__proto__` takes as long as parsing.
  const parsing = { disablePrototypePoisoningProtection: true };
  const way = { Connection: DirectConnection, Transport: DirectTransport, ConnectionPool: NodePool };
  // The client's types lack this option.
  const agent: object = { connectTimeout: CONNECT_MS };
  return new Client({ nodes, requestTimeout: timeoutMs, maxRetries: 2, agent, ...parsing, ...way });
}

/** Creates an index and its alias; returns its name, or null if the alias exists. */
async function createIndex(
  client: Client,
  alias: string,
  definition: Pick<IndexDefinition | IndexedWords, "version" | "mappings" | "settings">,
  moment: Date,
): Promise<string | null> {
  if (await client.indices.existsAlias({ name: alias })) return null;
  const name = nameIndex(alias, definition.version, moment, []);
  try {
    await client.indices.create({
      index: name,
      mappings: definition.mappings,
      settings: definition.settings,
      // An alias has only one write index, so of two processes that create one at once, the engine refuses the later.
      aliases: { [alias]: { is_write_index: true } },
    });
    return name;
  } catch (error) {
    if (isCreationRefused(error) && (await client.indices.existsAlias({ name: alias }))) return null;
    throw error;
  }
}

// The name is taken (both clocks in the same minute), or the alias has its write index (in different minutes).
const CREATION_REFUSALS = ["resource_already_exists_exception", "illegal_state_exception"];

function isCreationRefused(error: unknown): boolean {
  return error instanceof errors.ResponseError && CREATION_REFUSALS.includes(typeOf(error));
}

/** The indices behind these aliases, which are named without the prefix; missing aliases are left out. */
async function fetchAliasedIndices(
  client: Client,
  indices: readonly NeededIndex[],
  alias: (name: string) => string,
) {
  const found = await listIndices(client, indices.map(alias));
  return found.flatMap(({ name, aliases, isOpen }) =>
    indices
      .filter((index) => aliases.includes(alias(index)))
      .map((index) => ({ alias: index, name, isOpen })),
  );
}

/** Deletes every index whose name begins with the prefix. */
async function deleteIndices(client: Client, prefix: string): Promise<void> {
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const name of names) await client.indices.delete({ index: name });
}

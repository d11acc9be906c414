/**
 * Owns Elasticsearch's store: what the files beside it do, behind one interface and one guard, and the life of its indices:
 * made with their alias, looked at, deleted.
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
import { listIndices, openBuilds, remembersDeletions, type FoundIndex } from "./builds.ts";
import { isNextName, nameIndex } from "./names.ts";
import { DirectConnection, NodePool } from "./nodes.ts";
import { DirectTransport, openSearch } from "./search.ts";
import { openWords, type Words } from "./words.ts";
import { writeDocuments, type IndexRefusal, type IndexWrite, type WriteOptions } from "./writes.ts";

export type { IndexRefusal, IndexWrite } from "./writes.ts";

/** An index behind an alias, and what its mappings record of how it was built. */
export type LiveIndex = Pick<FoundIndex, "name" | "meta">;

export type ElasticsearchStore = ReturnType<typeof openElasticsearch>;

/**
 * Opens a pool; every failure to reach the engine is an UnavailableError. Nothing is sent until the first operation. `url`: one address, or those of several nodes of a cluster,
 * separated by commas: requests go to them in turn, and not to one that has failed. `prefix` stands before every name.
 */
export function openElasticsearch(options: { url: string; prefix: string; timeoutMs: number }) {
  const nodes = options.url.split(",").map((address) => address.trim());
  const client = openClient(nodes, options.timeoutMs);
  // One for each node of a cluster, so that each can be asked whether it is there.
  const single = nodes.length > 1 ? nodes.map((node) => openClient([node], options.timeoutMs)) : [client];
  const alias = (name: string) => options.prefix + name;
  const words = openWords(client, alias("words"));
  return {
    search: openSearch(client, options.prefix),

    ...openWrites(client, alias, words),

    /** The documents of these ids that are there, as last written, visible to searches or not. */
    fetchDocuments: (index: IndexAlias, ids: readonly string[]) =>
      guard(() => fetchDocuments(client, alias(index), ids)),

    /** The ids of all documents visible to searches when the walk began, a page at a time, in no order. */
    walkIds: (index: IndexAlias) => guardEach(walkIds(client, alias(index))),

    /** Creates the index and its alias when there is none, once however many ask; the new name, or null when one was there. */
    createIndex: (definition: IndexDefinition | IndexedWords, moment: Date) =>
      guard(() => createIndex(client, alias(definition.name), definition, moment)),

    /** What these aliases lead to, in one request; an alias that does not exist leads to nothing. */
    fetchReached: (indices: readonly NeededIndex[]) => guard(() => fetchReached(client, indices, alias)),

    /** The indices behind these aliases; an alias that does not exist has none. */
    fetchLiveIndices: (indices: readonly IndexName[]): Promise<LiveIndex[]> =>
      guard(() => listIndices(client, indices.map(alias))),

    /** Makes what was written visible to searches: in the live indices of these names, by default in all indices there are. */
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

    /** Rejects when the engine does not answer, within so many milliseconds if given. */
    ping: (withinMs = options.timeoutMs) => ping(single, withinMs),

    close: async () => void (await Promise.all([...new Set([client, ...single])].map((one) => one.close()))),
  };
}

/** What changes documents, and has the index of words follow. */
function openWrites(client: Client, alias: (name: string) => string, words: Words) {
  const targetOf = (index: IndexAlias) => ({ alias: alias(index), mayBeGone: isNextName(index) });
  return {
    /**
     * Writes documents through the alias, and their words into the index of words; returns those refused for good. Items
     * that failed in passing are sent again. Throws BuildGoneError when the index is one being built that is there no more.
     */
    write: (index: IndexAlias, writes: IndexWrite[], how?: WriteOptions): Promise<IndexRefusal[]> =>
      guard(async () => {
        const documents = writeDocuments(client, { ...targetOf(index), ...how }, writes);
        const texts = writes.flatMap((one) => one.texts ?? []);
        const [refusals] = await Promise.all([documents, words.add(texts)]);
        return refusals;
      }),

    /** Deletes documents at the versions given, and makes the index forget their versions: lower versions are accepted again. */
    forget: (
      index: Pick<AliasedIndex, "name" | "settings">,
      stored: readonly Pick<IndexedDocument, "id" | "version">[],
    ): Promise<void> =>
      guard(() => {
        const removals = stored.map(({ id, version }) => ({ id, version, document: null }));
        const target = { alias: alias(index.name), remembers: remembersDeletions(index) };
        return forgetDocuments(client, target, () => writeDocuments(client, targetOf(index.name), removals));
      }),
  };
}

/** At once, with no second try: readiness must hear of a lost engine. Of a cluster, one node that answers is enough. */
function ping(nodes: readonly Client[], withinMs: number): Promise<void> {
  return withBudget(withinMs, (budget) =>
    guard(async () => {
      const how = { maxRetries: 0, signal: budget.signal };
      await Promise.any(nodes.map((node) => node.info({}, how))).catch(throwFirst);
      // Nodes that hang are waited for no longer.
      budget.abandon();
    }, budget),
  );
}

function throwFirst({ errors: [first] }: AggregateError): never {
  throw first;
}

function openClient(nodes: string[], timeoutMs: number): Client {
  // Answers are read member by member and merged into nothing: looking for harmful names takes as long as parsing them.
  const parsing = { disablePrototypePoisoningProtection: true };
  const way = { Connection: DirectConnection, Transport: DirectTransport, ConnectionPool: NodePool };
  // Its types leave the option out.
  const agent: object = { connectTimeout: CONNECT_MS };
  return new Client({ nodes, requestTimeout: timeoutMs, maxRetries: 2, agent, ...parsing, ...way });
}

/** Creates the index and its alias when there is none; the new name, or null when one was there. */
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
      // The engine grants an alias one write index: of two processes that create at once, it refuses the later one.
      aliases: { [alias]: { is_write_index: true } },
    });
    return name;
  } catch (error) {
    if (isCreationRefused(error) && (await client.indices.existsAlias({ name: alias }))) return null;
    throw error;
  }
}

// The name is taken (clocks in the same minute), or the alias has its write index (clocks in different ones).
const CREATION_REFUSALS = ["resource_already_exists_exception", "illegal_state_exception"];

function isCreationRefused(error: unknown): boolean {
  return error instanceof errors.ResponseError && CREATION_REFUSALS.includes(typeOf(error));
}

/** What these aliases (named without the prefix) lead to; one that does not exist leads to nothing. */
async function fetchReached(
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

/** Deletes every index behind the prefix. */
async function deleteIndices(client: Client, prefix: string): Promise<void> {
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const name of names) await client.indices.delete({ index: name });
}

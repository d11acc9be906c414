/** Owns Elasticsearch: the only file that knows its client. Index life, searches, bulk writes. */
import { Client, errors } from "@elastic/elasticsearch";
import { UnavailableError, messageOf } from "../errors.ts";
import type { IndexDefinition, IndexName, SearchDocument } from "../../../index-mappings/define-index.ts";
import type { SearchBody, SearchResult } from "../../search/define-search.ts";
import { fetchDocuments, forgetDocuments, walkIds, type HeldDocument } from "./elasticsearch-documents.ts";
import { searchIndices } from "./elasticsearch-search.ts";

/** A document on its way into an index, or the removal of one. */
export interface IndexWrite {
  id: string;
  /** Orders the writes of one id: a lower one never overtakes a higher one. */
  version: number;
  document: SearchDocument | null;
}

/** What became of a bulk write: documents the engine refused for good, with its reason. */
export interface IndexRefusal {
  id: string;
  reason: string;
}

/** An index that is there, and what its mappings record of how it was built. */
export interface LiveIndex {
  /** Its own name, with version and time. */
  name: string;
  /** The mappings' `_meta`; empty when there is none. */
  meta: Record<string, unknown>;
}

/** An open Elasticsearch. Every failure to reach it is an UnavailableError. */
export interface ElasticsearchStore {
  /** Answers each body by its result, in order; several bodies travel in one request. */
  search: (indices: readonly IndexName[], bodies: SearchBody[]) => Promise<SearchResult[]>;
  /** Writes documents through the alias; returns those refused for good. Items that failed in passing are sent again. */
  write: (index: IndexName, writes: IndexWrite[]) => Promise<IndexRefusal[]>;
  /** Deletes documents at the versions given, and has the index forget that it held them: lower versions go in again. */
  forget: (index: IndexName, held: readonly Pick<HeldDocument, "id" | "version">[]) => Promise<void>;
  /** The documents of these ids that are there, as last written, visible to searches or not. */
  fetchDocuments: (index: IndexName, ids: readonly string[]) => Promise<HeldDocument[]>;
  /** The ids of all documents visible to searches when the walk began, a page at a time, in no order. */
  walkIds: (index: IndexName) => AsyncGenerator<string[]>;
  /** Creates the index and its alias when there is none, once however many ask; the new name, or null when one was there. */
  createIndex: (definition: IndexDefinition, moment: Date) => Promise<string | null>;
  /** The aliases among these that exist. */
  fetchAliases: (indices: readonly IndexName[]) => Promise<IndexName[]>;
  /** The indices behind these aliases; an alias that does not exist has none. */
  fetchLiveIndices: (indices: readonly IndexName[]) => Promise<LiveIndex[]>;
  /** Makes what was written visible to searches. */
  refresh: () => Promise<void>;
  count: (index: IndexName) => Promise<number>;
  /** Deletes every index behind the prefix. */
  deleteIndices: () => Promise<void>;
  ping: () => Promise<void>;
  close: () => Promise<void>;
}

/** Opens a pool; nothing is sent until the first operation. `prefix` stands before every name. */
export function openElasticsearch(options: {
  url: string;
  prefix: string;
  timeoutMs: number;
}): ElasticsearchStore {
  const client = new Client({ node: options.url, requestTimeout: options.timeoutMs, maxRetries: 2 });
  const alias = (name: string) => options.prefix + name;
  return {
    search: (indices, bodies) =>
      guard(() => searchIndices(client, { names: indices.map(alias), prefix: options.prefix }, bodies)),
    write: (index, writes) => guard(() => writeAll(client, alias(index), writes)),
    forget: (index, held) =>
      guard(() =>
        forgetDocuments(client, alias(index), () =>
          writeAll(
            client,
            alias(index),
            held.map(({ id, version }) => ({ id, version, document: null })),
          ),
        ),
      ),
    fetchDocuments: (index, ids) => guard(() => fetchDocuments(client, alias(index), ids)),
    walkIds: (index) => guardEach(walkIds(client, alias(index))),
    createIndex: (definition, moment) =>
      guard(() => createIndex(client, alias(definition.name), definition, moment)),
    fetchAliases: (indices) => guard(() => fetchAliases(client, indices, alias)),
    fetchLiveIndices: (indices) => guard(() => fetchLiveIndices(client, indices.map(alias))),
    refresh: () => guard(async () => void (await client.indices.refresh({ index: `${options.prefix}*` }))),
    count: (index) => guard(async () => (await client.count({ index: alias(index) })).count),
    deleteIndices: () => guard(() => deleteIndices(client, options.prefix)),
    // Asked by readiness checks, which must hear of a lost engine at once: no second try.
    ping: () => guard(async () => void (await client.info({}, { maxRetries: 0 }))),
    close: () => client.close(),
  };
}

// Items an engine under load turns away: rejected (429) or not ready (503).
const PASSING_STATUS = new Set([429, 502, 503, 504]);
const WRITE_ATTEMPTS = 5;

async function writeAll(client: Client, alias: string, writes: IndexWrite[]): Promise<IndexRefusal[]> {
  const refusals: IndexRefusal[] = [];
  let pending = writes;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const { failed, refused, reason } = await writeOnce(client, alias, pending);
    refusals.push(...refused);
    if (failed.length > 0 && attempt === WRITE_ATTEMPTS) throw new UnavailableError("elasticsearch", reason);
    if (failed.length > 0) await pause(attempt);
    pending = failed;
  }
  return refusals;
}

async function writeOnce(client: Client, alias: string, writes: IndexWrite[]) {
  const response = await client.bulk({
    index: alias,
    require_alias: true,
    operations: writes.flatMap(({ id, version, document }) => {
      const target = { _id: id, version, version_type: "external_gte" as const };
      return document ? [{ index: target }, document] : [{ delete: target }];
    }),
  });
  const failed: IndexWrite[] = [];
  const refused: IndexRefusal[] = [];
  let reason = "";
  if (!response.errors) return { failed, refused, reason };
  response.items.forEach((item, position) => {
    const { status = 500, error } = item.index ?? item.delete ?? {};
    const write = writes[position];
    // 409: a newer write was there first, as it should be; 404: removed already.
    if (!write || status < 300 || status === 409 || (status === 404 && !write.document)) return;
    reason = error?.reason ?? `status ${status}`;
    if (PASSING_STATUS.has(status)) failed.push(write);
    else refused.push({ id: write.id, reason });
  });
  return { failed, refused, reason };
}

/** Growing and jittered, so that several workers do not come back at the same moment. */
async function pause(attempt: number): Promise<void> {
  const milliseconds = 100 * 2 ** attempt * (0.5 + Math.random());
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function createIndex(
  client: Client,
  alias: string,
  definition: IndexDefinition,
  moment: Date,
): Promise<string | null> {
  if (await client.indices.existsAlias({ name: alias })) return null;
  const stamp = moment.toISOString().slice(0, 16).replace(/[-:]/g, "").toLowerCase();
  const name = `${alias}-v${definition.version}-${stamp}`;
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

async function fetchAliases(
  client: Client,
  indices: readonly IndexName[],
  alias: (name: string) => string,
): Promise<IndexName[]> {
  const found = await Promise.all(indices.map((name) => client.indices.existsAlias({ name: alias(name) })));
  return indices.filter((_name, position) => found[position]);
}

async function fetchLiveIndices(client: Client, names: string[]): Promise<LiveIndex[]> {
  const request = {
    index: names,
    features: ["aliases" as const, "mappings" as const],
    ignore_unavailable: true,
    // The aliases are asked for as well: an index without `_meta` would be left out of the answer.
    filter_path: ["*.aliases", "*.mappings._meta"],
  };
  const found = await client.indices.get(request, { maxRetries: 1, retryBackoff: () => 0 });
  return Object.entries(found).map(([name, { mappings }]) => ({ name, meta: mappings?._meta ?? {} }));
}

async function deleteIndices(client: Client, prefix: string): Promise<void> {
  const names = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const name of names) await client.indices.delete({ index: name });
}

async function guard<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw isPassing(error) ? new UnavailableError("elasticsearch", describe(error)) : error;
  }
}

async function* guardEach<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await guard(() => items.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await items.return(undefined);
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) {
    // An index that is not there yet is made by `prepare`; until then the service is not ready.
    return PASSING_STATUS.has(error.statusCode ?? 0) || isMissingIndex(error);
  }
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

function isMissingIndex(error: errors.ResponseError): boolean {
  return typeOf(error) === "index_not_found_exception";
}

/** The engine's own name for what went wrong; empty where the answer, a proxy's perhaps, has none. */
function typeOf({ body }: errors.ResponseError): string {
  const { error } = (body ?? {}) as { error?: { type?: string } | string };
  return (typeof error === "object" ? error.type : undefined) ?? "";
}

function describe(error: unknown): string {
  const missing = error instanceof errors.ResponseError && isMissingIndex(error);
  return missing ? "its indices have not been created (run `npm run cli -- prepare`)" : messageOf(error);
}

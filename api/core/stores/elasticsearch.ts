/** Owns Elasticsearch: the only file that knows its client. Index life, searches, bulk writes. */
import { Client } from "@elastic/elasticsearch";
import { UnavailableError } from "../errors.ts";
import type { IndexDefinition, IndexName, SearchDocument } from "../../../index-mappings/define-index.ts";
import type { SearchBody, SearchResult } from "../../search/define-search.ts";
import { fetchDocuments, forgetDocuments, walkIds, type HeldDocument } from "./elasticsearch-documents.ts";
import { guard, guardEach, PASSING_STATUS, PASSING_TYPES } from "./elasticsearch-faults.ts";
import {
  createIndex,
  deleteIndices,
  fetchAliases,
  fetchLiveIndices,
  isRefreshOff,
  setRefresh,
  type LiveIndex,
} from "./elasticsearch-indices.ts";
import { searchIndices } from "./elasticsearch-search.ts";

export type { LiveIndex } from "./elasticsearch-indices.ts";

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
  /** Turns the engine's own refresh of the indices on, as it is by itself, or off. */
  setRefresh: (isOn: boolean) => Promise<void>;
  /** True when it is off for some index. */
  isRefreshOff: () => Promise<boolean>;
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
    setRefresh: (isOn) => guard(() => setRefresh(client, `${options.prefix}*`, isOn)),
    isRefreshOff: () => guard(() => isRefreshOff(client, `${options.prefix}*`)),
    count: (index) => guard(async () => (await client.count({ index: alias(index) })).count),
    deleteIndices: () => guard(() => deleteIndices(client, options.prefix)),
    // Asked by readiness checks, which must hear of a lost engine at once: no second try.
    ping: () => guard(async () => void (await client.info({}, { maxRetries: 0 }))),
    close: () => client.close(),
  };
}

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
    // 409: a newer write was there first, as it should be; 404 without an error: removed already.
    if (!write || status < 300 || status === 409 || (status === 404 && !error)) return;
    reason = error?.reason ?? `status ${status}`;
    if (PASSING_STATUS.has(status) || PASSING_TYPES.has(error?.type ?? "")) failed.push(write);
    else refused.push({ id: write.id, reason });
  });
  return { failed, refused, reason };
}

/** Growing and jittered, so that several workers do not come back at the same moment. */
async function pause(attempt: number): Promise<void> {
  const milliseconds = 100 * 2 ** attempt * (0.5 + Math.random());
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Owns looking at what an index of Elasticsearch holds: documents by id, all ids, and the versions it remembers. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { errorOf, type EngineFault } from "./faults.ts";

export interface IndexedDocument {
  id: string;
  version: number;
  source: Record<string, unknown>;
}

// Limit: ids of one page of a walk.
const PAGE_IDS = 10_000;
// How long the engine keeps the picture between two pages.
const KEEP_ALIVE = "5m";
// The engine's clock for deleted documents goes in steps of 200 ms.
const FORGET_MS = 500;

/** The documents of these ids that are there, as last written: a write counts before it is visible to searches. */
export async function fetchDocuments(
  client: Client,
  alias: string,
  ids: readonly string[],
): Promise<IndexedDocument[]> {
  if (ids.length === 0) return [];
  const { docs } = await client.mget<Record<string, unknown>>({ index: alias, ids: [...ids] });
  return docs.flatMap((doc) => {
    if ("error" in doc) throw errorOf(doc.error as EngineFault);
    return doc.found ? [{ id: doc._id, version: doc._version ?? 0, source: doc._source ?? {} }] : [];
  });
}

/** The ids of all documents, in no order, as the index stood when the walk began. */
export async function* walkIds(client: Client, alias: string): AsyncGenerator<string[]> {
  let pit = (await client.openPointInTime({ index: alias, keep_alive: KEEP_ALIVE })).id;
  let after: unknown[] | undefined;
  try {
    for (;;) {
      const answer = await client.search({
        pit: { id: pit, keep_alive: KEEP_ALIVE },
        size: PAGE_IDS,
        _source: false,
        track_total_hits: false,
        allow_partial_search_results: false,
        sort: ["_shard_doc"],
        ...(after && { search_after: after as string[] }),
      });
      pit = answer.pit_id ?? pit;
      const { hits } = answer.hits;
      if (hits.length > 0) yield hits.map(({ _id }) => _id ?? "");
      after = hits.at(-1)?.sort;
      if (hits.length < PAGE_IDS || !after) return;
    }
  } finally {
    await client.closePointInTime({ id: pit }).catch(() => undefined);
  }
}

/**
 * Deletes documents, each at its version, and has the engine forget the versions of all that are deleted: an id
 * then takes a lower version than it had. Without it the engine remembers them for as long as `remembers` says, the
 * index's own setting, which is put back: as it is defined and not as it was found, which may be what an earlier call
 * that was interrupted has left.
 *
 * Limit: for a second an older write of any document that was just deleted would be let in, too.
 */
export async function forgetDocuments(
  client: Client,
  { alias, remembers }: { alias: string; remembers: string | null },
  remove: () => Promise<unknown>,
): Promise<void> {
  const put = (value: string | null) =>
    client.indices.putSettings({ index: alias, settings: { "index.gc_deletes": value } });
  await put("0ms");
  try {
    await remove();
    await sleep(FORGET_MS);
    await client.indices.refresh({ index: alias });
  } finally {
    await put(remembers);
  }
}

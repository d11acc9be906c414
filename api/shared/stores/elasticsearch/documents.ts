/** Reads documents of an index by id, lists all ids, and makes an index forget the versions of deleted documents. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { errorOf, type EngineFault } from "./faults.ts";

export interface IndexedDocument {
  id: string;
  version: number;
  source: Record<string, unknown>;
}

// Limit: ids of one page.
const PAGE_IDS = 10_000;
// How long the engine keeps the point in time between two pages.
const KEEP_ALIVE = "5m";
// More than the 200 ms by which the engine's clock for deleted documents advances.
const FORGET_MS = 500;

/** The existing documents with these ids, as last written, even if the write is not visible to searches yet. */
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

/** The ids of all documents in pages, in no order, as of the beginning of the walk. */
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
 * Calls `remove`, which deletes documents, and makes the engine forget the versions of all deleted documents: their
 * ids then accept lower versions again. Otherwise the engine remembers the versions for as long as the setting
 * `remembers` (`gc_deletes`). The setting is put back to its definition, not to its former value, which an interrupted
 * earlier call may have left.
 *
 * Limit: for about a second, the index would also accept an older write of any document that was just deleted.
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

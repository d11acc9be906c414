/** Owns telling differences from writes that are under way: what differs is looked at again before it is named. */
import { setTimeout as pause } from "node:timers/promises";
import type { Stores } from "../../api/core/stores/index.ts";
import { indexNameOf, type AliasedIndex } from "../../index-mappings/define-index.ts";
import { listAfter } from "../log/changes.ts";
import { fetchLive } from "../log/followers.ts";
import { lookAt, type Difference } from "./examine.ts";

// Between two looks. A batch needs less from the one store to the other, unless the second is slow or away.
const PAUSE_MS = 1_000;
const LOOKS_AGAIN = 2;
// How long batches that have noted themselves as under way are waited for: tried again with growing delays.
const PATIENCE_MS = 30_000;

/**
 * Those of the ids that differ and go on to do so. A difference is named when, looked at twice more, its records
 * have not been written meanwhile and no batch is under way that writes them. A batch that stays under way is
 * waited for, though not for ever; a group that is written at each look is none.
 */
export async function confirmDifferences(
  stores: Stores,
  index: AliasedIndex,
  ids: readonly string[],
  beforeLook: () => Promise<void> = () => Promise.resolve(),
): Promise<Difference[]> {
  const confirmed: Difference[] = [];
  const until = performance.now() + PATIENCE_MS;
  let open = await lookAt(stores, index, ids);
  for (let look = 1; open.length > 0; look += 1) {
    const isLastLook = performance.now() > until;
    const before = new Map(open.map((item) => [item.id, item.state]));
    await pause(PAUSE_MS);
    await beforeLook();
    // A batch that ends during the look is noted before it, one that begins is noted after it.
    const notedBefore = await fetchNoted(stores, index);
    open = await lookAt(
      stores,
      index,
      open.map(({ id }) => id),
    );
    if (look < LOOKS_AGAIN) continue;
    const noted = new Set([...notedBefore, ...(await fetchNoted(stores, index))]);
    const isSettled = (item: Difference) =>
      before.get(item.id) === item.state &&
      (isLastLook || ![item.id, ...item.members].some((id) => noted.has(id)));
    confirmed.push(...open.filter(isSettled));
    open = isLastLook ? [] : open.filter((item) => !isSettled(item));
  }
  return confirmed;
}

/** Ids of the records and of the documents in changes that the live indices have not followed yet. */
async function fetchNoted(stores: Stores, { record, name }: AliasedIndex): Promise<Set<string>> {
  const { position } = await fetchLive(stores.mongo.documents);
  const changes = await listAfter(stores, position);
  return new Set(
    changes.flatMap(({ ids, documents }) => [
      ...(ids[record.collection] ?? []),
      ...(documents[indexNameOf(name)] ?? []),
    ]),
  );
}

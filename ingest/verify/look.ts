/**
 * Owns the look at some groups of records: is what the index holds of them what its projection makes of them? What differs
 * may be a write that is under way, and is looked at again before it is named.
 */
import { setTimeout as pause } from "node:timers/promises";
import { contentHash } from "../../api/core/identifiers.ts";
import type { HeldDocument } from "../../api/core/stores/elasticsearch-documents.ts";
import { isNextName } from "../../api/core/stores/elasticsearch-names.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { indexNameOf, type AliasedIndex, type SearchDocument } from "../../index-mappings/define-index.ts";
import { listAfter } from "../log/changes.ts";
import { fetchLive } from "../log/followers.ts";
import { fetchGroupIds, gatherGroups } from "../persons/groups.ts";
import type { RecordGroup } from "../projection/walk-groups.ts";
import { fetchFit } from "../projection/live-fit.ts";
import { bearsRevision } from "../projection/search-index.ts";

// Limit: ids of one look, read and compared in memory.
const IDS_A_LOOK = 500;
// Between two looks. A batch needs less from the one store to the other, unless the second is slow or away.
const PAUSE_MS = 1_000;
const LOOKS_AGAIN = 2;
// How long batches that have noted themselves as under way are waited for: tried again with growing delays.
const PATIENCE_MS = 30_000;

/** In what an index differs from MongoDB. */
export interface Difference {
  id: string;
  /** `missing`: not in the index; `extra`: there without records; `different`: there with other content or version. */
  kind: "missing" | "extra" | "different";
  /** Of a document that is different: what. */
  what?: "content" | "version";
  /** The version of the document that the index holds. */
  heldVersion: number | undefined;
  /** Ids of the records of its group. */
  members: string[];
  /** Equal as long as nothing has been written to the group. */
  state: string;
}

/** A difference as it is named. */
export type Named = Pick<Difference, "id" | "kind" | "what">;

/** What a look has found. */
export interface Examined {
  /** Ids of the groups of which there is to be a document; others have nothing to be found by. */
  expected: string[];
  differences: Difference[];
}

/** Compares groups with the documents that the index holds of them now, visible to searches or not. */
export async function examineGroups(
  { elasticsearch, redis }: Stores,
  index: AliasedIndex,
  groups: RecordGroup[],
): Promise<Examined> {
  const ids = groups.map(({ id }) => id);
  const held = new Map((await elasticsearch.fetchDocuments(index.name, ids)).map((item) => [item.id, item]));
  const { name } = index;
  const [live] = isNextName(name) ? [] : await elasticsearch.fetchLiveIndices([name]);
  const { fit } = await fetchFit(elasticsearch, index, live);
  // Drawn after the documents were read: every version that a worker gave them is lower.
  const now = bearsRevision(index) ? undefined : await redis.nextRevision();
  const examined: Examined = { expected: [], differences: [] };
  for (const group of groups) {
    const whole = group.records.length > 0 ? index.document(group.records) : null;
    const document = whole && fit(whole);
    if (document) examined.expected.push(group.id);
    const found = held.get(group.id);
    const verdict = judge(group, document, found, now);
    if (verdict) examined.differences.push({ ...verdict, ...describe(group), heldVersion: found?.version });
  }
  return examined;
}

/** Reads the groups of these ids anew and compares them; ids without records, or not shown any more, are groups, too. */
export async function lookAt(
  stores: Stores,
  index: AliasedIndex,
  ids: readonly string[],
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_LOOK) {
    const some = ids.slice(at, at + IDS_A_LOOK);
    const groupIds = await fetchGroupIds(stores.mongo, index, some);
    const asked = new Map(some.map((id) => [id, groupIds.get(id) ?? []]));
    const query = { field: index.groupBy, values: [...asked.values()].flat() };
    const { records } = await stores.mongo.records.fetchGroups(index.record, query);
    found.push(...(await examineGroups(stores, index, gatherGroups(index, asked, records))).differences);
  }
  return found;
}

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

function judge(
  { records }: RecordGroup,
  document: SearchDocument | null,
  held: HeldDocument | undefined,
  now: number | undefined,
): Pick<Difference, "kind" | "what"> | null {
  if (!document) return held ? { kind: "extra" } : null;
  if (!held) return { kind: "missing" };
  if (!isSameContent(document, held.source)) return { kind: "different", what: "content" };
  // Under a version higher than its record's revision it would not take the record's next write. One that was drawn is of
  // the revision clock, which must not be behind it.
  const isRight = now === undefined ? held.version === (records[0]?.revision ?? 0) : held.version <= now;
  return isRight ? null : { kind: "different", what: "version" };
}

/** Nearly always the very text is the same, which is ten times as quick to see as that the canonical one is. */
function isSameContent(document: SearchDocument, source: Record<string, unknown>): boolean {
  return JSON.stringify(document) === JSON.stringify(source) || contentHash(document) === contentHash(source);
}

function describe({ id, records }: RecordGroup): Pick<Difference, "id" | "members" | "state"> {
  const state = records.map(({ _id, revision }) => `${_id}@${revision}`).sort();
  return { id, members: records.map(({ _id }) => _id), state: contentHash(state) };
}

/**
 * The change log: which records each batch changes in MongoDB. A change is entered before its records are written,
 * so that followers miss none, whatever crashes.
 *
 * Positions are consecutive: Redis counts them, and MongoDB accepts each only once, even after Redis has lost its data.
 * At an empty position the batch is about to enter its change, or has died. A follower waits there, then closes the
 * position; a batch that comes late enters at another.
 * Limit: if Redis is restored during a load to its state before the load, it gives out positions that followers have
 * passed. Changes entered there reach the search only by `verify --repair`.
 */
import { fromTexts, toTexts } from "../../api/shared/stores/mongodb/form.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { BEGINNING, positionsBetween, toPosition } from "../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { traceContext } from "../../api/shared/tracing/tracing.ts";
import type { IndexName } from "../../api/shared/definitions/define-index.ts";
import type { ResourceAddress } from "../../api/shared/definitions/incoming-resource.ts";
import type { LinkChange } from "../links/note.ts";

import type { BatchCounts } from "../queue/queue.ts";
import { fetchFollowers, type AnyFollower } from "./followers.ts";

const COLLECTION = "changes";
// Stored as texts: one engine takes twice as long for lists of ids.
const LISTS = ["ids", "changed", "quiet", "documents", "links", "standings", "addresses"];
const TEXTS = [...LISTS, "counts"];
// How many changes are read at once by default, some 60 kB each.
const PAGE = 64;
// Tuned: how many positions are read beyond the last that Redis knows, since Redis may have lost the newest ones. Few,
// because an idle worker reads them every second; a whole page if Redis is known to be behind.
const BEYOND = 16;
// Sorts after all positions, which are digits.
const END = "~";

export const changesIndexes = {
  collection: COLLECTION,
  indexes: [{ fields: ["job"] }, { fields: ["load"] }, { fields: ["state"] }],
};

/** Ids of records by collection, or of documents by index. */
export type Ids = Record<string, string[]>;

export interface Change {
  /** Its position, padded with zeros. */
  _id: string;
  load: string;
  job: string;
  /** `closed`: interrupted, perhaps partly written; `refused`: Elasticsearch refused some of its documents. */
  state: "writing" | "written" | "closed" | "refused";
  reason?: string;
  /** The records that the change may have written, by collection. */
  ids: Ids;
  /** The records that did change; set once the change is written. Absent: all of `ids`. */
  changed?: Ids;
  /**
   * Changed records that streams leave out: their content is the same, an earlier run of the batch wrote them, or a
   * first load created them.
   */
  quiet?: Ids;
  /** Collections that were empty when the load began, and in which it has found no record since: not streamed. */
  first?: string[];
  /**
   * By index, documents of several records that must be made again. Until the change is written: only those that may
   * lose records.
   */
  documents: Ids;
  /**
   * By link, the companies whose profiles gain the link, and those that may lose it (`links/keep.ts`). Absent until
   * records are replaced, or the change is written.
   */
  links?: LinkChange;
  /** Companies that the change creates, removes, dissolves or restores (`persons/inactive.ts`). Absent as `links`. */
  standings?: string[];
  /**
   * By collection, addresses that its records no longer have. If the change was interrupted, the records may still
   * have them.
   */
  addresses?: Record<string, ResourceAddress[]>;
  /** Real names of the live indices that already have the change's documents, except those in `documents`. */
  indexed: Partial<Record<IndexName, string>>;
  /** The counts of the batch. Absent: the batch is not done, or the change is not one of rows. */
  counts?: BatchCounts;
  /** Orders the batches of a load. */
  revision?: number;
  /** The span that entered the change: spans of followers continue its trace. Absent without tracing. */
  traceparent?: string;
}

export type NewChange = Pick<Change, "load" | "job" | "ids" | "revision" | "first">;

/** Enters a change; call it before anything is written. */
export async function enterChange(stores: Stores, fresh: NewChange): Promise<Change> {
  const { documents } = stores.mongo;
  const rest = { ...fresh, ...traceContext(), state: "writing" as const, documents: {}, indexed: {} };
  let number = await stores.redis.nextPosition();
  for (;;) {
    // A Redis that lost data continues after the last position in MongoDB.
    number ??= await stores.redis.nextPosition(Number(await fetchLastPosition(documents)));
    const change = { _id: toPosition(number ?? 0), ...rest };
    if ((await documents.putMissing(COLLECTION, [toTexts(change, TEXTS)])).size === 0) return change;
    number = null;
  }
}

/** Updates a change that is being written; false when a follower has closed it. */
export function amendChange(documents: DocumentStore, { _id }: Change, members: Partial<Change>) {
  return documents.amendIf(COLLECTION, { _id, state: "writing" }, toTexts(members, TEXTS));
}

/** The last position in the log; BEGINNING when the log is empty. */
export async function fetchLastEntered(documents: DocumentStore): Promise<string> {
  const [last] = await documents.listLatest(COLLECTION, 1, ["job"]);
  return String(last?._id ?? BEGINNING);
}

/** The last position that is in the log, or that a follower has reached. */
export async function fetchLastPosition(documents: DocumentStore): Promise<string> {
  const entered = await fetchLastEntered(documents);
  // Read after the log: a change trimmed in between is one that all followers have passed.
  const reached = (await fetchFollowers(documents)).map(({ position }) => position);
  return [entered, ...reached].sort().at(-1) ?? entered;
}

/**
 * Makes the next positions higher than all earlier ones, even if Redis has lost its data. Call it before a command
 * enters changes.
 */
export async function raisePositions({ mongo: { documents }, redis }: Stores): Promise<void> {
  await redis.raisePosition(Number(await fetchLastPosition(documents)));
}

/** A page of changes after a position, in order. It asks for exact positions: for a range one engine reads all. */
export async function fetchAfter({ mongo, redis }: Stores, position: string, page = PAGE): Promise<Change[]> {
  const { documents } = mongo;
  const last = (await redis.fetchPosition()) ?? Infinity;
  const drawn = last < Number(position) ? Infinity : last - Number(position);
  const next = positionsBetween(position, toPosition(Number(position) + Math.min(page, drawn + BEYOND) + 1));
  const found = await find(documents, { _id: next });
  if (found.length > 0 || last <= Number(next.at(-1))) return found;
  // A whole page of batches has died, or Redis has lost its data.
  return (await documents.listBetween(COLLECTION, { after: position, before: END }, page)).map(fromStored);
}

/** Closes the empty positions up to `next`. If there are none, it closes `writing`, which is being written. */
export async function closeUpTo(
  documents: DocumentStore,
  position: string,
  { next, writing }: Record<"next" | "writing", Change>,
): Promise<void> {
  const nothing = { load: "", job: "", state: "closed" as const, ids: {}, documents: {}, indexed: {} };
  const empty = positionsBetween(position, next._id).map((_id) => toTexts({ _id, ...nothing }, TEXTS));
  if (empty.length > 0) await documents.putMissing(COLLECTION, empty);
  else await amendChange(documents, writing, { state: "closed" });
}

/** Closes changes that earlier runs of a job or load did not finish. */
export async function closeUnfinishedChanges(
  documents: DocumentStore,
  of: { job: string } | { load: string },
) {
  const open = await find(documents, { ...of, state: "writing" }, ["job"]);
  for (const change of open) await amendChange(documents, change, { state: "closed" });
}

/** The changes of a batch: each run of its job has entered one. */
export function fetchRuns(documents: DocumentStore, job: string): Promise<Change[]> {
  return find(documents, { job });
}

/** The counts of a job; null until it is done. */
export async function fetchDone(documents: DocumentStore, job: string): Promise<BatchCounts | null> {
  return (await find(documents, { job })).find(({ counts }) => counts)?.counts ?? null;
}

/** The finished batches of a load. If a batch has run twice, its first run counts. */
export async function fetchBatches(documents: DocumentStore, load: string) {
  const batches = new Map<number, Required<Pick<Change, "_id" | "counts" | "revision">>>();
  for (const { _id, revision, counts } of await find(documents, { load }, ["revision", "counts"]))
    if (counts && revision !== undefined && !batches.has(revision))
      batches.set(revision, { _id, revision, counts });
  return [...batches.values()];
}

/**
 * The changes of one load, or of all, whose documents Elasticsearch refused, each with the reason. Only these members
 * are read: a large load may leave thousands of such changes.
 */
export function fetchRefusals(
  documents: DocumentStore,
  load?: string,
): Promise<Pick<Change, "_id" | "reason">[]> {
  return find(documents, { state: "refused", ...(load !== undefined && { load }) }, ["reason"]);
}

/** These changes, one page in memory at a time. `members`: which members to read, by default all. */
export async function* readChanges(
  documents: DocumentStore,
  changes: readonly Pick<Change, "_id">[],
  members?: readonly (keyof Change)[],
): AsyncGenerator<Change> {
  const positions = changes.map(({ _id }) => _id);
  for (let at = 0; at < positions.length; at += PAGE)
    yield* await find(documents, { _id: positions.slice(at, at + PAGE) }, members);
}

/** Marks a change as refused by Elasticsearch for this reason; without a reason, as accepted. */
export async function markRefused(documents: DocumentStore, { _id }: Change, reason?: string): Promise<void> {
  const members = reason === undefined ? { state: "closed" } : { state: "refused", reason };
  await documents.amend(COLLECTION, [{ _id, ...members }]);
}

/** Deletes changes that all these followers have passed, except refused ones and those of the loads in `needed`. */
export async function trimChanges(documents: DocumentStore, followers: AnyFollower[], needed: string[]) {
  const [first = BEGINNING] = followers.map(({ position }) => position).sort();
  const kept = [{ state: "refused" }, { load: needed }];
  await documents.removeBetween(COLLECTION, { after: "", before: toPosition(Number(first) + 1) }, kept);
}

/** The changes that match, in order. `members`: which members to read, by default all. */
async function find(
  documents: DocumentStore,
  filter: Parameters<DocumentStore["fetchAll"]>[1],
  members?: readonly string[],
): Promise<Change[]> {
  const found = (await documents.fetchAll(COLLECTION, filter, members)).map(fromStored);
  return found.sort((one, other) => (one._id < other._id ? -1 : 1));
}

function fromStored(document: object): Change {
  return fromTexts<Change>(document, TEXTS);
}

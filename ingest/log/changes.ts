/**
 * The change log: the records that each batch changes in MongoDB, entered before they are written, so that no
 * follower misses any, whatever crashes.
 *
 * Positions have no gaps: Redis counts them, and MongoDB takes each once, even after Redis has lost its data.
 * A follower waits at an empty position, whose batch is about to enter or has died, then closes it; a late
 * batch enters at another.
 * Limit: a Redis restored, during a load, to its state before the load gives out positions that were followed
 * and deleted. Only `verify --repair` brings what enters there to the search.
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
// As texts: one engine takes twice as long for lists of ids.
const LISTS = ["ids", "changed", "quiet", "documents", "links", "standings", "addresses"];
const TEXTS = [...LISTS, "counts"];
// Changes read at once by default, some 60 kB each.
const PAGE = 64;
// Tuned: positions looked at behind the last that Redis has given out: it may have lost the newest of them. An idle worker
// looks every second, so they are few, unless Redis is known to be behind.
const BEYOND = 16;
// After all positions, which are digits.
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
  /** `closed`: interrupted, maybe partly written; `refused`: Elasticsearch refuses its documents. */
  state: "writing" | "written" | "closed" | "refused";
  reason?: string;
  /** The records that it may have written, by collection. */
  ids: Ids;
  /** Once it is written, the records that changed; absent: all of `ids`. */
  changed?: Ids;
  /** Changed records that streams leave out: of the same content, written by an earlier run of the batch, or new by a first load. */
  quiet?: Ids;
  /** Collections that were empty when the load began, and in which it found nothing since: streams leave them out. */
  first?: string[];
  /** Documents of several records to remake, by index; until it is written only those that records leave. */
  documents: Ids;
  /**
   * The companies whose profiles gain links by it, and those that may lose some, by link (`links/keep.ts`). Absent until
   * records are replaced, or it is written.
   */
  links?: LinkChange;
  /** Companies that it creates, removes, dissolves or restores (`persons/inactive.ts`); absent likewise. */
  standings?: string[];
  /**
   * By collection, addresses that its records had before and have no longer; of a change that was interrupted, those that
   * it meant to leave.
   */
  addresses?: Record<string, ResourceAddress[]>;
  /** The real name of each live index that has the documents, of several records all but those above. */
  indexed: Partial<Record<IndexName, string>>;
  /** Absent: not done, or not a change of rows. */
  counts?: BatchCounts;
  /** Orders the batches of a load. */
  revision?: number;
  /** The span that entered it, for those of its followers; absent where nothing is traced. */
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

/** Updates a change that is being written; false when it was closed meanwhile. */
export function amendChange(documents: DocumentStore, { _id }: Change, members: Partial<Change>) {
  return documents.amendIf(COLLECTION, { _id, state: "writing" }, toTexts(members, TEXTS));
}

/** The last position in the log; BEGINNING when nothing is kept in it. */
export async function fetchLastEntered(documents: DocumentStore): Promise<string> {
  const [last] = await documents.listLatest(COLLECTION, 1, ["job"]);
  return String(last?._id ?? BEGINNING);
}

/** The last position in the log, or that a follower has reached. */
export async function fetchLastPosition(documents: DocumentStore): Promise<string> {
  const entered = await fetchLastEntered(documents);
  // Read after it: what is trimmed meanwhile, they have passed.
  const reached = (await fetchFollowers(documents)).map(({ position }) => position);
  return [entered, ...reached].sort().at(-1) ?? entered;
}

/**
 * Makes the positions of the next changes higher than those of earlier ones, even if Redis has lost its data: call it before
 * a command enters any.
 */
export async function raisePositions({ mongo: { documents }, redis }: Stores): Promise<void> {
  await redis.raisePosition(Number(await fetchLastPosition(documents)));
}

/** A page of changes after a position, in order. By exact positions: for a range one engine reads all. */
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

/** Closes the empty positions up to the next change or, if there are none, a change that is being written. */
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

/** Closes what earlier runs of a job or load left in writing. */
export async function closeLeft(documents: DocumentStore, of: { job: string } | { load: string }) {
  const open = await find(documents, { ...of, state: "writing" }, ["job"]);
  for (const change of open) await amendChange(documents, change, { state: "closed" });
}

/** The runs of a batch; each has entered its own change. */
export function fetchRuns(documents: DocumentStore, job: string): Promise<Change[]> {
  return find(documents, { job });
}

/** The counts of a job; null until it is done. */
export async function fetchDone(documents: DocumentStore, job: string): Promise<BatchCounts | null> {
  return (await find(documents, { job })).find(({ counts }) => counts)?.counts ?? null;
}

/** The finished batches of a load; of two runs of one batch the first counts. */
export async function fetchBatches(documents: DocumentStore, load: string) {
  const batches = new Map<number, Required<Pick<Change, "_id" | "counts" | "revision">>>();
  for (const { _id, revision, counts } of await find(documents, { load }, ["revision", "counts"]))
    if (counts && revision !== undefined && !batches.has(revision))
      batches.set(revision, { _id, revision, counts });
  return [...batches.values()];
}

/** Where Elasticsearch refused documents, and why, of one load or of all: a large load may leave thousands of such changes. */
export function fetchRefusals(
  documents: DocumentStore,
  load?: string,
): Promise<Pick<Change, "_id" | "reason">[]> {
  return find(documents, { state: "refused", ...(load !== undefined && { load }) }, ["reason"]);
}

/** These changes, a page in memory at a time; `members`: those to read, by default all. */
export async function* readChanges(
  documents: DocumentStore,
  changes: readonly Pick<Change, "_id">[],
  members?: readonly (keyof Change)[],
): AsyncGenerator<Change> {
  const positions = changes.map(({ _id }) => _id);
  for (let at = 0; at < positions.length; at += PAGE)
    yield* await find(documents, { _id: positions.slice(at, at + PAGE) }, members);
}

/** Marks a change as refused by Elasticsearch, with the reason; without one, as accepted. */
export async function markRefused(documents: DocumentStore, { _id }: Change, reason?: string): Promise<void> {
  const members = reason === undefined ? { state: "closed" } : { state: "refused", reason };
  await documents.amend(COLLECTION, [{ _id, ...members }]);
}

/** Deletes what all these followers have passed, except refused changes and those of loads still needed. */
export async function trimChanges(documents: DocumentStore, followers: AnyFollower[], needed: string[]) {
  const [first = BEGINNING] = followers.map(({ position }) => position).sort();
  const kept = [{ state: "refused" }, { load: needed }];
  await documents.removeBetween(COLLECTION, { after: "", before: toPosition(Number(first) + 1) }, kept);
}

/** The changes that match, in order; `members`: those to read, by default all. */
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

/**
 * Owns the change log: which records each batch changes in MongoDB, entered before it writes them, so that no follower misses
 * anything, whatever dies in between.
 *
 * Positions have no gaps: Redis counts them, and MongoDB takes each only once, also after Redis has lost its data. An empty
 * one belongs to a batch that is about to enter or has died; a follower waits for it, then closes it, and a batch that comes
 * later enters at another one.
 *
 * Limit: a Redis that comes back, while a load runs, as it was before the load began gives out positions that have been
 * followed and taken away; what enters there only `verify --repair` brings to the search.
 */
import { fromTexts, toTexts } from "../../api/core/stores/mongo-form.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { BEGINNING, positionsBetween, toPosition } from "../../api/core/stores/positions.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import type { Piece } from "../projection/documents.ts";
import type { BatchCounts } from "../queue/queue.ts";
import { fetchPositions } from "./followers.ts";

const COLLECTION = "changes";
// As texts: an engine that reads documents member by member takes twice as long for lists of ids.
const TEXTS = ["ids", "changed", "quiet", "documents", "counts", "piece_data"];
// Changes that are read at once, some 60 kB each.
const PAGE = 64;
// Behind all positions, which are digits.
const END = "~";

export const changesIndexes = {
  collection: COLLECTION,
  indexes: [{ fields: ["job"] }, { fields: ["load"] }, { fields: ["state"] }, { fields: ["piece"] }],
};

/** Ids of records by collection, or of documents by index. */
export type Ids = Record<string, string[]>;

/** What a batch changes. */
export interface Change {
  /** Its position, with zeros before it. */
  _id: string;
  load: string;
  job: string;
  /** `closed`: broken off, and what of it was written is not known; `refused`: Elasticsearch does not take its documents. */
  state: "writing" | "written" | "closed" | "refused";
  /** Why Elasticsearch refuses. */
  reason?: string;
  /** Records that it may have written, by collection: all that it names. */
  ids: Ids;
  /** Of one that is written those that have changed; absent: all that it names. */
  changed?: Ids;
  /** Among them those of which streams tell nothing: their content stayed, or an earlier run of the batch has written it. */
  quiet?: Ids;
  /** Collections that held nothing as the load began: no stream tells of what it brings there. */
  first?: string[];
  /** Documents of several records that are to be made anew, by index; until it is written only those that records leave. */
  documents: Ids;
  /** The live index, by its own name, that has the documents already, of several records all but those above. */
  indexed: Partial<Record<IndexName, string>>;
  /** What came of its rows; absent: it has not been done, or was none of rows. */
  counts?: BatchCounts;
  /** Of rows of an edition: the fingerprint of each record that is named, in their order, a line each; empty where it has none. */
  prints?: string;
  /** Of a document that several batches of a first load write together (`projection/documents.ts`): its name, */
  piece?: string;
  /** and what this batch knows of it. */
  piece_data?: Piece;
  /** Of its rows: orders it among the batches of its load. */
  revision?: number;
}

/** What a batch says of itself as it enters the log. */
export type NewChange = Pick<Change, "load" | "job" | "ids" | "revision" | "first">;

/** Enters a change, before anything of it is written. */
export async function enterChange(stores: Stores, fresh: NewChange): Promise<Change> {
  const { documents } = stores.mongo;
  const rest = { ...fresh, state: "writing" as const, documents: {}, indexed: {} };
  let number = await stores.redis.nextPosition();
  for (;;) {
    // A Redis that has lost its data, or some of it, goes on behind what MongoDB knows of.
    number ??= await stores.redis.nextPosition(Number(await fetchLastPosition(documents)));
    const change = { _id: toPosition(number ?? 0), ...rest };
    if ((await documents.putMissing(COLLECTION, [toStored(change)])).size === 0) return change;
    number = null;
  }
}

/** Sets members of a change that is being written; false when it was closed meanwhile. */
export function amendChange(
  documents: DocumentStore,
  { _id }: Pick<Change, "_id">,
  members: Partial<Change>,
) {
  return documents.amendIf(COLLECTION, { _id, state: "writing" }, toStored(members));
}

/** The last position that the log, or who follows it, has reached. */
export async function fetchLastPosition(documents: DocumentStore): Promise<string> {
  const entered = await documents.listLatest(COLLECTION, 1, ["job"]);
  const reached = await fetchPositions(documents);
  return [BEGINNING, ...entered.map(({ _id }) => String(_id)), ...reached].sort().at(-1) ?? BEGINNING;
}

/** What stands behind a position, in order, a page of it. Asked by positions: one engine reads the whole log to compare them. */
export async function fetchAfter({ mongo, redis }: Stores, position: string): Promise<Change[]> {
  const { documents } = mongo;
  const next = positionsBetween(position, toPosition(Number(position) + PAGE + 1));
  const found = await find(documents, { _id: next });
  if (found.length > 0) return found;
  // More in a row have died than a page holds, or Redis has lost its data.
  const last = (await redis.fetchPosition()) ?? Infinity;
  if (last <= Number(next.at(-1))) return [];
  return (await documents.listBetween(COLLECTION, { after: position, before: END }, PAGE)).map(fromStored);
}

/** Closes what nobody waits for any more: the empty positions from one to the next change, or else a change that is being written. */
export async function closeUpTo(
  documents: DocumentStore,
  position: string,
  { next, writing }: Record<"next" | "writing", Change>,
): Promise<void> {
  const nothing = { load: "", job: "", state: "closed" as const, ids: {}, documents: {}, indexed: {} };
  const empty = positionsBetween(position, next._id).map((one) => toStored({ _id: one, ...nothing }));
  if (empty.length > 0) await documents.putMissing(COLLECTION, empty);
  else await amendChange(documents, writing, { state: "closed" });
}

/** Closes what earlier runs of a job, or of a load, have left being written. */
export async function closeLeft(documents: DocumentStore, of: { job: string } | { load: string }) {
  const open = await find(documents, { ...of, state: "writing" }, ["job"]);
  for (const change of open) await amendChange(documents, change, { state: "closed" });
}

/** The runs of a batch, of which each has entered by itself. */
export function fetchRuns(documents: DocumentStore, job: string): Promise<Change[]> {
  return find(documents, { job });
}

/** What came of a batch; null when it is not done. */
export async function fetchDone(documents: DocumentStore, job: string): Promise<BatchCounts | null> {
  return (await fetchRuns(documents, job)).find(({ counts }) => counts)?.counts ?? null;
}

/** The batches of a load that are done, once each: of two runs of one the first counts. */
export async function fetchBatches(documents: DocumentStore, load: string) {
  const batches = new Map<number, Required<Pick<Change, "_id" | "counts" | "revision">>>();
  for (const { _id, revision, counts } of await find(documents, { load }, ["revision", "counts"]))
    if (counts && revision !== undefined && !batches.has(revision))
      batches.set(revision, { _id, revision, counts });
  return [...batches.values()];
}

/** What the rows of a load have named, of one batch after the other. */
export async function* readNamed(documents: DocumentStore, load: string) {
  const positions = (await fetchBatches(documents, load)).map(({ _id }) => _id);
  for (let at = 0; at < positions.length; at += PAGE)
    yield* await find(documents, { _id: positions.slice(at, at + PAGE) }, ["ids", "prints"]);
}

/** The pieces of a document that are written, of each batch one. */
export async function fetchPieces(documents: DocumentStore, piece: string): Promise<Piece[]> {
  const found = await find(documents, { piece }, ["revision", "piece_data"]);
  const pieces = new Map(found.map((change) => [change.revision, change.piece_data]));
  return [...pieces.values()].flatMap((one) => one ?? []);
}

/** Changes whose documents Elasticsearch has refused, of one load or of all. */
export function fetchRefusedChanges(documents: DocumentStore, load?: string): Promise<Change[]> {
  return find(documents, { state: "refused", ...(load !== undefined && { load }) });
}

/** Notes that Elasticsearch refuses the documents of a change, and why; without a reason that it has taken them now. */
export async function markRefused(documents: DocumentStore, { _id }: Change, reason?: string): Promise<void> {
  const members = reason === undefined ? { state: "closed" } : { state: "refused", reason };
  await documents.amend(COLLECTION, [{ _id, ...members }]);
}

/** Takes away what everybody has followed, but for what was refused, and what is of a load that is still needed. */
export async function trimChanges(documents: DocumentStore, needed: string[]): Promise<void> {
  const [first] = (await fetchPositions(documents)).sort();
  if (first === undefined) return;
  const kept = [{ state: "refused" }, { load: needed }];
  await documents.removeBetween(COLLECTION, { after: "", before: toPosition(Number(first) + 1) }, kept);
}

/** All changes that a filter names, in their order; these members, all unless told. */
async function find(
  documents: DocumentStore,
  filter: Parameters<DocumentStore["fetchAll"]>[1],
  members?: readonly string[],
): Promise<Change[]> {
  const found = (await documents.fetchAll(COLLECTION, filter, members)).map(fromStored);
  return found.sort((one, other) => (one._id < other._id ? -1 : 1));
}

function toStored<Members extends Partial<Change>>(change: Members) {
  return toTexts(change, TEXTS);
}

function fromStored(document: object): Change {
  return fromTexts<Change>(document, TEXTS);
}

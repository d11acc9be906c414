/** Owns the small documents of the service itself: keys, loads, refused rows. */
import type { Collection, Db, Document } from "mongodb";
import type { Budget } from "../../runtime/deadlines.ts";
import type { Filter } from "../../definitions/record-reader.ts";
import { guard } from "./faults.ts";
import { projectionOf, toQuery } from "./filters.ts";
import { findAll } from "./groups.ts";
import { amend, insertMissing, put, raise, type Named, type Raising } from "./writes.ts";

/** Documents whose `_id` lies between two texts, neither included. */
interface IdSpan {
  after: string;
  before: string;
  /** Members that are read, and `_id`; absent: all. */
  members?: readonly string[];
}

export type DocumentStore = ReturnType<typeof openDocuments>;

/**
 * Opens the documents of a database. `longDb`: the same, for counts and removals of a span of ids, which take longer the more
 * documents it has. Every failure to reach it is an UnavailableError.
 */
export function openDocuments(db: Db, longDb: Db) {
  const named = (collection: string) => db.collection<Named>(collection);
  const long = (collection: string) => longDb.collection<Named>(collection);
  return { ...openReads(named), ...openWrites(named), ...openSpans(long) };
}

type Span = Pick<IdSpan, "after" | "before">;

type Open = (collection: string) => Collection<Named>;

function openReads(named: Open) {
  return {
    fetch: (collection: string, id: string): Promise<Document | null> =>
      guard(() => named(collection).findOne({ _id: id })),

    /** All documents that the filter names, in no order; a list of values means any of them. These members, or all. */
    fetchAll: (
      collection: string,
      filter: Filter,
      members?: readonly string[],
      budget?: Budget,
    ): Promise<Document[]> => guard(() => findAll(named(collection), filter, { members, budget }), budget),

    /** Whichever document comes first, in no order; null when there is none. Costs the same in a large collection. */
    fetchAny: (collection: string): Promise<Document | null> =>
      // In no order: one engine sorts a whole collection before it gives the first document.
      guard(() => named(collection).findOne({})),

    /** Documents that equal the filter, ordered by `_id`. */
    list: (collection: string, filter: Document, limit: number): Promise<Document[]> =>
      guard(() => named(collection).find(filter).sort({ _id: 1 }).limit(limit).toArray()),

    /** Documents of the span, ordered by `_id`. */
    listBetween: (
      collection: string,
      { after, before, members }: IdSpan,
      limit: number,
    ): Promise<Document[]> =>
      guard(() => {
        const found = named(collection).find({ _id: { $gt: after, $lt: before } }, projectionOf(members));
        return found.sort({ _id: 1 }).limit(limit).toArray();
      }),

    /** Documents of highest `_id`, of all or of a span, in descending order; these members of each and `_id`, all by default. */
    listLatest: (collection: string, ...asked: LatestAsked): Promise<Document[]> =>
      guard(() => findLatest(named(collection), ...asked)),
  };
}

type LatestAsked = [limit: number, members?: readonly string[], span?: Span];

function findLatest(collection: Collection<Named>, ...[limit, members, span]: LatestAsked) {
  const filter = span ? { _id: { $gt: span.after, $lt: span.before } } : {};
  return collection.find(filter, projectionOf(members)).sort({ _id: -1 }).limit(limit).toArray();
}

function openWrites(named: Open) {
  return {
    /** Stores a document under its `_id`, over the one that is there. */
    put: (collection: string, document: Named) => guard(() => put(named(collection), document)),

    /** Stores many new documents. Where an `_id` already exists, the stored document is kept and returned. */
    putMissing: (collection: string, documents: Named[]) =>
      guard(() => insertMissing(named(collection), documents)),

    /** Stores each over the one that is there unless that has a higher `rank`; members that the new one lacks stay. */
    raise: (collection: string, documents: Named[], raising: Raising) =>
      guard(() => raise(named(collection), documents, raising)),

    /** Sets members of documents that are there; the others stay. */
    amend: (collection: string, members: Named[]) => guard(() => amend(named(collection), members)),

    /**
     * Sets members of the document that fulfils the condition, `_id` among it, in one step; false when there is none. Of many who
     * try at once it is true for one, where what is set ends the condition.
     */
    amendIf: (collection: string, condition: Named, members: Document): Promise<boolean> =>
      guard(async () => {
        const { matchedCount } = await named(collection).updateOne(condition, { $set: members });
        return matchedCount === 1;
      }),

    /** Stores a document over the one that fulfils the condition, in one step; false when there is none. */
    putIf: (collection: string, condition: Document, document: Named): Promise<boolean> =>
      guard(async () => (await named(collection).replaceOne(condition, document)).matchedCount === 1),

    /** Removes a document; nothing happens when it is not there. */
    remove: (collection: string, id: string) =>
      guard(async () => void (await named(collection).deleteOne({ _id: id }))),

    /** Removes the documents in which a member, which is a text, comes before this one: a few, since this has the time of a request. */
    removeBefore: (collection: string, member: string, text: string) =>
      guard(async () => void (await named(collection).deleteMany({ [member]: { $lt: text } }))),
  };
}

function openSpans(named: Open) {
  return {
    /** How many documents of the span there are of each combination of values that these fields have. */
    countBy: (collection: string, { after, before }: Span, fields: readonly string[]) =>
      guard(async () => {
        const combination = Object.fromEntries(fields.map((field) => [field, `$${field}`]));
        const groups = await named(collection)
          .aggregate<{ _id: Record<string, string>; count: number }>([
            { $match: { _id: { $gt: after, $lt: before } } },
            { $group: { _id: combination, count: { $sum: 1 } } },
          ])
          .toArray();
        return groups.map(({ _id, count }) => ({ values: fields.map((field) => _id[field] ?? ""), count }));
      }),

    /** Removes the documents of the span, less those that a filter names. */
    removeBetween: (collection: string, { after, before }: Span, except: readonly Filter[] = []) =>
      guard(async () => {
        const kept = except.length > 0 && { $nor: except.map(toQuery) };
        await named(collection).deleteMany({ _id: { $gt: after, $lt: before }, ...kept });
      }),
  };
}

/** What the ids of documents that belong to something lie between: they are its own id, a colon, and more. */
export function idsOf(owner: string): Span {
  // The semicolon is the character that follows the colon. Ids have an index in every engine.
  return { after: `${owner}:`, before: `${owner};` };
}

/** All documents of the span, ordered by `_id`, in pages of this size. */
export async function* readBetween(
  documents: Pick<DocumentStore, "listBetween">,
  collection: string,
  span: IdSpan,
  pageSize: number,
): AsyncGenerator<Document[]> {
  for (let { after } = span; ;) {
    const page = await documents.listBetween(collection, { ...span, after }, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < pageSize) return;
    after = String(last._id);
  }
}

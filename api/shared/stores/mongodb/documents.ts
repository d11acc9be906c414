/** Reads and writes the service's own documents: keys, loads, refused rows. Records have their own files. */
import type { Collection, Db, Document } from "mongodb";
import type { Budget } from "../../runtime/deadlines.ts";
import type { Filter } from "../../definitions/record-reader.ts";
import { guard } from "./faults.ts";
import { projectionOf, toQuery } from "./filters.ts";
import { findAll } from "./groups.ts";
import { amend, insertMissing, put, raise, type Named, type Raising } from "./writes.ts";

/** Documents whose `_id` lies between two texts, both excluded. */
interface IdSpan {
  after: string;
  before: string;
  /** Members to read besides `_id`; absent: all. */
  members?: readonly string[];
}

export type DocumentStore = ReturnType<typeof openDocuments>;

/**
 * Opens the documents of a database. `longDb`: the same database by the client that waits long, for counts and removals
 * of a span of ids. Every failure to reach it is an UnavailableError.
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

    /** All documents that match the filter, in no order; a list of values means any of them. Default: all members. */
    fetchAll: (
      collection: string,
      filter: Filter,
      members?: readonly string[],
      budget?: Budget,
    ): Promise<Document[]> => guard(() => findAll(named(collection), filter, { members, budget }), budget),

    /** Any one document; null for an empty collection. As fast in a large collection as in a small one. */
    fetchAny: (collection: string): Promise<Document | null> =>
      // Without a sort: one engine sorts a whole collection before it returns the first document.
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

    /** The documents with the highest ids, of all or of a span, highest first. Default: all members. */
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
    /** Stores a document under its `_id`; an existing one is replaced. */
    put: (collection: string, document: Named) => guard(() => put(named(collection), document)),

    /** Stores documents whose `_id` does not exist yet; the others stay as stored. Returns the ids that existed. */
    putMissing: (collection: string, documents: Named[]) =>
      guard(() => insertMissing(named(collection), documents)),

    /** Inserts or updates documents, unless the stored one has a higher rank; members that the new one lacks stay. */
    raise: (collection: string, documents: Named[], raising: Raising) =>
      guard(() => raise(named(collection), documents, raising)),

    /** Sets these members of existing documents; other members stay. */
    amend: (collection: string, members: Named[]) => guard(() => amend(named(collection), members)),

    /**
     * Sets members of the document that matches the condition (`_id` is part of it) in one step; false when none
     * matches. If the new members no longer match the condition, only one of several simultaneous callers gets true.
     */
    amendIf: (collection: string, condition: Named, members: Document): Promise<boolean> =>
      guard(async () => {
        const { matchedCount } = await named(collection).updateOne(condition, { $set: members });
        return matchedCount === 1;
      }),

    /** Replaces the document that matches the condition, in one step; false when none matches. */
    putIf: (collection: string, condition: Document, document: Named): Promise<boolean> =>
      guard(async () => (await named(collection).replaceOne(condition, document)).matchedCount === 1),

    /** Removes a document, if it exists. */
    remove: (collection: string, id: string) =>
      guard(async () => void (await named(collection).deleteOne({ _id: id }))),

    /** Removes documents whose member sorts before a text. Only for few: it has the time limit of a request. */
    removeBefore: (collection: string, member: string, text: string) =>
      guard(async () => void (await named(collection).deleteMany({ [member]: { $lt: text } }))),
  };
}

function openSpans(named: Open) {
  return {
    /** Counts the documents of the span by the combination of values of these fields. */
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

    /** Removes the documents of the span, except those that match one of the filters. */
    removeBetween: (collection: string, { after, before }: Span, except: readonly Filter[] = []) =>
      guard(async () => {
        const kept = except.length > 0 && { $nor: except.map(toQuery) };
        await named(collection).deleteMany({ _id: { $gt: after, $lt: before }, ...kept });
      }),
  };
}

/** The span of the documents that belong to an owner. Their ids are the owner's id, a colon, and more. */
export function idsOf(owner: string): Span {
  // The semicolon is the character after the colon. A span of ids is fast, because every engine indexes ids.
  return { after: `${owner}:`, before: `${owner};` };
}

/** All documents of the span, ordered by `_id`, in pages of at most `pageSize`. */
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

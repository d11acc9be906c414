/** Owns the walk through many small documents in the order of their ids, a page at a time. */
import type { DocumentStore, IdSpan } from "./mongo.ts";

type Walked = Pick<DocumentStore, "listBetween">;
type Found = Awaited<ReturnType<Walked["listBetween"]>>[number];

/** What the ids of documents that belong to something lie between: they are its own id, a colon, and more. */
export function idsOf(owner: string): { after: string; before: string } {
  // The semicolon is the character that follows the colon. Ids have an index in every engine.
  return { after: `${owner}:`, before: `${owner};` };
}

/** All documents of the span, ordered by `_id`. `pageSize`: read at once. */
export async function* readBetween(
  documents: Walked,
  collection: string,
  span: IdSpan,
  pageSize: number,
): AsyncGenerator<Found> {
  for (let { after } = span; ;) {
    const page = await documents.listBetween(collection, { ...span, after }, pageSize);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = String(last._id);
  }
}

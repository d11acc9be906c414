/** Owns the walk through many small documents in the order of their ids, a page at a time. */
import type { DocumentStore } from "./mongo.ts";

type Walked = Pick<DocumentStore, "listBetween">;
type Found = Awaited<ReturnType<Walked["listBetween"]>>[number];

/** What the ids of documents that belong to something lie between: they are its own id, a colon, and more. */
export function idsOf(owner: string): { after: string; before: string } {
  // The semicolon is the character that follows the colon. Ids have an index in every engine.
  return { after: `${owner}:`, before: `${owner};` };
}

/** All documents whose `_id` lies between two texts, neither included, ordered by it. `pageSize`: read at once. */
export async function* readBetween(
  documents: Walked,
  collection: string,
  ids: { after: string; before: string },
  pageSize: number,
): AsyncGenerator<Found> {
  for (let { after } = ids; ;) {
    const page = await documents.listBetween(collection, { ...ids, after }, pageSize);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = String(last._id);
  }
}

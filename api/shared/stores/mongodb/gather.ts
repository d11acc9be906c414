/**
 * Owns batched reads of MongoDB by `_id`: one request per collection is under way; reads that arrive meanwhile wait, and
 * share the next request. A request costs the driver and the server far more than the documents in it.
 */
import type { Document } from "mongodb";
import type { Budget } from "../../runtime/deadlines.ts";

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
  async read(ids: readonly string[], budget?: Budget): Promise<Document[]> {
    const found = await untilEnd(this.join(ids), budget);
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

/** Makes the reads by `_id`. A read ends with its budget; the shared request goes on, with a limit of its own. */
export function gatherReads(
  fetchByIds: (collection: string, ids: readonly string[]) => Promise<Document[]>,
): (collection: string, ids: readonly string[], budget?: Budget) => Promise<Document[]> {
  const gatherers = new Map<string, Gatherer>();
  return (collection, ids, budget) => {
    const gatherer = gatherers.get(collection) ?? new Gatherer((asked) => fetchByIds(collection, asked));
    gatherers.set(collection, gatherer);
    return gatherer.read(ids, budget);
  };
}

function untilEnd<T>(work: Promise<T>, budget: Budget | undefined): Promise<T> {
  if (!budget) return work;
  const { signal } = budget;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

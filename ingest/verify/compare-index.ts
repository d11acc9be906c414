/** Compares one index with MongoDB, both ways, and repairs it. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { keyOf } from "../../api/shared/values/key-of.ts";
import type { IndexWrite } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { indexNameOf, type AliasedIndex } from "../../api/shared/definitions/define-index.ts";
import { waitForLive } from "../log/follow.ts";
import { fetchGroupIds, walkPersons, type RecordGroup } from "../projection/groups.ts";
import { projectDocuments } from "../projection/project.ts";
import { examineGroups, lookAt, stateOf, type Difference } from "./look.ts";

type Differences = Record<Difference["kind"], number>;
type Named = Pick<Difference, "id" | "kind" | "what">;
type Doubt = Pick<Difference, "id" | "state">;

export function countDifferences({ missing, extra, different }: Differences): number {
  return missing + extra + different;
}

export function describeDifferences({ missing, extra, different }: Differences): string {
  return `${formatCount(missing)} missing, ${formatCount(extra)} extra, ${formatCount(different)} different`;
}

export interface Observer {
  onNote: (note: string) => void;
  /** Long work begins, until `end`. `total`: expected documents, about; 0: unknown. */
  watch: (what: string, total: number) => { onProgress: (done: number) => void; end: () => void };
  isStopping: () => boolean;
}

interface ComparisonOptions {
  observer: Observer;
  /** Name of the work, for people. */
  what: string;
  /** How many differences of each kind to name; absent: none. */
  show?: number;
  /** True: differences are written again from MongoDB. */
  isRepair?: boolean;
  /** Applies all changes to the index before differences are checked again; absent: the workers do. */
  settle?: () => Promise<void>;
}

// Limit: ids that differed, in memory; this many are checked again at once, which takes seconds.
const MOST_DOUBTS = 50_000;
// A group written again before each of these checks is not named.
const LOOKS_AGAIN = 5;
// Slower or missing workers are not waited for.
const PATIENCE_MS = 30_000;

/** Compares an index with MongoDB, in constant memory. Throws StoppedError. */
export function compareIndex(stores: Stores, index: AliasedIndex, options: ComparisonOptions) {
  return new IndexComparison(stores, index, options).run();
}

/** All groups of an index, with progress. Throws StoppedError. */
export async function* walkWatched(
  { mongo, elasticsearch }: Stores,
  index: AliasedIndex,
  { observer, what }: Pick<ComparisonOptions, "observer" | "what">,
): AsyncGenerator<RecordGroup[]> {
  const live = indexNameOf(index.name);
  const reached = await elasticsearch.fetchReached([live]);
  const { onProgress, end } = observer.watch(what, reached.length > 0 ? await elasticsearch.count(live) : 0);
  let done = 0;
  try {
    for await (const groups of walkPersons(mongo, index)) {
      guardStop(observer);
      yield groups;
      onProgress((done += groups.length));
    }
  } finally {
    end();
  }
}

export function guardStop({ isStopping }: Pick<Observer, "isStopping">): void {
  if (isStopping()) throw new StoppedError("stopped; the rest was not checked");
}

export class StoppedError extends CommandError {}

class IndexComparison {
  private readonly compared = { expected: 0, found: 0, missing: 0, extra: 0, different: 0 };
  private readonly repaired: Differences = { missing: 0, extra: 0, different: 0 };
  private readonly named: Named[] = [];

  constructor(
    private readonly stores: Stores,
    private readonly index: AliasedIndex,
    private readonly options: ComparisonOptions,
  ) {}

  async run() {
    const { compared, repaired, named, stores, options } = this;
    if (options.isRepair) stores.elasticsearch.words.distrust();
    await this.settle(this.walkTruth());
    await this.countFound();
    if (compared.found !== compared.expected - compared.missing + compared.extra) {
      await this.settle(this.walkIndex());
      if (this.options.isRepair) await this.countFound();
    }
    return { compared, repaired, named };
  }

  /** Counts with what was written up to now. */
  private async countFound(): Promise<void> {
    await this.stores.elasticsearch.refresh();
    this.compared.found = await this.stores.elasticsearch.count(this.index.name);
  }

  private async *walkTruth(): AsyncGenerator<Doubt[]> {
    const { stores, index, options } = this;
    for await (const groups of walkWatched(stores, index, options)) {
      const ids = groups.map(({ id }) => id);
      const documents = await stores.elasticsearch.fetchDocuments(index.name, ids);
      const { expected, differences, texts } = await examineGroups(stores, index, groups, documents);
      this.compared.expected += expected;
      // Also of documents that are as they should be: the index of words may have been lost by itself.
      if (options.isRepair) await stores.elasticsearch.words.add(texts);
      yield differences;
    }
  }

  /** Finds documents without records. */
  private async *walkIndex(): AsyncGenerator<Doubt[]> {
    const { elasticsearch, mongo } = this.stores;
    const { name, groupBy, record } = this.index;
    const state = stateOf([]);
    for await (const ids of elasticsearch.walkIds(name)) {
      guardStop(this.options.observer);
      const indexedUnder = await fetchGroupIds(mongo, this.index, ids);
      const filter = { [groupBy]: [...indexedUnder.values()].flat() };
      const found = await mongo.documents.fetchAll(record.collection, filter, [groupBy, "gone"]);
      const there = new Set(found.flatMap((item) => (item.gone ? [] : keyOf(item, groupBy))));
      const isThere = (id: string) => indexedUnder.get(id)?.some((stored) => there.has(stored)) ?? false;
      yield ids.flatMap((id) => (isThere(id) ? [] : { id, state }));
    }
  }

  private async settle(walk: AsyncGenerator<Doubt[]>): Promise<void> {
    let doubts: Doubt[] = [];
    for await (const some of walk) {
      doubts = doubts.concat(some);
      if (doubts.length < MOST_DOUBTS) continue;
      await this.judge(doubts);
      doubts = [];
    }
    await this.judge(doubts);
  }

  private async judge(doubts: Doubt[]): Promise<void> {
    const { stores, index, options } = this;
    const confirmed = await this.confirm(doubts);
    if (options.isRepair) await repairIndex(stores, index, confirmed);
    const left = options.isRepair ? await this.confirm(confirmed) : confirmed;
    const differing = new Set(left.map(({ id }) => id));
    for (const { kind } of left) this.compared[kind] += 1;
    for (const { id, kind, what } of confirmed) {
      if (!differing.has(id)) this.repaired[kind] += 1;
      const named = this.named.filter((one) => one.kind === kind).length;
      if (named < (options.show ?? 0)) this.named.push({ id, kind, ...(what && { what }) });
    }
  }

  /** Those that still differ, with the same records, once the index has followed the change log. */
  private async confirm(doubts: readonly Doubt[]): Promise<Difference[]> {
    const { stores, index, options } = this;
    const isEnough = (waitedMs: number) => {
      guardStop(options.observer);
      return waitedMs > PATIENCE_MS;
    };
    const confirmed: Difference[] = [];
    for (let [look, open] = [0, doubts]; look < LOOKS_AGAIN && open.length > 0; look += 1) {
      const states = new Map(open.map(({ id, state }) => [id, state]));
      await (options.settle?.() ?? waitForLive(stores, isEnough));
      const found = await lookAt(stores, index, [...states.keys()]);
      confirmed.push(...found.filter(({ id, state }) => states.get(id) === state));
      open = found.filter(({ id, state }) => states.get(id) !== state);
    }
    return confirmed;
  }
}

/**
 * Writes missing and different documents as a worker would, and removes extra ones at the version they were
 * found with: newer writes win. An index that remembers a higher version must forget it first.
 */
async function repairIndex(stores: Stores, index: AliasedIndex, differences: readonly Difference[]) {
  const ids = differences.map(({ id }) => id);
  const extra = differences.filter(({ kind }) => kind === "extra");
  await stores.elasticsearch.write(index.name, toRemovals(extra));
  await projectDocuments(stores, index, ids);
  const stubborn = await lookAt(stores, index, ids);
  if (stubborn.length === 0) return;
  await stores.elasticsearch.forget(index, toRemovals(stubborn));
  const forgotten = stubborn.map(({ id }) => id);
  await projectDocuments(stores, index, forgotten);
}

function toRemovals(differences: readonly Difference[]): IndexWrite[] {
  return differences.flatMap(({ id, indexedVersion: version }) =>
    version === undefined ? [] : { id, version, document: null },
  );
}

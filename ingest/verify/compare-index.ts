/** Owns the comparison of one index with MongoDB: every document that is to be there, and every one that is; and its repair. */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { AliasedIndex } from "../../index-mappings/define-index.ts";
import { toWrites } from "../projection/documents.ts";
import { projectDocuments } from "../projection/project.ts";
import { writeIndex } from "../projection/search-index.ts";
import { walkPersons } from "../persons/groups.ts";
import { readAhead, type RecordGroup } from "../projection/walk-groups.ts";
import { Census } from "./census.ts";
import { confirmDifferences } from "./confirm.ts";
import { examineGroups, lookAt, type Difference, type Examined } from "./examine.ts";

/** Counts of a comparison. */
export interface Comparison {
  /** Documents that the records of MongoDB make. */
  expected: number;
  /** Documents that the index holds. */
  found: number;
  missing: number;
  extra: number;
  different: number;
}

/** How many documents are not as they should be. */
export function countDifferences({ missing, extra, different }: Comparison): number {
  return missing + extra + different;
}

/** What a comparison needs. */
export interface ComparisonOptions {
  /** Differences of each kind that are named; absent: none. */
  show?: number;
  /** True: what differs is written anew from MongoDB. */
  isRepair?: boolean;
  /** Told how many documents of the index's `total` have been compared; `end`: that this is over. */
  onProgress: (done: number, total: number) => void;
  end?: () => void;
  /** Brings to the index what it has not followed yet, before differences are looked at again; absent: others do. */
  beforeLook?: () => Promise<void>;
  isStopping: () => boolean;
}

// Limit: ids held that differed at first sight; when there are as many they are looked at again, which takes seconds.
const MOST_DOUBTS = 50_000;

// Limit: documents made and written at a time.
const DOCUMENTS_A_WRITE = 500;

/** A difference as it is named. */
export type Named = Pick<Difference, "id" | "kind" | "what">;

/** Compares an index with MongoDB, in flat memory; returns the first differences by name. Throws CommandError when it is told to stop. */
export async function compareIndex(
  stores: Stores,
  index: AliasedIndex,
  options: ComparisonOptions,
): Promise<{ compared: Comparison; named: Named[] }> {
  const comparison = new IndexComparison(stores, index, options);
  try {
    await comparison.run();
    return { compared: comparison.counts, named: comparison.named };
  } finally {
    options.end?.();
  }
}

class IndexComparison {
  readonly named: Named[] = [];
  readonly counts: Comparison = { expected: 0, found: 0, missing: 0, extra: 0, different: 0 };
  private readonly census = new Census();
  private readonly doubts = new Set<string>();

  constructor(
    private readonly stores: Stores,
    private readonly index: AliasedIndex,
    private readonly options: ComparisonOptions,
  ) {}

  async run(): Promise<void> {
    await this.walkTruth();
    // What was written up to now counts among what the index holds.
    await this.stores.elasticsearch.refresh();
    await this.walkIndex((ids) => {
      this.counts.found += ids.length;
      for (const id of ids) this.census.remove(id);
    });
    if (this.census.differs()) await this.walkIndex((ids) => this.doubtOf(ids));
    await this.settleDoubts();
  }

  /** Everything that is to be in the index. */
  private async walkTruth(): Promise<void> {
    const { stores, index, counts, options } = this;
    const total = await stores.elasticsearch.count(index.name);
    let done = 0;
    for await (const { groups, expected, differences } of readAhead(
      this.examine(walkPersons(stores.mongo, index)),
    )) {
      this.guardStop();
      counts.expected += expected.length;
      for (const id of expected) this.census.add(id);
      await this.doubt(differences.map(({ id }) => id));
      options.onProgress((done += groups), total);
    }
  }

  private async *examine(walk: AsyncGenerator<RecordGroup[]>): AsyncGenerator<Examined> {
    for await (const groups of walk) yield await examineGroups(this.stores, this.index, groups);
  }

  private async walkIndex(take: (ids: string[]) => void | Promise<void>): Promise<void> {
    for await (const ids of this.stores.elasticsearch.walkIds(this.index.name)) {
      this.guardStop();
      await take(ids);
    }
  }

  /** Looks at the ids of which the index and MongoDB may not both have the document. */
  private async doubtOf(ids: string[]): Promise<void> {
    const suspects = ids.filter((id) => this.census.suspects(id) && !this.doubts.has(id));
    const differing = await lookAt(this.stores, this.index, suspects);
    await this.doubt(differing.map(({ id }) => id));
  }

  private async doubt(ids: string[]): Promise<void> {
    for (const id of ids) this.doubts.add(id);
    if (this.doubts.size >= MOST_DOUBTS) await this.settleDoubts();
  }

  private async settleDoubts(): Promise<void> {
    const ids = [...this.doubts];
    this.doubts.clear();
    const confirmed = await confirmDifferences(this.stores, this.index, ids, this.options.beforeLook);
    for (const { id, kind, what } of confirmed) {
      this.counts[kind] += 1;
      if (this.counts[kind] <= (this.options.show ?? 0)) this.named.push({ id, kind, ...(what && { what }) });
    }
    if (this.options.isRepair) await repairIndex(this.stores, this.index, confirmed);
  }

  private guardStop(): void {
    if (this.options.isStopping()) throw new CommandError("stopped; nothing can be said of the rest");
  }
}

/**
 * Writes what is missing or different from MongoDB, under the version a worker would give it, and removes what is
 * extra at the version it was found with: a newer write is not overtaken, and an older one does not overtake. An
 * id for which the index holds or remembers a higher version than that takes no write; those are forgotten first.
 */
async function repairIndex(
  stores: Stores,
  index: AliasedIndex,
  differences: readonly Difference[],
): Promise<void> {
  for (let at = 0; at < differences.length; at += DOCUMENTS_A_WRITE) {
    const some = differences.slice(at, at + DOCUMENTS_A_WRITE);
    await writeAnew(stores, index, some);
    const ids = some.map(({ id }) => id);
    const stubborn = await lookAt(stores, index, ids);
    if (stubborn.length === 0) continue;
    await stores.elasticsearch.forget(index, stubborn.flatMap(toHeld));
    await writeAnew(stores, index, stubborn);
  }
}

async function writeAnew(stores: Stores, index: AliasedIndex, differences: Difference[]): Promise<void> {
  const { record, groupBy } = index;
  const ids = differences.map(({ id }) => id);
  if (groupBy !== "_id") {
    await projectDocuments(stores, index, ids);
    return;
  }
  const records = await stores.mongo.records.fetchByIds(record, ids);
  await writeIndex(stores, index, toWrites(index, records));
  const known = new Set(records.map(({ _id }) => _id));
  const extra = differences.filter(({ id }) => !known.has(id)).flatMap(toHeld);
  await stores.elasticsearch.write(
    index.name,
    extra.map((item) => ({ ...item, document: null })),
  );
}

function toHeld({ id, heldVersion }: Difference): { id: string; version: number }[] {
  return heldVersion === undefined ? [] : [{ id, version: heldVersion }];
}

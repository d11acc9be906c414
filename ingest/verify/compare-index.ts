/** Compares one index with MongoDB in both directions, and repairs it. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { contentHash } from "../../api/shared/values/identifiers.ts";
import { keyOf } from "../../api/shared/values/members.ts";
import type { IndexedDocument } from "../../api/shared/stores/elasticsearch/documents.ts";
import type { IndexWrite } from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { AliasedIndex, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { markFilled } from "../../index-mappings/unfilled.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { drawRevision } from "../history/revisions.ts";
import { fetchLastPosition } from "../log/changes.ts";
import { fetchGroupIds, gatherGroups, isOfOneRecord, type RecordGroup } from "../projection/groups.ts";
import { fetchLiveIndex, projectDocuments } from "../projection/project.ts";
import type { RecordCheck } from "./check-records.ts";
import { guardStop, inLots, waitForWorkers, walkWatched, type Observer } from "./observer.ts";

interface Difference {
  id: string;
  /** `missing`: not in the index; `extra`: in the index without records. */
  kind: "missing" | "extra" | "different";
  what?: "content" | "version";
  indexedVersion: number | undefined;
  /** A hash that changes when a record of the group is written. */
  state: string;
}

type Differences = Record<Difference["kind"], number>;
type Doubt = Pick<Difference, "id" | "state">;

export function countDifferences({ missing, extra, different }: Differences): number {
  return missing + extra + different;
}

export function describeDifferences({ missing, extra, different }: Differences): string {
  return `${formatCount(missing)} missing, ${formatCount(extra)} extra, ${formatCount(different)} different`;
}

interface ComparisonOptions {
  observer: Observer;
  /** Name of the work, shown with its progress. */
  what: string;
  /** How many differences of each kind to name; absent: none. */
  show?: number;
  /** True: differences are written again from MongoDB. */
  isRepair?: boolean;
  /** Checks the records as well. Absent: a record that cannot be read ends the comparison. */
  records?: RecordCheck;
  /** Applies all changes to the index before differences are checked again; absent: the workers do. */
  settle?: () => Promise<void>;
}

// Limit: how many groups are read and compared in memory at a time.
const GROUPS_AT_ONCE = 500;
// Limit: how many ids that differ are in memory and checked again at once, which takes seconds.
const MOST_DOUBTS = 50_000;
// How often a group is checked again if it has been written meanwhile; then it is passed over.
const MOST_ATTEMPTS = 5;

/** Compares an index with MongoDB, in constant memory. Throws StoppedError. */
export function compareIndex(stores: Stores, index: AliasedIndex, options: ComparisonOptions) {
  return new IndexComparison(stores, index, options).run();
}

class IndexComparison {
  private readonly compared = { expected: 0, found: 0, missing: 0, extra: 0, different: 0 };
  private readonly repaired: Differences = { missing: 0, extra: 0, different: 0 };
  private readonly shown: Differences = { missing: 0, extra: 0, different: 0 };
  private readonly named: Pick<Difference, "id" | "kind" | "what">[] = [];

  constructor(
    private readonly stores: Stores,
    private readonly index: AliasedIndex,
    private readonly options: ComparisonOptions,
  ) {}

  async run() {
    const { compared, repaired, named, stores, index, options } = this;
    if (options.isRepair) stores.elasticsearch.words.forgetKnown();
    const { position } = await fetchLive(stores.mongo.documents);
    await this.confirmAndRepair(this.walkRecords());
    await this.countFound();
    // A record removed meanwhile may have been expected; if as many documents were extra, the counts would agree.
    const isSteady = position === (await fetchLastPosition(stores.mongo.documents));
    if (!isSteady || compared.found !== compared.expected - compared.missing + compared.extra) {
      await this.confirmAndRepair(this.walkIndex());
      if (options.isRepair) await this.countFound();
    }
    if (options.isRepair && countDifferences(compared) === 0) await markFilled(stores.elasticsearch, index);
    return { compared, repaired, named };
  }

  /** Counts the documents of the index, after a refresh. */
  private async countFound(): Promise<void> {
    await this.stores.elasticsearch.refresh();
    this.compared.found = await this.stores.elasticsearch.count(this.index.name);
  }

  /** Compares the documents of all groups of records. A repair also corrects key members and adds words. */
  private async *walkRecords(): AsyncGenerator<Doubt[]> {
    const { stores, index, options } = this;
    const { observer, what, records, isRepair } = options;
    const how = records?.watch(index);
    for await (const walked of walkWatched(stores, index, { observer, what, how })) {
      if (isRepair) await records?.repair(stores);
      const groups = walked.filter(({ id }) => !records?.isHidden(id));
      const ids = groups.map(({ id }) => id);
      const documents = await stores.elasticsearch.fetchDocuments(index.name, ids);
      const { expected, differences, texts } = await examineGroups(stores, index, groups, documents);
      this.compared.expected += expected;
      // Words of correct documents, too: the index of words may be lost while the search indices are not.
      if (isRepair) await stores.elasticsearch.words.add(texts);
      yield differences;
    }
    if (isRepair) await records?.repair(stores);
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
      const existing = new Set(found.flatMap((item) => (item.gone ? [] : keyOf(item, groupBy))));
      const exists = (id: string) => indexedUnder.get(id)?.some((stored) => existing.has(stored)) ?? false;
      yield ids.flatMap((id) => (exists(id) ? [] : { id, state }));
    }
  }

  /** Checks again what a walk has found, repairs what still differs, and counts it. */
  private async confirmAndRepair(walk: AsyncGenerator<Doubt[]>): Promise<void> {
    const { stores, index, options, compared, repaired, named } = this;
    const { isRepair, show = 0 } = options;
    for await (const doubts of inLots(walk, MOST_DOUBTS)) {
      const confirmed = await this.confirm(doubts);
      if (isRepair) await repairIndex(stores, index, confirmed);
      const left = isRepair ? await this.confirm(confirmed) : confirmed;
      const differing = new Set(left.map(({ id }) => id));
      for (const { kind } of left) compared[kind] += 1;
      for (const { id, kind, what } of confirmed) {
        if (!differing.has(id)) repaired[kind] += 1;
        // Counted, since the list may be long.
        if ((this.shown[kind] += 1) <= show) named.push({ id, kind, ...(what && { what }) });
      }
    }
  }

  /** Those that still differ once the index has followed the change log, while their records are unchanged. */
  private async confirm(doubts: readonly Doubt[]): Promise<Difference[]> {
    const { stores, index, options } = this;
    const confirmed: Difference[] = [];
    for (let [attempt, open] = [0, doubts]; attempt < MOST_ATTEMPTS && open.length > 0; attempt += 1) {
      const states = new Map(open.map(({ id, state }) => [id, state]));
      await (options.settle?.() ?? waitForWorkers(stores, options.observer));
      const found = await compareAgain(stores, index, [...states.keys()]);
      confirmed.push(...found.filter(({ id, state }) => states.get(id) === state));
      open = found.filter(({ id, state }) => states.get(id) !== state);
    }
    return confirmed;
  }
}

/**
 * Writes missing and different documents as a worker would. Removes extra ones at the version with which they were
 * found, so that newer writes win. If that fails, the index remembers a higher version and must forget it first.
 */
async function repairIndex(stores: Stores, index: AliasedIndex, differences: readonly Difference[]) {
  const ids = differences.map(({ id }) => id);
  const extra = differences.filter(({ kind }) => kind === "extra");
  await stores.elasticsearch.write(index.name, toRemovals(extra));
  await projectDocuments(stores, index, ids);
  const remaining = await compareAgain(stores, index, ids);
  if (remaining.length === 0) return;
  await stores.elasticsearch.forget(index, toRemovals(remaining));
  const forgotten = remaining.map(({ id }) => id);
  await projectDocuments(stores, index, forgotten);
}

function toRemovals(differences: readonly Difference[]): IndexWrite[] {
  return differences.flatMap(({ id, indexedVersion: version }) =>
    version === undefined ? [] : { id, version, document: null },
  );
}

async function examineGroups(
  stores: Stores,
  index: AliasedIndex,
  groups: RecordGroup[],
  documents: IndexedDocument[],
) {
  const stored = new Map(documents.map((item) => [item.id, item]));
  const { isOlder } = await fetchLiveIndex(stores.elasticsearch, index);
  // Drawn after the documents were read: every version that a worker gave them is lower.
  const now = isOfOneRecord(index) ? undefined : await drawRevision(stores);
  const examined = { expected: 0, differences: [] as Difference[], texts: [] as string[] };
  for (const { id, records } of groups) {
    // A group may have nothing to search, and then has no document.
    const document = index.document(records);
    if (document) {
      examined.expected += 1;
      examined.texts.push(...textsOf(document));
    }
    // A version above the record's revision would block its next write. A drawn version must not be in the future.
    const isRight = (version: number) =>
      now === undefined ? version === records[0]?.revision : version <= now;
    const found = stored.get(id);
    const verdict = judge(document, found, { isOlder, isRight });
    if (verdict)
      examined.differences.push({ id, ...verdict, indexedVersion: found?.version, state: stateOf(records) });
  }
  return examined;
}

/** Reads these groups again and compares them. Ids without records, or no longer shown, count as empty groups. */
async function compareAgain(stores: Stores, index: AliasedIndex, ids: readonly string[]) {
  const found: Difference[] = [];
  for (let at = 0; at < ids.length; at += GROUPS_AT_ONCE) {
    const some = ids.slice(at, at + GROUPS_AT_ONCE);
    // Read before the records: if a batch writes both in between, the state of the group shows it.
    const documents = await stores.elasticsearch.fetchDocuments(index.name, some);
    const groupIds = await fetchGroupIds(stores.mongo, index, some);
    const asked = new Map(some.map((id) => [id, groupIds.get(id) ?? []]));
    const query = { field: index.groupBy, values: [...asked.values()].flat() };
    const { records } = await stores.mongo.records.fetchGroups(index.record, query);
    const groups = gatherGroups(index, asked, records);
    found.push(...(await examineGroups(stores, index, groups, documents)).differences);
  }
  return found;
}

function stateOf(records: readonly StoredRecord[]): string {
  return contentHash(records.map(({ _id, revision }) => `${_id}@${revision}`).sort());
}

function judge(
  document: SearchDocument | null,
  stored: IndexedDocument | undefined,
  { isOlder, isRight }: { isOlder: boolean; isRight: (version: number) => boolean },
): Pick<Difference, "kind" | "what"> | null {
  if (!document) return stored ? { kind: "extra" } : null;
  if (!stored) return { kind: "missing" };
  // The texts are nearly always equal, and comparing them is ten times as fast.
  const isSame =
    JSON.stringify(document) === JSON.stringify(stored.source) ||
    (isPartOf(stored.source, document) && (isOlder || isPartOf(document, stored.source)));
  if (!isSame) return { kind: "different", what: "content" };
  return isRight(stored.version) ? null : { kind: "different", what: "version" };
}

/** True when `other` has all that `one` has. Documents of an older release are only a part: they lack newer fields. */
function isPartOf(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return one === other;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return Object.entries(one).every(([name, value]) => isPartOf(value, (other as SearchDocument)[name]));
}

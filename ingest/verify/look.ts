/** Compares groups of records with their documents in an index. */
import { contentHash } from "../../api/shared/values/identifiers.ts";
import type { IndexedDocument } from "../../api/shared/stores/elasticsearch/documents.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { AliasedIndex, SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { textsOf } from "../../index-mappings/words/index.ts";
import { isOfOneRecord, fetchGroupIds, gatherGroups, type RecordGroup } from "../projection/groups.ts";
import { fetchLiveIndex } from "../projection/project.ts";

// Limit: ids read and compared in memory at a time.
const IDS_A_LOOK = 500;

export interface Difference {
  id: string;
  /** `missing`: not in the index; `extra`: in the index without records. */
  kind: "missing" | "extra" | "different";
  what?: "content" | "version";
  indexedVersion: number | undefined;
  /** Changes when records of the group are written. */
  state: string;
}

export async function examineGroups(
  { elasticsearch, redis }: Stores,
  index: AliasedIndex,
  groups: RecordGroup[],
  documents: IndexedDocument[],
) {
  const stored = new Map(documents.map((item) => [item.id, item]));
  const { isOlder } = await fetchLiveIndex(elasticsearch, index);
  // Taken after the documents were read: every version that a worker gave them is lower.
  const now = isOfOneRecord(index) ? undefined : await redis.nextRevision();
  const examined = { expected: 0, differences: [] as Difference[], texts: [] as string[] };
  for (const { id, records } of groups) {
    // A group may have nothing to be found by.
    const document = records.length > 0 ? index.document(records) : null;
    if (document) {
      examined.expected += 1;
      examined.texts.push(...textsOf(document));
    }
    // A version above the record's revision blocks its next write; a taken one must not be in the future.
    const isRight = (version: number) =>
      now === undefined ? version === records[0]?.revision : version <= now;
    const found = stored.get(id);
    const verdict = judge(document, found, { isOlder, isRight });
    if (verdict)
      examined.differences.push({ id, ...verdict, indexedVersion: found?.version, state: stateOf(records) });
  }
  return examined;
}

/** Reads these groups again and compares them; ids without records, or no longer shown, count as groups. */
export async function lookAt(stores: Stores, index: AliasedIndex, ids: readonly string[]) {
  const found: Difference[] = [];
  for (let at = 0; at < ids.length; at += IDS_A_LOOK) {
    const some = ids.slice(at, at + IDS_A_LOOK);
    // Before the records: if a batch writes both in between, the state of the group shows it.
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

export function stateOf(records: readonly StoredRecord[]): string {
  return contentHash(records.map(({ _id, revision }) => `${_id}@${revision}`).sort());
}

function judge(
  document: SearchDocument | null,
  stored: IndexedDocument | undefined,
  { isOlder, isRight }: { isOlder: boolean; isRight: (version: number) => boolean },
): Pick<Difference, "kind" | "what"> | null {
  if (!document) return stored ? { kind: "extra" } : null;
  if (!stored) return { kind: "missing" };
  // The text is nearly always equal, and ten times as quick to compare.
  const isSame =
    JSON.stringify(document) === JSON.stringify(stored.source) ||
    (isPartOf(stored.source, document) && (isOlder || isPartOf(document, stored.source)));
  if (!isSame) return { kind: "different", what: "content" };
  return isRight(stored.version) ? null : { kind: "different", what: "version" };
}

/** True when `other` has all that `one` has: documents of an older release lack newer fields. */
function isPartOf(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return one === other;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return Object.entries(one).every(([name, value]) => isPartOf(value, (other as SearchDocument)[name]));
}

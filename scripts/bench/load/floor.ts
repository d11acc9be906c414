/** The floor of a load: the engines' own clients write prepared records and documents. */
import { join } from "node:path";
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import type { IndexDefinition, SearchDocument } from "../../../api/shared/definitions/define-index.ts";
import { indicesOf } from "../../../index-mappings/index.ts";
import { readRecords } from "../register/read-records.ts";
import { RecordGroups } from "../register/record-groups.ts";
import type { BareClients } from "./bare-clients.ts";

// Limit: records that are prepared and held in memory at once. While a portion is prepared, the clock stops and both
// stores are idle.
const PORTION = 25_000;

/** What writing a file's prepared records took. */
export interface FloorResult {
  /** Rows of the file after its header. */
  rows: number;
  records: number;
  documents: number;
  /** Milliseconds in which both stores, at the same time, have written everything; without the preparing. */
  ms: number;
  /** The part of it that each store has needed. */
  mongoMs: number;
  elasticsearchMs: number;
}

/**
 * Writes the records and documents of a file. `folder` holds temporary files in which records are grouped by person;
 * `expected` is the number of records.
 */
export async function writeFloor(
  clients: BareClients,
  { path, folder, expected }: { path: string; folder: string; expected: number },
): Promise<FloorResult> {
  const result = { rows: 0, records: 0, documents: 0, ms: 0, mongoMs: 0, elasticsearchMs: 0 };
  const prepared = new Map<RecordDefinition, StoredRecord[]>();
  const grouped = new Map<RecordDefinition, RecordGroups>();
  const writePrepared = async () => {
    for (const [record, stored] of prepared) {
      const groups = stored.map((one) => [one]);
      await writePortion(clients, result, record, groups);
    }
    prepared.clear();
  };
  const rows = await readRecords(path, async (record, stored) => {
    const index = groupedIndexOf(record);
    if (index) return openGroups(grouped, record, index, { folder, expected }).add(stored);
    prepared.set(record, [...(prepared.get(record) ?? []), ...stored]);
    const count = [...prepared.values()].reduce((sum, { length }) => sum + length, 0);
    if (count >= PORTION) await writePrepared();
  });
  await writePrepared();
  for (const [record, groups] of grouped) {
    for (const portion of groups.read()) await writePortion(clients, result, record, [...portion.values()]);
  }
  return { ...result, rows };
}

/** The index that makes one document from several of these records, if there is one. */
function groupedIndexOf(record: RecordDefinition): IndexDefinition | undefined {
  return indicesOf(record).find(({ groupBy }) => groupBy !== "_id");
}

function openGroups(
  grouped: Map<RecordDefinition, RecordGroups>,
  record: RecordDefinition,
  index: IndexDefinition,
  { folder, expected }: { folder: string; expected: number },
): RecordGroups {
  const parts = Math.ceil(expected / PORTION);
  const groups =
    grouped.get(record) ?? new RecordGroups(join(folder, record.collection), index.groupBy, parts);
  grouped.set(record, groups);
  return groups;
}

/** Writes a portion to both stores at the same time, as a load does, and adds the time to the result. */
async function writePortion(
  clients: BareClients,
  result: FloorResult,
  record: RecordDefinition,
  groups: StoredRecord[][],
): Promise<void> {
  const records = groups.flat();
  const targets = indicesOf(record).map(({ name, document }) => ({
    name,
    documents: groups.map((group) => document(group)).filter((made): made is SearchDocument => made !== null),
  }));
  const startedAt = performance.now();
  const sinceStart = () => performance.now() - startedAt;
  const [mongoMs, elasticsearchMs] = await Promise.all([
    clients.insert(record.collection, records).then(sinceStart),
    Promise.all(targets.map(({ name, documents }) => clients.index(name, documents))).then(sinceStart),
  ]);
  result.ms += sinceStart();
  result.mongoMs += mongoMs;
  result.elasticsearchMs += targets.length > 0 ? elasticsearchMs : 0;
  result.records += records.length;
  result.documents += targets.reduce((sum, { documents }) => sum + documents.length, 0);
}

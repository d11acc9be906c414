/** The two floors of a reindex: reading all records with a plain cursor, and writing prepared documents. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import {
  nextOf,
  type IndexDefinition,
  type SearchDocument,
} from "../../../api/shared/definitions/define-index.ts";
import type { BareClients, BareRegister } from "../load/bare-clients.ts";
import { readRecords } from "../register/read-records.ts";

// Limit: documents that are prepared and held in memory at once. While a portion is prepared, the clock stops.
const PORTION = 50_000;

/** Number of records or documents of a floor, and its milliseconds. */
export interface Floor {
  count: number;
  ms: number;
}

/** Inserts the records of a file. */
export async function writeRecords(clients: BareClients, path: string): Promise<void> {
  await readRecords(path, (record, stored) => clients.insert(record.collection, stored));
}

/** Reads the whole collection of companies. Throws CommandError if the cursor misses records. */
export async function readByCursor({ clients, stores }: BareRegister): Promise<Floor> {
  const startedAt = performance.now();
  const count = await clients.readAll(companyRecord.collection);
  const ms = performance.now() - startedAt;
  const expected = await stores.mongo.records.count(companyRecord, {});
  if (count !== expected) throw new CommandError(`the cursor read ${count} of ${expected} records`);
  return { count, ms };
}

/** Writes the documents of a file's records into the index that is being built. */
export async function writePrepared(
  clients: BareClients,
  index: IndexDefinition,
  path: string,
): Promise<Floor> {
  const floor: Floor = { count: 0, ms: 0 };
  let prepared: SearchDocument[] = [];
  const write = async () => {
    const startedAt = performance.now();
    await clients.index(nextOf(index).name, prepared);
    floor.ms += performance.now() - startedAt;
    floor.count += prepared.length;
    prepared = [];
  };
  await readRecords(path, async (_record, stored) => {
    for (const item of stored) {
      const document = index.document([item]);
      if (document) prepared.push(document);
    }
    if (prepared.length >= PORTION) await write();
  });
  if (prepared.length > 0) await write();
  return floor;
}

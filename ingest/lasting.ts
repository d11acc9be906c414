/**
 * Owns what a daily update has told of all records of a key, as the correction of a nominee tells it of all appointments
 * of a number: it lasts for those that an older snapshot brings later. Few are ever told.
 */
import { isDeepStrictEqual } from "node:util";
import type { Members } from "../api/core/members.ts";
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { RecordDefinition } from "../api/resources/define-record.ts";
import type { HeldKey } from "./held-changes.ts";
import type { Incoming } from "./statements/absorb.ts";
import { momentOfUpdate } from "./statements/statement.ts";

const COLLECTION = "lasting";

/** What was told last of the records of one key. */
export interface Lasting {
  key: HeldKey;
  /** What of a record it tells: the record remembers the place for it. */
  aspect: string;
  /** Place in the series of updates at which it was told. */
  place: number;
  /** The day of that update, `YYYY-MM-DD`. */
  day: string;
  members: object;
}

/** Where a row's record stands under a key of which something may have been told that lasts. */
export interface LastingKey {
  key: HeldKey;
  /** What becomes of the record's data by the members that were told. Pure. */
  tell: (data: unknown, members: object) => unknown;
}

/** Keeps what lasts; of two of one key the later place stays. */
export async function raiseLasting(
  documents: DocumentStore,
  collection: string,
  lasting: Lasting[],
): Promise<void> {
  if (lasting.length === 0) return;
  const stored = lasting.map((one) => ({ _id: idOf(collection, one.key), ...one }));
  await documents.raise(COLLECTION, stored, "place");
}

/** A record that a row tells. */
export interface RowRecord extends Incoming {
  /** The key under which something that lasts may have been told of it. */
  lasting?: LastingKey;
}

/** What rows state of records, with what updates of a later day have told of their keys. */
export async function tellLasting(
  documents: DocumentStore,
  record: RecordDefinition,
  rows: readonly RowRecord[],
): Promise<readonly Incoming[]> {
  const ids = new Set(rows.flatMap(({ lasting }) => (lasting ? idOf(record.collection, lasting.key) : [])));
  if (ids.size === 0) return rows;
  const found = await documents.fetchAll(COLLECTION, { _id: [...ids] });
  // The cast: documents of this collection are written above.
  const lasting = new Map(found.map((one) => [String(one._id), one as unknown as Lasting]));
  return rows.map((row) => {
    const told = row.lasting && lasting.get(idOf(record.collection, row.lasting.key));
    return told && row.lasting ? { ...row, ...apply(row, told, row.lasting) } : row;
  });
}

/** Stated beside the row: the members that the update changes in what it tells. */
function apply(
  { statements }: Incoming,
  { day, place, aspect, members }: Lasting,
  { tell }: LastingKey,
): Pick<Incoming, "statements" | "update"> {
  const last = statements.at(-1);
  const at = momentOfUpdate(day);
  if (!last?.data || last.at > at) return { statements };
  // The cast: it was made of members.
  const data = tell(last.data, members) as Members;
  const names = [...new Set([...Object.keys(last.data), ...Object.keys(data)])];
  const of = names.filter((name) => !isDeepStrictEqual(data[name], last.data?.[name]));
  const told = Object.fromEntries(of.map((name) => [name, data[name]]));
  return {
    statements: [...statements, { at, place, of, data: told }],
    update: { day, places: { [aspect]: place } },
  };
}

function idOf(collection: string, { field, value }: HeldKey): string {
  return `${collection}/${field}/${value}`;
}

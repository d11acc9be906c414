/** Removes what API-shaped rows stored before under other identities: a later answer may have another one under its address. */
import { isTombstone } from "../../api/shared/values/tombstone.ts";
import type { RecordOrTombstone, RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import type { Incoming } from "./absorb.ts";
import { writeStatements, type MongoRecords, type Writing, type Written } from "./write.ts";

interface Rows {
  /** By the ids of their records. */
  rows: ReadonlyMap<string, Incoming>;
  stated: readonly Written[];
}

/**
 * The identity is another one, for example, once a day of appointment is corrected, or where a person's number is missing. Only
 * a row of a new record can leave a former one, so nothing is read for others.
 * Limit: an event, or a row of a later moment, stays beside an older row of another identity.
 */
export async function removeFormer(
  truth: MongoRecords,
  record: RecordDefinition,
  { rows, stated }: Rows,
  writing: Writing,
): Promise<Written[]> {
  const addressOf = (stored: RecordOrTombstone | undefined) =>
    !stored || isTombstone(stored) ? undefined : record.incoming?.addressOf?.(stored.data);
  // What an earlier run of the batch created is known.
  const isNew = ({ stored, effect }: Written) =>
    effect === "created" || (effect === "known" && stored.revision === writing.revision);
  const news = (writing.isFirst ? [] : stated.filter(isNew)).flatMap(({ stored }) => {
    const row = rows.get(stored._id);
    const address = row?.statements.every(isOfApi) ? addressOf(stored) : undefined;
    return row && address ? { row, address } : [];
  });
  const [first] = news;
  const { field = "_id" } = (first && record.incoming?.locate({ ...first.address, data: {} })) ?? {};
  if (field === "_id") return [];
  const last = new Map(news.map(({ row, address }) => [address.uri, row]));
  const own = new Set(Array.from(last.values(), ({ id }) => id));
  const filter = { [field]: news.map(({ address }) => address.id) };
  const ids = await truth.records.fetchKeys(record, filter, "_id");
  const others = await truth.records.fetchStored(
    record,
    ids.filter((id) => !own.has(id)),
  );
  const incoming = others.flatMap((stored): Incoming[] => {
    const uri = addressOf(stored)?.uri ?? "";
    const row = last.get(uri);
    const isApplicable = (now: RecordOrTombstone | undefined) => addressOf(now)?.uri === uri;
    return row ? [{ ...row, id: stored._id, statements: row.statements.map(toDeletion), isApplicable }] : [];
  });
  return writeStatements(truth, record, incoming, writing);
}

function isOfApi({ tells, event }: Incoming["statements"][number]): boolean {
  return tells === undefined && event === undefined;
}

function toDeletion({ at, place }: Incoming["statements"][number]) {
  return { at, ...(place !== undefined && { place }), gone: true as const };
}

/** Owns the walk over everything that an index is built from: all groups of records of MongoDB, each once and whole. */
import { keyOf } from "../../api/core/key-of.ts";
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";

/** The records that make one search document. */
export interface RecordGroup {
  /** The id of the document. */
  id: string;
  records: StoredRecord[];
}

/** How to walk. */
export interface Walk {
  /** Only groups behind this id. */
  after?: string;
  /** Only these members of each record, and its identity; absent: all. */
  members?: readonly string[];
}

/**
 * All groups of an index, a chunk of about a thousand records at a time, in the order of their ids by the bytes of UTF-8.
 * When MongoDB goes away it is waited for as the scanner does, and the walk continues behind the last group that it
 * returned. Memory is that of two chunks and of the largest group. What is written during the walk may or may not be seen;
 * a record that moves between groups meanwhile may be seen in both or in neither.
 */
export async function* walkGroups(
  { scanner }: Pick<MongoStore, "scanner">,
  { record, groupBy }: Pick<IndexDefinition, "record" | "groupBy">,
  how: Walk = {},
): AsyncGenerator<RecordGroup[]> {
  let chunks: AsyncGenerator<StoredRecord[], void> | undefined;
  // The last group of a chunk waits for the next one, which may hold more of it.
  let open: RecordGroup | undefined;
  const next = async () => {
    chunks ??= readAhead(scanner.scan(record, { sortBy: groupBy, ...how }));
    try {
      return await chunks.next();
    } catch (error) {
      chunks = open = undefined;
      throw error;
    }
  };
  try {
    for (;;) {
      const { done, value: records } = await scanner.patiently(next);
      const groups = groupRecords(records ?? [], groupBy, open);
      open = done || groupBy === "_id" ? undefined : groups.pop();
      if (groups.length > 0) yield groups.map(distinct);
      if (done) return;
      const last = groups.at(-1);
      if (last) how = { ...how, after: last.id };
    }
  } finally {
    await chunks?.return();
  }
}

/** Records by the group they are in, in the order in which the groups were first met; `open` is met already. */
export function groupRecords(
  records: readonly StoredRecord[],
  groupBy: string,
  open?: RecordGroup,
): RecordGroup[] {
  const groups = new Map<string, RecordGroup>(open && [[open.id, open]]);
  for (const item of records) {
    const id = keyOf(item, groupBy);
    const group = groups.get(id);
    if (group) group.records.push(item);
    else groups.set(id, { id, records: [item] });
  }
  return [...groups.values()];
}

/** A record that is rewritten during the walk may come twice: the order is of groups, not of records. */
function distinct({ id, records }: RecordGroup): RecordGroup {
  return { id, records: [...new Map(records.map((item) => [item._id, item])).values()] };
}

/** Asks for the next item before the one at hand is worked on, so that two stores work at the same time. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (let current = await next; !current.done; current = await next) {
      next = items.next();
      // A fault is told when the item is asked for.
      next.catch(() => undefined);
      yield current.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}

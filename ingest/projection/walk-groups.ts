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
 * All groups of an index, a chunk of about a thousand records at a time, in the order of their ids by the bytes of UTF-8:
 * a walk can continue behind the last id that it returned. Memory is that of two chunks and of the largest group. What is written during the walk may or may not be seen; a record that moves between groups
 * meanwhile may be seen in both or in neither.
 */
export async function* walkGroups(
  { scanner }: Pick<MongoStore, "scanner">,
  { record, groupBy }: Pick<IndexDefinition, "record" | "groupBy">,
  how: Walk = {},
): AsyncGenerator<RecordGroup[]> {
  const chunks = readAhead(scanner.scan(record, { sortBy: groupBy, ...how }));
  if (groupBy !== "_id") {
    yield* joinGroups(chunks, groupBy);
    return;
  }
  for await (const records of chunks) yield records.map((item) => ({ id: item._id, records: [item] }));
}

/** Records by the group they are in, in the order in which the groups were first met. */
export function groupRecords(records: StoredRecord[], groupBy: string): RecordGroup[] {
  const groups = new Map<string, StoredRecord[]>();
  for (const item of records) {
    const id = keyOf(item, groupBy);
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  return [...groups].map(([id, members]) => ({ id, records: members }));
}

/** The last group of a chunk waits for the next one, which may hold more of it. */
async function* joinGroups(
  chunks: AsyncGenerator<StoredRecord[]>,
  groupBy: string,
): AsyncGenerator<RecordGroup[]> {
  let open: RecordGroup | undefined;
  for await (const records of chunks) {
    const groups = groupRecords(records, groupBy);
    const [first] = groups;
    if (open && first?.id === open.id) {
      for (const item of first.records) open.records.push(item);
      groups[0] = open;
    } else if (open) {
      groups.unshift(open);
    }
    open = groups.pop();
    if (groups.length > 0) yield groups.map(distinct);
  }
  if (open) yield [distinct(open)];
}

/** A record that is rewritten during the walk may come twice: the order is of groups, not of records. */
function distinct({ id, records }: RecordGroup): RecordGroup {
  return { id, records: [...new Map(records.map((item) => [item._id, item])).values()] };
}

/** Asks for the next item before the one at hand is worked on, so that two stores work at the same time. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
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

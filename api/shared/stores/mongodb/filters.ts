/** Turns filters, members and budgets into MongoDB's queries and options, and splits very large queries. */
import type { Filter } from "../../definitions/record-reader.ts";
import type { Budget } from "../../runtime/deadlines.ts";

// Limit: values of one query. MongoDB refuses a query above 16 MB, some 400,000 ids of 27 characters.
const MOST_VALUES = 10_000;

/** A list of values means any of them. A list of one becomes that value, so that an index can also sort the result. */
export function toQuery(filter: Filter): Record<string, unknown> {
  const conditions = Object.entries(filter).map(([field, value]) => [
    field,
    typeof value === "object" && value.length !== 1 ? { $in: value } : [value].flat()[0],
  ]);
  return Object.fromEntries(conditions) as Record<string, unknown>;
}

/** The same without tombstones. These have no keys, so only filters without keys must exclude them. */
export function toLiveQuery(filter: Filter): Record<string, unknown> {
  return Object.keys(filter).every((field) => field === "_id")
    ? { ...toQuery(filter), gone: { $ne: true } }
    : toQuery(filter);
}

/** Filters that together match the same documents, each once. A filter of few values stays as it is. */
export function partsOfFilter(filter: Filter): Filter[] {
  let parts = [filter];
  for (const [field, value] of Object.entries(filter)) {
    if (typeof value !== "object" || value.length <= MOST_VALUES) continue;
    parts = parts.flatMap((part) => partsOf(value).map((values) => ({ ...part, [field]: values })));
  }
  return parts;
}

/** Splits values into lists that fit into one query, each value once. A list that fits stays as it is. */
export function partsOf<Value>(values: readonly Value[]): (readonly Value[])[] {
  if (values.length <= MOST_VALUES) return [values];
  const distinct = [...new Set(values)];
  const parts: Value[][] = [];
  for (let at = 0; at < distinct.length; at += MOST_VALUES) parts.push(distinct.slice(at, at + MOST_VALUES));
  return parts;
}

/** The option to read only these members and `_id`; none to read all. */
export function projectionOf(members: readonly string[] | undefined): { projection?: Record<string, 1> } {
  return members ? { projection: Object.fromEntries(members.map((member) => [member, 1])) } : {};
}

/**
 * The option by which the server ends a read at the deadline of its budget. We do not pass the signal: for an aborted
 * read the driver closes the connection, and it opens only two new ones at a time.
 */
export function boundsOf(budget: Budget | undefined) {
  return budget ? { maxTimeMS: budget.leftMs() } : {};
}

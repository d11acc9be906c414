/** Owns what a question is to MongoDB: its filter, members and budget, and its parts where it has very many values. */
import type { Filter } from "../../definitions/record-reader.ts";
import type { Budget } from "../../runtime/deadlines.ts";

// Limit: values of one question; MongoDB refuses one above 16 MB, some 400,000 ids of 27 characters.
const MOST_VALUES = 10_000;

/** A list of values means any of them; one of a single value is asked for by that, which indexes can sort behind. */
export function toQuery(filter: Filter): Record<string, unknown> {
  const conditions = Object.entries(filter).map(([field, value]) => [
    field,
    typeof value === "object" && value.length !== 1 ? { $in: value } : [value].flat()[0],
  ]);
  return Object.fromEntries(conditions) as Record<string, unknown>;
}

/** The same for records that are there. One that is gone has no keys, so only filters without keys must leave it out. */
export function toLiveQuery(filter: Filter): Record<string, unknown> {
  return Object.keys(filter).every((field) => field === "_id")
    ? { ...toQuery(filter), gone: { $ne: true } }
    : toQuery(filter);
}

/** Filters that together name what this one does, each document once; of few values it stays as it is. */
export function partsOfFilter(filter: Filter): Filter[] {
  let parts = [filter];
  for (const [field, value] of Object.entries(filter)) {
    if (typeof value !== "object" || value.length <= MOST_VALUES) continue;
    parts = parts.flatMap((part) => partsOf(value).map((values) => ({ ...part, [field]: values })));
  }
  return parts;
}

/** Values as lists that one question can hold. Of so few that one does they stay as they are, else each comes once. */
export function partsOf<Value>(values: readonly Value[]): (readonly Value[])[] {
  if (values.length <= MOST_VALUES) return [values];
  const distinct = [...new Set(values)];
  const parts: Value[][] = [];
  for (let at = 0; at < distinct.length; at += MOST_VALUES) parts.push(distinct.slice(at, at + MOST_VALUES));
  return parts;
}

/** The option that reads these members alone, and `_id`; all of them without any. */
export function projectionOf(members: readonly string[] | undefined): { projection?: Record<string, 1> } {
  return members ? { projection: Object.fromEntries(members.map((member) => [member, 1])) } : {};
}

/**
 * The option by which the server ends a read at the deadline of its budget; none without one. Not the signal: the driver closes
 * the connection of a read that it gives up, and opens only two at a time.
 */
export function boundsOf(budget: Budget | undefined) {
  return budget ? { maxTimeMS: budget.leftMs() } : {};
}

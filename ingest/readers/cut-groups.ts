/** Owns the cutting of rows into groups: those of a company, or of a person. Pure. */
import { isUnreadable, type ReadRow } from "./read-rows.ts";

/** Rows with equal keys that follow each other; one that could not be decoded belongs to the group before it. */
export function cutGroups<Row extends ReadRow>(
  rows: readonly Row[],
  keyOf: (text: string) => string,
): [Row, ...Row[]][] {
  const groups: [Row, ...Row[]][] = [];
  let key: string | undefined;
  for (const row of rows) {
    const rowKey = isUnreadable(row) ? key : keyOf(row.text);
    const last = groups.at(-1);
    if (last && rowKey === key) last.push(row);
    else groups.push([row]);
    key = rowKey;
  }
  return groups;
}

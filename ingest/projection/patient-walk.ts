/** Walks over everything that an index is built from, as work of hours needs it: the walk outlasts an outage of MongoDB. */
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { walkGroups, type RecordGroup, type Walk } from "./walk-groups.ts";

/**
 * All groups of an index, as `walkGroups` returns them. When MongoDB goes away it is waited for as the scanner does, and
 * the walk continues behind the last group that it returned whole. `members`: those that are read; absent: all.
 */
export async function* walkPatiently(
  { scanner }: Pick<MongoStore, "scanner">,
  index: Pick<IndexDefinition, "record" | "groupBy">,
  members?: readonly string[],
): AsyncGenerator<RecordGroup[]> {
  let walk: AsyncGenerator<RecordGroup[], void> | undefined;
  let how: Walk = members ? { members } : {};
  const next = async () => {
    walk ??= walkGroups({ scanner }, index, how);
    try {
      return await walk.next();
    } catch (error) {
      // It has ended by that: what is asked for next comes from another one.
      walk = undefined;
      throw error;
    }
  };
  try {
    for (;;) {
      const { done, value: groups } = await scanner.patiently(next);
      if (done || !groups) return;
      yield groups;
      const last = groups.at(-1);
      if (last) how = { ...how, after: last.id };
    }
  } finally {
    await walk?.return(undefined);
  }
}

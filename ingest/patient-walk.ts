/** Owns the walk over everything that an index is built from, as work of hours takes it: it outlasts an outage of MongoDB. */
import type { MongoStore } from "../api/core/stores/mongo.ts";
import type { IndexDefinition } from "../index-mappings/define-index.ts";
import { walkGroups, type RecordGroup, type Walk } from "./walk-groups.ts";

/** Some groups of the walk. */
export interface Stretch {
  groups: RecordGroup[];
  /**
   * True: the walk has begun anew with these groups, and what it gave before comes again. It happens once at most, and
   * only where each record is a group of its own.
   */
  isAnew: boolean;
}

/**
 * All groups of an index, as `walkGroups` gives them. When MongoDB goes away it is waited for as the scanner does, and
 * the walk goes on behind the last group that it gave whole. The order in which the store reads fastest has no such
 * place: that walk begins anew, now in the order of the ids. So the next outage costs nothing again, and a fault that
 * comes back at the same record ends the walk.
 */
export async function* walkPatiently(
  { scanner }: Pick<MongoStore, "scanner">,
  index: Pick<IndexDefinition, "record" | "groupBy">,
): AsyncGenerator<Stretch> {
  let walk: AsyncGenerator<RecordGroup[], void> | undefined;
  let how: Walk = {};
  let isInOrder = index.groupBy !== "_id";
  let isAnew = false;
  const next = async () => {
    walk ??= walkGroups({ scanner }, index, how);
    try {
      return await walk.next();
    } catch (error) {
      // It has ended by that: what is asked for next comes from another one.
      walk = undefined;
      if (!isInOrder) [how, isInOrder, isAnew] = [{ isSorted: true }, true, true];
      throw error;
    }
  };
  try {
    for (;;) {
      const { done, value } = await scanner.patiently(next);
      const groups = value ?? [];
      // Also when nothing is left: what came before counts no more.
      if (!done || isAnew) yield { groups, isAnew };
      if (done) return;
      isAnew = false;
      const last = groups.at(-1);
      if (isInOrder && last) how = { after: last.id };
    }
  } finally {
    await walk?.return(undefined);
  }
}

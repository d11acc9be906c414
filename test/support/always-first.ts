/** Chance for tests of the recall benchmark. */
import type { Random } from "../../scripts/bench/random.ts";

/** A "random" source that always picks the first value; a typing slip then leaves out the second letter. */
export const alwaysFirst: Random = { next: () => 0, below: () => 0, pick: ([value]) => value as never };

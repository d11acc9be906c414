/** Distinguishes tombstones from records: both are stored in the same collection. */

/** True for a tombstone. */
export function isTombstone<Item extends object>(item: Item): item is Extract<Item, { gone: true }> {
  return "gone" in item;
}

/** Owns the merging of a record that is held with what another source says of it. Pure. */
import { isMembers } from "../api/core/members.ts";

/**
 * What is held after a source has spoken that is the authority on the members it `tells` and on no others.
 * A told member takes the incoming value, absence included, unless the held one already says all of it and
 * more (the bulk file's address in capitals against the same address with its premises): the richer stays.
 * Of the other members the held value stays, and the incoming one fills a gap.
 */
export function mergeRecords(held: unknown, incoming: unknown, tells: readonly string[]): object {
  const before = held as Record<string, unknown>;
  const after = incoming as Record<string, unknown>;
  const told = tells.filter((member) => after[member] !== undefined);
  const merged = { ...after, ...withoutMembers(before, tells) };
  for (const member of told) {
    merged[member] = says(before[member], after[member]) ? before[member] : after[member];
  }
  return merged;
}

/** True when `rich` holds everything that `poor` does; letter case apart, which bulk files do not keep. */
function says(rich: unknown, poor: unknown): boolean {
  if (typeof rich === "string" && typeof poor === "string") return rich.toUpperCase() === poor.toUpperCase();
  if (Array.isArray(rich) && Array.isArray(poor)) {
    return rich.length === poor.length && poor.every((item, position) => says(rich[position], item));
  }
  if (isMembers(rich) && isMembers(poor)) {
    return Object.entries(poor).every(([member, value]) => says(rich[member], value));
  }
  return rich === poor;
}

function withoutMembers(
  record: Record<string, unknown>,
  members: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([member]) => !members.includes(member)));
}

/** Owns the rules by which a stored record is merged with what another source says of it. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Address } from "../../api/core/address.ts";
import { isMembers, type Members } from "../../api/core/members.ts";

/** What is to be held of one member, from what is held and what comes in of it and of the records; undefined: nothing. */
export type MemberMerge = (
  held: unknown,
  incoming: unknown,
  records: { held: Members; incoming: Members },
) => unknown;

/** The top-level members that a source tells, and how each is merged. */
export type Telling = Readonly<Record<string, MemberMerge>>;

/**
 * What is held after a source has spoken. Of a member that it does not tell the held value stays, and the incoming one
 * fills a gap. A tag that a source gave its content is left out once the content is another.
 */
export function mergeRecords(held: unknown, incoming: unknown, telling: Telling): object {
  const records = { held: held as Members, incoming: incoming as Members }; // both have obeyed a schema of objects
  const merged: Members = { ...records.incoming, ...records.held };
  for (const [member, merge] of Object.entries(telling)) {
    const value = merge(records.held[member], records.incoming[member], records);
    if (value === undefined) Reflect.deleteProperty(merged, member);
    else merged[member] = value;
  }
  const isTagHeld = merged.etag !== undefined && records.incoming.etag === undefined;
  if (isTagHeld && !isDeepStrictEqual(merged, records.held)) delete merged.etag;
  return merged;
}

/** The merge of a member that a source tells only when it gives a value; `merge` settles two values. */
export function given<Value>(merge: (held: Value, incoming: Value) => Value | undefined): MemberMerge {
  return (held, incoming) => {
    if (held === undefined || incoming === undefined) return incoming ?? held;
    return merge(held as Value, incoming as Value); // both have obeyed the schema
  };
}

/** The value that a source gives, unless what is held says all of it and more: the richer stays. */
export const value: MemberMerge = given(richer);

/** What the source says, absence included: it leaves nothing out. */
export const wholly: MemberMerge = (held, incoming) =>
  incoming === undefined ? undefined : richer(held, incoming);

/** Just what the source says, absence, nested absence and letter case included: it has all of it, in the API's own words. */
export const exactly: MemberMerge = (_held, incoming) => incoming;

/** One merge for each of these members. */
export function each(members: readonly string[], merge: MemberMerge): Telling {
  return Object.fromEntries(members.map((member) => [member, merge]));
}

/** As `value`, but what is stored goes once the two records show that it is over. */
export function until<Data>(isOver: (records: { held: Partial<Data>; incoming: Partial<Data> }) => boolean) {
  // The cast: both are records of the kind that the source tells.
  return where((records) => isOver(records as Parameters<typeof isOver>[0]), exactly);
}

/** Told wherever one of its companions is, absence included: they are one statement. */
export function besides(...companions: string[]): MemberMerge {
  return where(({ incoming }) => companions.some((member) => incoming[member] !== undefined), wholly);
}

/** One merge where the two records are so, else as `value`. */
function where(isSo: (records: Parameters<MemberMerge>[2]) => boolean, merge: MemberMerge): MemberMerge {
  return (held, incoming, records) => (isSo(records) ? merge : value)(held, incoming, records);
}

// Not the country: sources call that of one address by different names (United Kingdom, England).
const COMPARED = ["care_of", "po_box", "address_line_2", "locality", "region", "postal_code"] as const;

/** The merge of an address that a bulk file gives. */
export const address = given(mergeAddresses);

/**
 * The held address where the incoming one is the same, with what that has beyond it, else the incoming one: bulk files have
 * premises and street in one line, other letter case and marks.
 */
export function mergeAddresses(held: Address, incoming: Address): Address {
  const firstLineOf = ({ premises = "", address_line_1 = "" }: Address) => squeeze(premises + address_line_1);
  const firstLine = firstLineOf(incoming);
  const isAlike = firstLine !== "" && firstLine === firstLineOf(held);
  if (firstLine !== "" && !isAlike) return incoming;
  const agrees = COMPARED.every((member) => {
    const [before, after] = [held[member], incoming[member]];
    return after === undefined || (before === undefined ? isAlike : squeeze(before) === squeeze(after));
  });
  if (!agrees) return incoming;
  const beyond = { ...incoming };
  delete beyond.premises;
  delete beyond.address_line_1;
  return { ...beyond, ...held };
}

/** Letters and digits alone. */
function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** What is held where it says all that comes in, and perhaps more; else what comes in. */
export function richer<Value>(held: Value, incoming: Value): Value {
  return says(held, incoming) ? held : incoming;
}

/** True when `rich` holds everything that `poor` does; letter case apart, which bulk files do not keep. */
export function says(rich: unknown, poor: unknown): boolean {
  if (typeof rich === "string" && typeof poor === "string") return rich.toUpperCase() === poor.toUpperCase();
  if (Array.isArray(rich) && Array.isArray(poor)) {
    return rich.length === poor.length && poor.every((item, position) => says(rich[position], item));
  }
  if (isMembers(rich) && isMembers(poor)) {
    return Object.entries(poor).every(([member, value]) => says(rich[member], value));
  }
  return rich === poor;
}

/** True when both are known and differ. */
export function isAnother(held: string | undefined, told: string | undefined): boolean {
  return held !== undefined && told !== undefined && held !== told;
}

/** The rules by which a stored record is merged with an incoming one. Pure functions. */
import { isDeepStrictEqual } from "node:util";
import type { Address } from "../../api/shared/values/address.ts";
import { isMembers, type Members } from "../../api/shared/values/members.ts";

/** Merges the stored and the incoming value of one member; undefined: the merged record has none. */
export type MemberMerge = (
  stored: unknown,
  incoming: unknown,
  records: { stored: Members; incoming: Members },
) => unknown;

/** The top-level members that a source gives, and how each is merged. */
export type MemberRules = Readonly<Record<string, MemberMerge>>;

/**
 * Merges two records. An incoming member without a rule is used only if none is stored. A stored etag is dropped if the
 * content changes.
 */
export function mergeRecords(stored: unknown, incoming: unknown, rules: MemberRules): object {
  const records = { stored: stored as Members, incoming: incoming as Members }; // checked by the schema
  const merged: Members = { ...records.incoming, ...records.stored };
  for (const [member, merge] of Object.entries(rules)) {
    const value = merge(records.stored[member], records.incoming[member], records);
    if (value === undefined) Reflect.deleteProperty(merged, member);
    else merged[member] = value;
  }
  const isEtagStored = merged.etag !== undefined && records.incoming.etag === undefined;
  if (isEtagStored && !isDeepStrictEqual(merged, records.stored)) delete merged.etag;
  return merged;
}

/** For a member whose absence means nothing; `merge` decides between two values. */
export function given<Value>(merge: (stored: Value, incoming: Value) => Value | undefined): MemberMerge {
  return (stored, incoming) => {
    if (stored === undefined || incoming === undefined) return incoming ?? stored;
    return merge(stored as Value, incoming as Value); // checked by the schema
  };
}

/** The incoming value, unless the stored one says the same or more. */
export const value: MemberMerge = given(richer);

/** As `value`, but an absent value removes the stored one: the source leaves nothing out. */
export const wholly: MemberMerge = (stored, incoming) =>
  incoming === undefined ? undefined : richer(stored, incoming);

/** The incoming value as it is: the source has every member, in the API's own words and letter case. */
export const exactly: MemberMerge = (_stored, incoming) => incoming;

/** The same rule for each of these members. */
export function each(members: readonly string[], merge: MemberMerge): MemberRules {
  return Object.fromEntries(members.map((member) => [member, merge]));
}

/** As `value`, but the stored value is dropped once the two records show that it no longer holds. */
export function until<Data>(
  isOver: (records: { stored: Partial<Data>; incoming: Partial<Data> }) => boolean,
) {
  // The cast: both are records of the source's kind.
  return where((records) => isOver(records as Parameters<typeof isOver>[0]), exactly);
}

/** As `wholly` if the source gives one of the companions, since they belong together; else as `value`. */
export function besides(...companions: string[]): MemberMerge {
  return where(({ incoming }) => companions.some((member) => incoming[member] !== undefined), wholly);
}

function where(isSo: (records: Parameters<MemberMerge>[2]) => boolean, merge: MemberMerge): MemberMerge {
  return (stored, incoming, records) => (isSo(records) ? merge : value)(stored, incoming, records);
}

// Without the country: for one address sources give different names of it (United Kingdom, England).
const COMPARED = ["care_of", "po_box", "address_line_2", "locality", "region", "postal_code"] as const;

export const address = given((stored: Address, incoming: Address) => mergeAddresses(stored, incoming));

/** As `address`, but an absent address, or part of it, counts: the source leaves nothing out. */
export const wholeAddress: MemberMerge = (stored, incoming) =>
  stored && incoming ? mergeAddresses(stored, incoming, true) : incoming;

/**
 * The stored address, with what the incoming one adds, if both are the same address; else the incoming one.
 * Bulk files have premises and street in one line, and other letter case and punctuation. `isWhole`: if the incoming
 * address lacks a part of the stored one, it is another address.
 */
function mergeAddresses(stored: Address, incoming: Address, isWhole = false): Address {
  const [before, after] = [partsOf(stored), partsOf(incoming)];
  const isAlike = after[0] !== "" && after[0] === before[0];
  const agrees = after.every((part, at) => {
    if (part === "") return !isWhole || before[at] === "";
    return before[at] === "" ? isAlike : before[at] === part;
  });
  if (!agrees) return incoming;
  const beyond = { ...incoming };
  delete beyond.premises;
  delete beyond.address_line_1;
  return { ...beyond, ...stored };
}

/** The first line, then the others. */
function partsOf(address: Address): string[] {
  const { premises = "", address_line_1 = "" } = address;
  return [premises + address_line_1, ...COMPARED.map((member) => address[member] ?? "")].map(squeeze);
}

/** Only letters and digits; a box is the same with and without the words PO BOX (bulk formats 1.2). */
function squeeze(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/^POBOX/, "");
}

/** The stored value if it says all that the incoming one does, else the incoming one. */
export function richer<Value>(stored: Value, incoming: Value): Value {
  return says(stored, incoming) ? stored : incoming;
}

/** True when `rich` has everything that `poor` has. Letter case does not count: bulk files do not keep it. */
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
export function isAnother(stored: string | undefined, incoming: string | undefined): boolean {
  return stored !== undefined && incoming !== undefined && stored !== incoming;
}

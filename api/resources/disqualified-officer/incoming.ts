/** Owns the mapping of an API-shaped disqualification (`disqualified-officer-natural`, `-corporate`) to the stored one. */
import { isMembers, type Members } from "../../core/members.ts";
import { NO_MEMBER } from "../../core/unknown-members.ts";
import type { IncomingResource } from "../incoming-resource.ts";
import { convert, dropEmpty } from "../loose-members.ts";
import type { DisqualifiedOfficer } from "./members.ts";

/** Members that only one kind has. */
export interface MembersByKind {
  natural: readonly string[];
  corporate: readonly string[];
}

/** The stored officer, under the id that the API gives it. Throws RecordError. */
export function normaliseIncomingOfficer(
  { kind, id, data }: IncomingResource,
  own: MembersByKind,
  warn: (warning: string) => void,
): DisqualifiedOfficer {
  const isCorporate = kind.endsWith("-corporate");
  const members: Members = { ...data };
  // Derived from kind and id.
  delete members.links;
  for (const member of isCorporate ? own.natural : own.corporate) {
    if (members[member] === undefined) continue;
    warn(`${member}: ${NO_MEMBER}, ignored`);
    delete members[member];
  }
  // The record's schema checks members that are only copied.
  return {
    ...convert(members, "disqualifications", normaliseDisqualifications),
    officer_id: id,
    kind: isCorporate ? "corporate-disqualification" : "natural-disqualification",
  } as DisqualifiedOfficer;
}

/** Latest first, which is the order of the answers. */
function normaliseDisqualifications(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const disqualifications = value.map((item: unknown) =>
    isMembers(item)
      ? convert(dropEmpty(item, "last_variation"), "last_variation", (given) => latestOf(given, "varied_on"))
      : item,
  );
  return disqualifications.sort(byLatest("disqualified_from"));
}

/** The published schema has a list of variations, live answers have only the latest. */
function latestOf(value: unknown, member: string): unknown {
  return Array.isArray(value) ? ([...(value as unknown[])].sort(byLatest(member))[0] ?? value) : value;
}

function byLatest(member: string): (a: unknown, b: unknown) => number {
  const dayOf = (value: unknown) => (isMembers(value) ? textOf(value[member]) : "");
  return (a, b) => dayOf(b).localeCompare(dayOf(a));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Owns the mapping of API-shaped registers to the stored ones: derived members are left out. */
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { asList, asMembers, convert, dropDerived, dropSelfLink, type Members } from "../loose-members.ts";
import type { CompanyRegisters } from "./members.ts";

/** Links to lists of this API, rebuilt at read; both spellings of the LLP's occur. */
export const DERIVED_LINKS = [
  "directors_register",
  "secretaries_register",
  "persons_with_significant_control_register",
  "llp_members",
  "llp_members_register",
];

/** The registers to store; the record's schema checks them afterwards. Throws RecordError. */
export function normaliseRegisters(resource: IncomingResource): CompanyRegisters {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "kind", ["registers"]);
  const content = convert(dropSelfLink(own), "registers", normaliseEach);
  // The cast: the record's schema checks it afterwards.
  return { ...dropDerived(content, "company_number", [company_number]), company_number } as CompanyRegisters;
}

function normaliseEach(value: unknown): Members {
  const registers = Object.entries(asMembers(value, "registers"));
  const moved = registers.map(([name, register]) => [name, normaliseRegister(name, register)] as const);
  // A register without a move states nothing: answers show it only because the published schema requires it.
  return Object.fromEntries(moved.filter(([, { items }]) => !Array.isArray(items) || items.length > 0));
}

function normaliseRegister(name: string, value: unknown): Members {
  const given = asMembers(value, `registers.${name}`);
  const register = dropDerived(given, "register_type", [name.replaceAll("_", "-"), name]);
  const { links, ...rest } = convert(register, "items", (items) => asList(items).toSorted(compareMoves));
  if (links === undefined) return rest;
  const others = Object.entries(asMembers(links, `registers.${name}.links`)).filter(
    ([link]) => !DERIVED_LINKS.includes(link),
  );
  return others.length > 0 ? { ...rest, links: Object.fromEntries(others) } : rest;
}

/** Newest first. */
function compareMoves(a: unknown, b: unknown): number {
  return movedOn(b).localeCompare(movedOn(a));
}

function movedOn(move: unknown): string {
  const { moved_on } = (move ?? {}) as { moved_on?: unknown };
  return typeof moved_on === "string" ? moved_on : "";
}

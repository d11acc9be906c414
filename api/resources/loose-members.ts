/** Owns the loose forms of API-shaped members: one item or a list of one, links and kind beside the content. */
import { RecordError } from "../core/errors.ts";
import { isMembers, type Members } from "../core/members.ts";

export type { Members };

/** An object, also when it comes as a list of one; published schemas and live answers differ here. */
export function asMembers(value: unknown, field: string): Members {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isMembers(only)) throw new RecordError("is not an object", field);
  return { ...only };
}

/** A list, also when its only item comes without the list. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** The members without one that the record's address already states: refused when it names another record. */
export function dropDerived(members: Members, member: string, values: readonly string[]): Members {
  const { [member]: value, ...rest } = members;
  if (value === undefined || values.includes(value as string)) return rest;
  throw new RecordError(`must be ${values.join(" or ")}`, member);
}

/** The members without `links.self`; the record's schema checks the remaining links. */
export function dropSelfLink(members: Members): Members {
  const { links, ...rest } = members;
  if (links === undefined) return rest;
  const others = Object.entries(asMembers(links, "links")).filter(([link]) => link !== "self");
  return others.length > 0 ? { ...rest, links: Object.fromEntries(others) } : rest;
}

/** The members with one of them converted, if it is present. */
export function convert(members: Members, member: string, form: (value: unknown) => unknown): Members {
  return members[member] === undefined ? members : { ...members, [member]: form(members[member]) };
}

/** The members without one that is an empty list or an empty object: it states nothing. */
export function dropEmpty(members: Members, member: string): Members {
  const { [member]: value, ...rest } = members;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty ? rest : members;
}

/** Ids and hashes that are derived from content, so that a repeated load gets the same ones. */
import { hash } from "node:crypto";

/**
 * A stable id in the form that the API uses, for records whose file has no id: 27 characters of `[A-Za-z0-9_-]`, the
 * unpadded base64url of a SHA-1 of kind and parts. With the kind in it, equal keys of two kinds give different ids.
 */
export function deriveId(kind: string, ...parts: string[]): string {
  return hash("sha1", [kind, ...parts].join("|"), "base64url");
}

/**
 * SHA-1 of a value's canonical JSON, 40 lower-case hex digits. Members are sorted by name and absent ones
 * left out, so that two ways of building the same record give the same hash.
 */
export function contentHash(value: unknown): string {
  return hash("sha1", JSON.stringify(sortMembers(value) ?? null), "hex");
}

const hashes = new WeakMap<object, string>();

/** As `contentHash`, computed once per object, which must not change: a row is compared first, then written. */
export function hashOnce(value: object): string {
  const hashed = hashes.get(value) ?? contentHash(value);
  hashes.set(value, hashed);
  return hashed;
}

/** Members whose value is undefined stay; `JSON.stringify` leaves them out. */
function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const sorted: Record<string, unknown> = {};
  for (const name of sortNames(Object.keys(value))) {
    const member = (value as typeof sorted)[name];
    sorted[name] = typeof member === "object" ? sortMembers(member) : member;
  }
  return sorted;
}

/**
 * Sorts names in place. It is an insertion sort, because the built-in sort allocates working lists: an eighth of all
 * the memory that loading a row took. Objects in records have at most about 40 members.
 */
function sortNames(names: string[]): string[] {
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] ?? "";
    let place = at;
    for (; place > 0 && (names[place - 1] ?? "") > name; place -= 1) names[place] = names[place - 1] ?? "";
    names[place] = name;
  }
  return names;
}

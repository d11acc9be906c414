/** Owns ids that the bulk files lack: derived from the record's own key, so that a rerun finds them again. */
import { hash } from "node:crypto";

/**
 * A stable id of the shape the API uses: 27 characters of `[A-Za-z0-9_-]`, the unpadded base64url of a
 * SHA-1 over the parts. The first part names the kind, so that equal keys of two kinds differ.
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

/** The same of an object that is not changed afterwards: computed once, where a row is compared and then written. */
export function hashOnce(value: object): string {
  const hashed = hashes.get(value) ?? contentHash(value);
  hashes.set(value, hashed);
  return hashed;
}

/** The JSON of it leaves absent members out. */
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
 * Names in order, in the same list. By insertion: the engine's own sort makes lists to work with, an eighth of all the memory that a
 * row took. Objects of records have some 40 members at most.
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

/** Owns ids that the bulk files lack: derived from the record's own key, so that a rerun finds them again. */
import { createHash } from "node:crypto";

/**
 * A stable id of the shape the API uses: 27 characters of `[A-Za-z0-9_-]`, the unpadded base64url of a
 * SHA-1 over the parts. The first part names the kind, so that equal keys of two kinds differ.
 */
export function deriveId(kind: string, ...parts: string[]): string {
  return createHash("sha1")
    .update([kind, ...parts].join("|"))
    .digest("base64url");
}

/** SHA-1 of a value's canonical JSON (members sorted by name), 40 lower-case hex digits. */
export function contentHash(value: unknown): string {
  return createHash("sha1").update(canonicalJson(value)).digest("hex");
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member) ? sortMembers(member) : member,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Owns the text of JSON lines: escapes for characters that the stores cannot hold as they are. Pure. */
import { RecordError } from "../../api/core/errors.ts";

// The two escapes that may stand for such a character; nearly no line has one, so that few values are looked through.
const DOUBTFUL = /\\u(?:0000|d[89a-f])/i;

/**
 * Throws RecordError, with the member, when a text in a parsed line holds a NUL or half a character (a surrogate
 * that stands alone): one store would refuse the whole batch, the other would keep a replacement character.
 */
export function requireStorable(line: string, value: unknown): void {
  if (DOUBTFUL.test(line)) requireTexts(value, "");
}

function requireTexts(value: unknown, path: string): void {
  if (typeof value === "string") return requireText(value, path);
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    requireText(name, path);
    requireTexts(member, path === "" ? name : `${path}.${name}`);
  }
}

function requireText(text: string, path: string): void {
  if (text.includes("\0")) throw new RecordError("holds a NUL character (\\u0000)", path);
  if (hasHalf(text))
    throw new RecordError("holds half a character (a surrogate without its other half)", path);
}

function hasHalf(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Owns bytes and rows as a person can read them: what is no text, or would steer the terminal, is marked. Pure. */
import { isUtf8 } from "node:buffer";

// Everything that a terminal takes as an order; line breaks and tabs are harmless.
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text with its control characters marked: `⟨1B⟩`. */
export function showText(text: string): string {
  return text.replace(CONTROLS, (character) => mark(character.charCodeAt(0)));
}

/** Bytes as UTF-8, with each byte that is none marked: `caf⟨E9⟩`. */
export function showBytes(bytes: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const character = bytes.subarray(at, at + lengthOf(bytes[at] ?? 0));
    const isText = isUtf8(character);
    parts.push(isText ? showText(character.toString("utf8")) : mark(bytes[at] ?? 0));
    at += isText ? character.length : 1;
  }
  return parts.join("");
}

/** Bytes of the character that begins with this one. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function mark(byte: number): string {
  return `⟨${byte.toString(16).toUpperCase().padStart(2, "0")}⟩`;
}

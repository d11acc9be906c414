/** Owns bytes and rows as a person can read them: what is no text, or would steer the terminal, is marked. Pure. */
import { isUtf8 } from "node:buffer";

// Everything that a terminal takes as an order; line breaks and tabs are harmless.
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// What may be one character of UTF-8, or else one byte.
const CHARACTERS = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[^]/g;

/** Text with its control characters marked: `⟨1B⟩`. */
export function showText(text: string): string {
  return text.replace(CONTROLS, mark);
}

/** Bytes as UTF-8, with each byte that is none marked: `caf⟨E9⟩`. */
export function showBytes(bytes: Buffer): string {
  return bytes.toString("latin1").replace(CHARACTERS, (found) => {
    const character = Buffer.from(found, "latin1");
    return isUtf8(character) ? showText(character.toString()) : [...found].map(mark).join("");
  });
}

function mark(byte: string): string {
  return `⟨${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}⟩`;
}

/** Owns Windows-1252, of which Latin-1 is mostly the other name: bytes to text and back, and UTF-8 that was read as it. Pure. */
import { isUtf8 } from "node:buffer";

// What it has in place of the controls of Latin-1, U+0080 to U+009F; the rest is the same.
const OF_WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const CONTROL = /[\x80-\x9f]/g;
const SIGN_OF_WINDOWS = new RegExp(`[${OF_WINDOWS}]`, "g");

/** The text of bytes; no file has the controls. */
export function fromWindows(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(CONTROL, (control) => OF_WINDOWS.charAt(control.charCodeAt(0) - 0x80));
}

/** The bytes that `fromWindows` has read. */
export function toWindows(text: string): Buffer {
  const toControl = (sign: string) => String.fromCharCode(0x80 + OF_WINDOWS.indexOf(sign));
  return Buffer.from(text.replace(SIGN_OF_WINDOWS, toControl), "latin1");
}

// Of names: with a curly apostrophe behind it É is a letter of UTF-8, too, U+0252.
const LETTERS_AND_SIGNS = /^[\x20-\x7e\xa0-\u017f\u0218-\u021b\u1e80-\u1ef3\u2010-\u2122]*$/;

/** UTF-8 that was read as Windows-1252, `MÃ¼ller`, read back; the text unchanged where not all of it is. */
export function readBack(text: string): string {
  const bytes = toWindows(text);
  if (!isUtf8(bytes) || fromWindows(bytes) !== text) return text;
  const read = bytes.toString();
  return LETTERS_AND_SIGNS.test(read) ? read : text;
}

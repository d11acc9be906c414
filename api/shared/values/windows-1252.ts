/** Windows-1252, often called Latin-1: decodes and encodes it, and repairs UTF-8 that was read as it. Pure. */

// The characters that it has in place of the control characters of Latin-1, U+0080 to U+009F; the rest is the same.
const OF_WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const CONTROL = /[\x80-\x9f]/g;
const SIGN_OF_WINDOWS = new RegExp(`[${OF_WINDOWS}]`, "g");

/** Decodes bytes. Files that claim to be Latin-1 are read the same way, as none has its control characters. */
export function fromWindows(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replace(CONTROL, (control) => OF_WINDOWS.charAt(control.charCodeAt(0) - 0x80));
}

/** The inverse of `fromWindows`. */
export function toWindows(text: string): Buffer {
  const toControl = (sign: string) => String.fromCharCode(0x80 + OF_WINDOWS.indexOf(sign));
  return Buffer.from(text.replace(SIGN_OF_WINDOWS, toControl), "latin1");
}

// The characters that occur in names. U+FFFD, which stands for bytes that are not UTF-8, is none of them. Without this
// check, É and a curly apostrophe would become the letter U+0252, as their two bytes are valid UTF-8.
const LETTERS_AND_SIGNS = /^[\x20-\x7e\xa0-\u017f\u0218-\u021b\u1e80-\u1ef3\u2010-\u2122]*$/;

/** Repairs UTF-8 that was read as Windows-1252: `MÃ¼ller` is `Müller`. Returns other texts unchanged. */
export function repairMisreadUtf8(text: string): string {
  const bytes = toWindows(text);
  if (fromWindows(bytes) !== text) return text;
  const read = bytes.toString();
  return LETTERS_AND_SIGNS.test(read) ? read : text;
}

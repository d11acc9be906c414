/** Owns folding: any spelling of a text to plain upper-case letters (rules O1 to O3 of the search reference). */

// Letters that do not decompose into a letter and a mark. `ß` is SS already once it is upper case.
const LETTERS: Record<string, string> = {
  Æ: "AE",
  Œ: "OE",
  Ø: "O",
  Đ: "D",
  Ð: "D",
  Ł: "L",
  Þ: "TH",
  ẞ: "SS",
  Ħ: "H",
  Ŧ: "T",
  Ŋ: "N",
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

// Register names are nearly all ASCII: these skip four passes over the text.
const IS_PLAIN = /^[\x20-\x7E]*$/;
// Compatibility normalisation would turn the acute accent into a space and a mark, so it goes first.
const ACUTE = /´/g;
const APOSTROPHES = /[‘’‚‛′`ʹʻʼˈ]/g;
const DASHES = /[\p{Pd}−]/gu;
// Marks of accents, and characters that show nothing (soft hyphen, zero-width space, byte order mark).
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/**
 * A text in upper case without accents, its apostrophes and dashes the plain ones, no white space at its
 * ends. Letters of other alphabets stay.
 */
export function foldText(text: string): string {
  if (IS_PLAIN.test(text)) return text.toUpperCase().replaceAll("`", "'").trim();
  return text
    .replace(ACUTE, "'")
    .normalize("NFKC")
    .toUpperCase()
    .normalize("NFD")
    .replace(UNSEEN, "")
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .replace(APOSTROPHES, "'")
    .replace(DASHES, "-")
    .trim();
}

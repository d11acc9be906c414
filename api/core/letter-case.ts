/** Owns letter case: upper-case register text to the mixed case that the API shows. */

// Words that stay small inside a text, and short forms that stay large.
const SMALL_WORDS = new Set(["of", "and", "the", "upon", "on", "in", "under", "by", "le", "de", "la"]);
const LARGE_WORDS = new Set(["UK", "USA", "UAE", "PO", "II", "III", "IV", "BFPO"]);

/**
 * `165 IMAGINARY LANE` to `165 Imaginary Lane`, `KING'S LYNN` to `King's Lynn`, `O'BRIEN` to `O'Brien`.
 * A text that already holds lower-case letters is returned as it is.
 */
export function toTitleCase(text: string): string {
  if (/\p{Ll}/u.test(text)) return text;
  return text.replace(/[\p{L}\p{M}\p{N}'’]+/gu, (word, offset: number) => titleWord(word, offset === 0));
}

function titleWord(word: string, isFirst: boolean): string {
  if (LARGE_WORDS.has(word) || /\d/.test(word)) return word;
  const lower = word.toLowerCase();
  if (!isFirst && SMALL_WORDS.has(lower)) return lower;
  // O'BRIEN and D'ARCY: a single letter before the apostrophe makes the next one a capital; KING'S does not.
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
  return capital.replace(
    /^(\p{L}['’])(\p{L})/u,
    (_all, start: string, next: string) => start + next.toUpperCase(),
  );
}

/** Owns the splitting of a folded text into words: separators, dropped signs, and signs that are words. */

// Rule O7: signs that are written as words.
const SIGNS: Record<string, string> = {
  "&": "AND",
  "+": "PLUS",
  "@": "AT",
  "£": "POUND",
  $: "DOLLAR",
  "€": "EURO",
  "¥": "YEN",
  "%": "PERCENT",
};
const WORD_OR_SIGN = /[\p{L}\p{N}]+|[&+@£$€¥%]/gu;
// The same for text without other letters, three times as fast.
const PLAIN_WORD_OR_SIGN = /[A-Z0-9]+|[&+@$%]/g;
const IS_PLAIN = /^[\x20-\x7E]*$/;
const IS_LETTER = /^\p{L}$/u;

/**
 * The words of a folded text in order. Apostrophes vanish (`ODELLA'S` is one word), signs become words,
 * everything else that is not a letter or digit separates.
 */
export function splitWords(folded: string): string[] {
  const text = folded.includes("'") ? folded.replaceAll("'", "") : folded;
  const found = text.match(IS_PLAIN.test(text) ? PLAIN_WORD_OR_SIGN : WORD_OR_SIGN) ?? [];
  // Signs are single characters: looking every word up cost a third of the splitting.
  return found.map((word) => (word.length === 1 ? (SIGNS[word] ?? word) : word));
}

/** Joins runs of two or more single letters: `H W Q PLUMBING` and `H.W.Q. PLUMBING` to `HWQ PLUMBING`. */
export function joinInitials(words: string[]): string[] {
  if (!words.some((word, index) => isInitial(word) && isInitial(words[index + 1]))) return words;
  const joined: string[] = [];
  let run = "";
  for (const word of words) {
    if (isInitial(word)) {
      run += word;
      continue;
    }
    if (run) joined.push(run);
    run = "";
    joined.push(word);
  }
  return run ? [...joined, run] : joined;
}

function isInitial(word: string | undefined): boolean {
  return word?.length === 1 && IS_LETTER.test(word);
}

/** The form in which texts are compared: folded to plain upper-case letters, and split into words (rules O1 to O7). */

// Letters that do not decompose into a letter and a mark. `ß` is missing: upper case makes it SS.
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

// Nearly all names of the register are ASCII; for these, several passes over the text are skipped.
const IS_PLAIN = /^[\x20-\x7E]*$/;
// Compatibility normalisation would turn the acute accent into a space and a mark, so it is replaced before.
const ACUTE = /´/g;
const APOSTROPHES = /[‘’‚‛′`ʹʻʼˈ]/g;
const DASHES = /[\p{Pd}−]/gu;
// Signs of a trade or service mark, which compatibility normalisation would turn into the letters TM and SM.
const MARKS_OF_TRADE = /[™℠]/g;
// Marks of accents, and characters that show nothing (soft hyphen, zero-width space, byte order mark).
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/**
 * A text in upper case without accents, with plain apostrophes and dashes, and without white space at its ends. Letters
 * of other alphabets stay.
 */
export function foldText(text: string): string {
  if (IS_PLAIN.test(text)) return text.toUpperCase().replaceAll("`", "'").trim();
  return text
    .replace(ACUTE, "'")
    .replace(MARKS_OF_TRADE, "")
    .normalize("NFKC")
    .toUpperCase()
    .normalize("NFD")
    .replace(UNSEEN, "")
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .replace(APOSTROPHES, "'")
    .replace(DASHES, "-")
    .trim();
}

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
// The same for ASCII text, three times as fast.
const PLAIN_WORD_OR_SIGN = /[A-Z0-9]+|[&+@$%]/g;
const IS_LETTER = /^\p{L}$/u;

/**
 * The words of a folded text in order. Apostrophes vanish (`ODELLA'S` is one word), signs become words,
 * everything else that is not a letter or digit separates.
 */
export function splitWords(folded: string): string[] {
  const text = withoutApostrophes(folded);
  const found = text.match(wordOrSign(text)) ?? [];
  // Signs are single characters: looking every word up cost a third of the splitting.
  return found.map((word) => (word.length === 1 ? (SIGNS[word] ?? word) : word));
}

function withoutApostrophes(folded: string): string {
  return folded.includes("'") ? folded.replaceAll("'", "") : folded;
}

function wordOrSign(text: string): RegExp {
  return IS_PLAIN.test(text) ? PLAIN_WORD_OR_SIGN : WORD_OR_SIGN;
}

/** The words of a text in the form that is compared; initials are not joined. No words without a text. */
export function wordsOf(text: string | undefined): string[] {
  return text ? splitWords(foldText(text)) : [];
}

/** True when the words end with the others and something precedes them. */
export function endsWith(words: string[], others: string[]): boolean {
  const start = words.length - others.length;
  return start > 0 && others.every((other, index) => words[start + index] === other);
}

const BRACKET = /[()[\]{}]/;
const SPACE = /\s/;

/**
 * Joins runs of two or more single letters: `H W Q PLUMBING` and `H.W.Q. PLUMBING` to `HWQ PLUMBING`. `offset`: how
 * many words the folded text has before the given ones.
 */
export function joinInitials(words: string[], folded: string, offset = 0): string[] {
  if (!words.some((word, index) => isInitial(word) && isInitial(words[index + 1]))) return words;
  const ends = endsOfInitials(folded);
  const joined: string[] = [];
  let run = "";
  for (const [index, word] of words.entries()) {
    if (run && (!isInitial(word) || ends.has(offset + index - 1))) {
      joined.push(run);
      run = "";
    }
    if (isInitial(word)) run += word;
    else joined.push(word);
  }
  return run ? [...joined, run] : joined;
}

/**
 * Positions of words after which a run of initials ends: at a bracket, and at a space beside letters with only dots
 * between them, which are a run of their own. `H & R (U.K.)` has the initials U.K., and `B & Q P.L.C. LEEDS` has P.L.C.
 */
function endsOfInitials(folded: string): Set<number> {
  const text = withoutApostrophes(folded);
  const found = [...text.matchAll(wordOrSign(text))];
  const gaps = found.map(({ 0: word, index }, place) =>
    text.slice(index + word.length, found[place + 1]?.index),
  );
  const isDotted = (place: number) =>
    gaps[place] === "." && isInitial(found[place]?.[0]) && isInitial(found[place + 1]?.[0]);
  const isTight = (place: number) => isDotted(place - 1) || isDotted(place);
  const isEnd = (gap: string, place: number) =>
    BRACKET.test(gap) || (SPACE.test(gap) && (isTight(place) || isTight(place + 1)));
  return new Set(gaps.flatMap((gap, place) => (isEnd(gap, place) ? [place] : [])));
}

function isInitial(word: string | undefined): boolean {
  return word?.length === 1 && IS_LETTER.test(word);
}

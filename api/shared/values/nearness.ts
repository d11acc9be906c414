/**
 * Owns the nearness of words as the tolerant tiers see it: how many letters are changed, left out, put in or swapped between
 * two of them, and the forms of a word by which the words near it are found.
 *
 * A form is the beginning of a word with a letter or two left out. Leaving out as many letters of either word as there are
 * edits between them makes the two equal (symmetric deletion): words that are near each other share a form.
 */

/** Most edits between words, or whole keys, that are near. */
export const MOST_EDITS = 2;

// Edit distance (search reference, tier 11): none below three letters, one from three, two from six.
const ONE_EDIT_FROM = 3;
const TWO_EDITS_FROM = 6;

const BEYOND_16_BITS = /[\uD800-\uDFFF]/;

// Tuned: with 8 letters a word has 31 forms, and of 275,000 English words 32 share one with a slip, of which 6 are near it.
// With 7 there were 85, with 10 there are 11 and 40 forms.
const LETTERS = 8;
/** Shorter forms would be shared by too many words, and shorter words are near none. */
export const LEAST_LETTERS = 2;
/** Limit: a longer word is found as it is spelt only; no word of a name has as many letters. */
export const WORD_LETTERS = 64;
/** Limit: words found by their forms at once; more would have to be slips of sixteen words with many neighbours. */
export const MOST_FOUND = 5_000;
// A shorter word is within two edits only of words that have more letters, and these leave the second one out.
const BOTH_EDITS_FROM = 6;

/** Edits that a word of this length may have. */
export function editsAllowed(word: string): number {
  return editsAllowedOf(lettersOf(word).length);
}

/** True for a letter alone, which may stand for a forename. */
export function isInitial(word: string): boolean {
  return lettersOf(word).length === 1;
}

/** True when the words are within the edits that the first may have. */
export function isNear(word: string, other: string): boolean {
  return editsWhereNear(word, other) < Infinity;
}

/** Edits between two words that are within the edits that the first may have; else Infinity. */
export function editsWhereNear(word: string, other: string): number {
  if (word === other) return 0;
  return editDistance(word, other, editsAllowedOf(lettersOf(word).length));
}

/** The same for a word of a search, in which the other of PROPERTY and PROPERTIES is one edit away. */
export function editsWhereSought(word: string, other: string): number {
  return otherNumberOf(word) === other ? 1 : editsWhereNear(word, other);
}

// Only of words in which two edits are forgiven: S or no S are one.
const NUMBER_BY_Y = /^([A-Z]{4,}[^AEIOU])(Y|IES)$/;

/** The plural of a long word with a Y behind a consonant, or the singular of one with IES. */
function otherNumberOf(word: string): string | null {
  const [, stem, ending] = NUMBER_BY_Y.exec(word) ?? [];
  return stem === undefined ? null : stem + (ending === "Y" ? "IES" : "Y");
}

const BITS = 32;

/** The letters of a word as bits, several letters sharing one: an edit changes two bits at the most. */
export function letterBits(word: string): number {
  let bits = 0;
  for (const letter of word) bits |= 1 << ((letter.codePointAt(0) ?? 0) % BITS);
  return bits;
}

/** False where words of these letters cannot be within so many edits; true where they may be. */
export function mayBeWithin(most: number, bits: number, others: number): boolean {
  let differing = bits ^ others;
  let changed = 0;
  for (; differing !== 0; changed += 1) differing &= differing - 1;
  return changed <= 2 * most;
}

/** Edits that turn one word into the other; a swap of neighbours counts one. More than `most` are Infinity. */
export function editDistance(word: string, other: string, most = Infinity): number {
  const [a, b] = [lettersOf(word), lettersOf(other)];
  if (Math.abs(a.length - b.length) > most) return Infinity;
  // What both begin and end with takes no part; of near words that is most of them.
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const between = (letters: ArrayLike<string>) => ({ letters, start, length: letters.length - start - end });
  return countEdits(between(a), between(b), most);
}

interface Part {
  letters: ArrayLike<string>;
  start: number;
  length: number;
}

function countEdits(a: Part, b: Part, most: number): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  let fewestBefore = 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    const [letter, before] = [a.letters[a.start + row - 1], a.letters[a.start + row - 2]];
    let fewest = row;
    for (let column = 1; column <= b.length; column += 1) {
      const other = b.letters[b.start + column - 1];
      const otherBefore = b.letters[b.start + column - 2];
      const change = at(previous, column - 1) + (letter === other ? 0 : 1);
      const isSwap = row > 1 && column > 1 && letter === otherBefore && before === other;
      const swap = isSwap ? at(twoBack, column - 2) + 1 : Infinity;
      const edits = Math.min(change, swap, at(previous, column) + 1, at(current, column - 1) + 1);
      current.push(edits);
      fewest = Math.min(fewest, edits);
    }
    // A swap looks two rows back; what both have in excess no later row makes good.
    if (fewest > most && fewestBefore > most) return Infinity;
    fewestBefore = fewest;
    [twoBack, previous] = [previous, current];
  }
  const edits = at(previous, b.length);
  return edits <= most ? edits : Infinity;
}

function editsAllowedOf(letters: number): number {
  if (letters < ONE_EDIT_FROM) return 0;
  return letters < TWO_EDITS_FROM ? 1 : MOST_EDITS;
}

/** Letters as the engine counts them: one beyond sixteen bits is one. A word without such is its own list. */
function lettersOf(word: string): ArrayLike<string> {
  return BEYOND_16_BITS.test(word) ? [...word] : word;
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}

/** The forms under which a word of the register is kept: those of any slip that may mean it. */
export function formsOfWord(word: string): string[] {
  const letters = [...word];
  return leaveOut(letters, letters.length < BOTH_EDITS_FROM ? 1 : MOST_EDITS);
}

/** The forms by which the words that are near a typed one are looked for; none where a slip in it is not forgiven. */
export function formsOfTyped(word: string): string[] {
  const edits = editsAllowed(word);
  const letters = [...word];
  if (edits === 0 || letters.length > WORD_LETTERS) return [];
  const forms = leaveOut(letters, edits);
  const other = otherNumberOf(word)?.slice(0, LETTERS);
  return other === undefined || forms.includes(other) ? forms : [...forms, other];
}

function leaveOut(letters: string[], most: number): string[] {
  const beginning = letters.slice(0, LETTERS).join("");
  const forms = new Set([beginning]);
  let last = [beginning];
  for (let left = 0; left < most; left += 1) {
    last = last.flatMap(withoutALetter).filter((form) => form.length >= LEAST_LETTERS && !forms.has(form));
    for (const form of last) forms.add(form);
  }
  return [...forms];
}

function withoutALetter(word: string): string[] {
  const forms: string[] = [];
  let start = 0;
  for (const letter of word) {
    const end = start + letter.length;
    forms.push(word.slice(0, start) + word.slice(end));
    start = end;
  }
  return forms;
}

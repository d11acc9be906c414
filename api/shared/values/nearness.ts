/**
 * How near two spellings are, for the tolerant tiers of a search: the edit distance of two words (letters changed, left
 * out, added or swapped), and the forms by which an index finds the words near a given one.
 *
 * A form is the beginning of a word with up to two letters left out. If two words are n edits apart, then leaving out n
 * letters of each can make them equal (symmetric deletion). So words that are near each other share a form.
 */

/** Most edits between two words, or two whole keys, that count as near. */
export const MOST_EDITS = 2;

// Edits allowed by length (search reference, tier 11): none below three letters, one from three, two from six.
const ONE_EDIT_FROM = 3;
const TWO_EDITS_FROM = 6;

const BEYOND_16_BITS = /[\uD800-\uDFFF]/;

// Letters of a word's beginning from which its forms are made.
// Tuned: on 275,000 English words. With 8, a word has 31 forms, and a misspelt word shares a form with 32 words, of
// which 6 are near it. With 7 it shares one with 85 words; with 10 with 11 words, but a word has 40 forms.
const LETTERS = 8;
/** Fewest letters of a form. Too many words would share a shorter form, and shorter words allow no edits. */
export const LEAST_LETTERS = 2;
/** Limit: a longer word is found only in its exact spelling. No word of a name has as many letters. */
export const WORD_LETTERS = 64;
/** Limit: most words that one lookup by forms finds. Only sixteen misspelt words with many neighbours need more. */
export const MOST_FOUND = 5_000;
// A shorter word leaves out one letter. Only typed words with more letters are two edits away, and these leave out two.
const BOTH_EDITS_FROM = 6;

/** How many edits a word of this length allows. */
export function editsAllowed(word: string): number {
  return editsAllowedOf(lettersOf(word).length);
}

/** True for a single letter, which may stand for a forename. */
export function isInitial(word: string): boolean {
  return lettersOf(word).length === 1;
}

/** True when the words differ by no more edits than the length of the first allows. */
export function isNear(word: string, other: string): boolean {
  return editsIfNear(word, other) < Infinity;
}

/** Edits between two words; Infinity if they are more than the length of the first allows. */
export function editsIfNear(word: string, other: string): number {
  if (word === other) return 0;
  return editDistance(word, other, editsAllowedOf(lettersOf(word).length));
}

/** As `editsIfNear`, for a word of a search: PROPERTY and PROPERTIES count as one edit apart. */
export function editsInSearch(word: string, other: string): number {
  return toggleYPlural(word) === other ? 1 : editsIfNear(word, other);
}

// Only words long enough for two edits. A plural with S needs no rule: it is one edit away.
const ENDS_IN_Y_OR_IES = /^([A-Z]{4,}[^AEIOU])(Y|IES)$/;

/** PROPERTIES for PROPERTY, and PROPERTY for PROPERTIES; null for words of other forms, and for short ones. */
function toggleYPlural(word: string): string | null {
  const [, stem, ending] = ENDS_IN_Y_OR_IES.exec(word) ?? [];
  return stem === undefined ? null : stem + (ending === "Y" ? "IES" : "Y");
}

const BITS = 32;

/** A word's letters as a bit set, for a quick first check; letters may share a bit. An edit changes at most two. */
export function letterBits(word: string): number {
  let bits = 0;
  for (const letter of word) bits |= 1 << ((letter.codePointAt(0) ?? 0) % BITS);
  return bits;
}

/** False if words with these letter bits are certainly more than `most` edits apart. */
export function mayBeWithin(most: number, bits: number, others: number): boolean {
  let differing = bits ^ others;
  let changed = 0;
  for (; differing !== 0; changed += 1) differing &= differing - 1;
  return changed <= 2 * most;
}

/** The fewest edits that turn one word into the other; a swap of neighbours is one. Infinity if more than `most`. */
export function editDistance(word: string, other: string, most = Infinity): number {
  const [a, b] = [lettersOf(word), lettersOf(other)];
  if (Math.abs(a.length - b.length) > most) return Infinity;
  // A common beginning and end need no edits; in near words they are most of the letters.
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
    // Once two rows in turn exceed `most`, all later ones do. Two, because a swap refers to two rows back.
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

/**
 * The letters of a word as Elasticsearch counts them: a surrogate pair is one letter. A word without such pairs is
 * returned itself, which saves a copy.
 */
function lettersOf(word: string): ArrayLike<string> {
  return BEYOND_16_BITS.test(word) ? [...word] : word;
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}

/** The forms under which a word of the register is indexed: it shares one with any misspelling that may mean it. */
export function formsOfWord(word: string): string[] {
  const letters = [...word];
  return leaveOut(letters, letters.length < BOTH_EDITS_FROM ? 1 : MOST_EDITS);
}

/** The forms to look up for a typed word; none if the word is too short to allow an edit, or too long. */
export function formsOfTyped(word: string): string[] {
  const edits = editsAllowed(word);
  const letters = [...word];
  if (edits === 0 || letters.length > WORD_LETTERS) return [];
  const forms = leaveOut(letters, edits);
  const other = toggleYPlural(word)?.slice(0, LETTERS);
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

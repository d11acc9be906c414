/**
 * Owns the forms of a word by which near spellings of it are found: two words that are near each other share one.
 *
 * A form is the beginning of a word with a letter or two left out. An edit changes, adds, drops or swaps letters, so
 * leaving out as many letters of either word as there are edits makes the two equal (symmetric deletion).
 */
import { editsAllowed, MOST_EDITS } from "./edit-distance.ts";

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

/** The forms under which a word of the register is kept: those of any slip that may mean it. */
export function formsOfWord(word: string): string[] {
  const letters = [...word];
  return leaveOut(letters, letters.length < BOTH_EDITS_FROM ? 1 : MOST_EDITS);
}

/** The forms by which the words that are near a typed one are looked for; none where a slip in it is not forgiven. */
export function formsOfTyped(word: string): string[] {
  const edits = editsAllowed(word);
  const letters = [...word];
  return edits === 0 || letters.length > WORD_LETTERS ? [] : leaveOut(letters, edits);
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
  const letters = [...word];
  return letters.map((_, position) => letters.toSpliced(position, 1).join(""));
}

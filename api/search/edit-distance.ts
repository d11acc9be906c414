/** Owns the likeness of two words as the tolerant tiers see it: letters changed, left out, put in or swapped. */

/** Most edits between words, or whole keys, that are near. */
export const MOST_EDITS = 2;

// Edit distance (search reference, tier 11): none below three letters, one from three, two from six.
const ONE_EDIT_FROM = 3;
const TWO_EDITS_FROM = 6;

/** Edits that a word of this length may have. */
export function editsAllowed(word: string): number {
  const letters = countLetters(word);
  if (letters < ONE_EDIT_FROM) return 0;
  return letters < TWO_EDITS_FROM ? 1 : MOST_EDITS;
}

/** True when the words are within the edits that the first may have. */
export function isNear(word: string, other: string): boolean {
  const allowed = editsAllowed(word);
  return (
    Math.abs(countLetters(word) - countLetters(other)) <= allowed && editDistance(word, other) <= allowed
  );
}

/** Edits that turn one word into the other; a swap of neighbours counts one. */
export function editDistance(word: string, other: string): number {
  // Letters as the engine counts them: one beyond sixteen bits is one.
  const [a, b] = [[...word], [...other]];
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const change = at(previous, column - 1) + (isSame ? 0 : 1);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap && row > 1 && column > 1 ? at(twoBack, column - 2) + 1 : Infinity;
      current.push(Math.min(change, swap, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    [twoBack, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function countLetters(word: string): number {
  return [...word].length;
}

function at(row: number[], column: number): number {
  return row[column] ?? Infinity;
}

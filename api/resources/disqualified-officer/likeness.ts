/**
 * Owns what makes it likely that an officer and a disqualified person are one: equal surname, equal first forename and
 * equal month of birth. Neither file tells it for certain.
 */

/** A name as far as people are compared by it: surplus forenames and titles do not count. */
export interface LikenessName {
  forename?: string | undefined;
  other_forenames?: string | undefined;
  surname?: string | undefined;
}

/** A month of birth. The day is left out on purpose: of an officer no answer may tell it, not even by what it agrees with. */
export interface LikenessBirth {
  month: number;
  year: number;
}

const MARKS = /\p{M}/gu;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;
const BETWEEN_FORENAMES = /[\s,]+/;

/** `QUILLFEATHER|BARNABY|1962-05`, equal of people who may be one; empty when one of the three is not known. */
export function deriveLikeness(name: LikenessName, birth: LikenessBirth | undefined): string {
  const { forename, other_forenames, surname = "" } = name;
  const forenames = [forename, other_forenames].filter(Boolean).join(" ").trim();
  const [first = ""] = forenames.split(BETWEEN_FORENAMES);
  const [folded, given] = [foldLetters(surname), foldLetters(first)];
  if (folded === "" || given === "" || !birth) return "";
  return `${folded}|${given}|${birth.year}-${String(birth.month).padStart(2, "0")}`;
}

/** Letters and digits alone, in upper case and without accents. */
export function foldLetters(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").toUpperCase().replace(NO_LETTERS, "");
}

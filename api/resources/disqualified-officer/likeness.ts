/**
 * Owns the likeness of officers and disqualified people, who are probably one person with equal surname, equal first
 * forename and equal month of birth. Neither file says so for certain.
 */

/** The part of a name that is compared: without further forenames and titles. */
interface LikenessName {
  forename?: string | undefined;
  other_forenames?: string | undefined;
  surname?: string | undefined;
}

const MARKS = /\p{M}/gu;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;
const BETWEEN_FORENAMES = /[\s,]+/;

/**
 * `QUILLFEATHER|BARNABY|1962-05`, equal for people who may be one; empty when one of the three is unknown. The day of birth is
 * left out on purpose: no answer may reveal an officer's day of birth, not even by a match.
 */
export function deriveLikeness(
  { forename, other_forenames, surname = "" }: LikenessName,
  birth: { month: number; year: number } | undefined,
): string {
  const forenames = [forename, other_forenames].filter(Boolean).join(" ").trim();
  const [first = ""] = forenames.split(BETWEEN_FORENAMES);
  const [folded, given] = [foldLetters(surname), foldLetters(first)];
  if (folded === "" || given === "" || !birth) return "";
  return `${folded}|${given}|${birth.year}-${String(birth.month).padStart(2, "0")}`;
}

/** Letters and digits only, in upper case and without accents. */
export function foldLetters(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").toUpperCase().replace(NO_LETTERS, "");
}

/**
 * The likeness key, which joins officers and disqualified people who are probably one person: same surname, same first
 * forename, same month of birth. Neither file says for certain that they are.
 */

/** The parts of a name that the key is made from. Titles and all forenames but the first are ignored. */
interface LikenessName {
  forename?: string | undefined;
  other_forenames?: string | undefined;
  surname?: string | undefined;
}

const MARKS = /\p{M}/gu;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;
const BETWEEN_FORENAMES = /[\s,]+/;

/**
 * `QUILLFEATHER|BARNABY|1962-05`, equal for people who may be one person; empty when one of the three is unknown. The
 * day of birth is left out on purpose: no answer may reveal an officer's day of birth, not even by a match.
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

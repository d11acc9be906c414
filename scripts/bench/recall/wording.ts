/** How people type a text: letter case and typing errors. Pure. */
import type { Random } from "../random.ts";

/** A letter case. */
export type Case = "upper" | "lower" | "title";
export const CASES: readonly Case[] = ["upper", "lower", "title"];

const LONG_WORD = 6;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const LETTERS_ONLY = /^[a-z]+$/i;
const FIRST_LETTER = /(^|[^\p{L}\p{N}'])(\p{L})/gu;

/** The text in one letter case. */
export function inCase(text: string, style: Case): string {
  if (style === "upper") return text.toUpperCase();
  const lower = text.toLowerCase();
  if (style === "lower") return lower;
  return lower.replace(FIRST_LETTER, (_all, before: string, letter: string) => before + letter.toUpperCase());
}

/** The text with a typing error in each of `count` long words; undefined if it has fewer of these. */
export function withSlips(text: string, random: Random, count = 1, longFrom = LONG_WORD): string | undefined {
  const words = text.split(" ");
  const long = words.flatMap((word, at) => (word.length >= longFrom && LETTERS_ONLY.test(word) ? [at] : []));
  if (long.length < count) return undefined;
  for (let slips = 0; slips < count; slips += 1) {
    const [at = 0] = long.splice(random.below(long.length), 1);
    words[at] = slipInWord(words[at] ?? "", random);
  }
  return words.join(" ");
}

/** The word with one letter wrong, left out, doubled, or swapped with the next; never the first letter. */
export function slipInWord(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  const [before, letter = "", after] = [word.slice(0, at), word[at], word.slice(at + 1)];
  const kind = random.below(4);
  if (kind === 0) return before + after;
  if (kind === 1) return before + letter + letter + after;
  // Swapping two equal letters changes nothing: one of them is replaced instead.
  if (kind === 2 && !after.startsWith(letter)) return before + (after[0] ?? "") + letter + after.slice(1);
  const other = random.pick(LETTERS.filter((one) => one !== letter.toLowerCase()));
  return before + (letter === letter.toUpperCase() ? other.toUpperCase() : other) + after;
}

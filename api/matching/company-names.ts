/** Compares two company names: equal, equal without the legal ending, one letter different, or merely similar. Pure. */
import { editDistance, editsIfNear, MOST_EDITS } from "../shared/values/nearness.ts";
import { isAbbreviated, withoutAbbreviation } from "../search/reading/abbreviations.ts";
import { isGeneric, isWidespread } from "../search/reading/common-words.ts";
import { arePlaces } from "../search/reading/places.ts";
import { type CompanyName } from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import type { CompanyForm } from "./company-forms.ts";
import type { Likeness } from "./define-match.ts";

// Tuned: in a shorter word, one letter makes another word (CABLE and ABLE); in a longer one it is a slip (ENGINERING).
const LETTERS_OF_A_SLIP = 6;
// Tuned: a shorter name with one wrong letter is as near to other names as to the right one.
const LETTERS_OF_A_NAME = 12;
const LETTERS_OF_A_NEAR_WORD = 4;
const LETTERS_OF_A_NEAR_NAME = 8;
/** The likeness of names that do not differ in their letters. */
const ALIKE = {
  exact: { strength: "exact", score: 100, reason: "same name" },
  unended: { strength: "same", score: 100, reason: "same name" },
  same: { strength: "same", score: 97, reason: "same name, one without its legal ending" },
  sameAs: { strength: "near", score: 92, reason: "legally the same name" },
  initials: { strength: "near", score: 84, reason: "same name but for & between initials" },
  reordered: { strength: "near", score: 80, reason: "same words in another order" },
  otherEnding: { strength: "weak", score: 70, reason: "same name with another legal ending" },
} satisfies Record<string, Likeness>;
const SCORE_OF_A_SLIP = 90;
const SCORE_OF_A_PART = 88;
const SCORE_OF_A_NEAR_NAME = 84;
// More than the cost of a missing ending: a name that is the whole text ranks first.
const COST_OF_REWORDING = 4;
// Tuned: for `A Ltd t/a B` and `A Ltd (formerly B Ltd)`, A ranks first, and an unlikely part still ranks before other
// names.
const COST_OF_DOUBT = 10;
const MOST_OF_SHARED_WORDS = 68;
// Tuned: that both names have a word such as SERVICES means little.
const WEIGHT_OF_A_GENERIC_WORD = 0.4;
const SCORE_OF_AN_EDIT = 4;

/** The likeness of a name in the question to a name in the register. */
export function compareCompanyNames(form: CompanyForm, name: CompanyName): Likeness {
  const found = { ...compareWhole(form, name), key: name.key };
  if (form.isReworded === true)
    return { ...found, score: Math.max(0, found.score - COST_OF_REWORDING), isReworded: true };
  if (form.part === null) return found;
  // A name with a legal ending is complete, so it is not the beginning of a longer one.
  if (found.strength === "weak") return form.ends.length > 0 ? { ...found, hasAllWords: false } : found;
  const isEqual = found.strength === "exact" || found.strength === "same";
  const strength = isEqual || form.part === "weak" ? form.part : "near";
  const score = Math.min(found.score, SCORE_OF_A_PART - (1 - form.weight) * COST_OF_DOUBT);
  const isBeforeComma = form.isBeforeComma === true && strength === "likely";
  return { ...found, strength, score, reason: `${found.reason} in part`, isBeforeComma };
}

function compareWhole(form: CompanyForm, name: CompanyName): Likeness {
  const { ends } = form;
  const isEqual = form.key === name.key;
  const isOtherEnding = ends.length > 0 && name.end !== "NONE" && !ends.includes(name.end);
  if (isEqual && isOtherEnding) return ALIKE.otherEnding;
  if (isEqual && ends.includes(name.end)) return ALIKE.exact;
  if (isEqual) return ends.length === 0 && name.end === "NONE" ? ALIKE.unended : ALIKE.same;
  const near = compareNear(form, name);
  if (!near || !isOtherEnding) return near ?? compareWords(form, name);
  return {
    strength: "weak",
    score: ALIKE.otherEnding.score - SCORE_OF_AN_EDIT,
    reason: `${near.reason}, another legal ending`,
  };
}

function compareNear(form: CompanyForm, name: CompanyName): Likeness | null {
  if (form.sameAs === sameAsKey(name)) return ALIKE.sameAs;
  if (keyOfInitials(form.words) === name.key) return ALIKE.initials;
  if (digitsOf(form.words) !== digitsOf(name.words)) return null;
  const edits = countEdits(form, name);
  if (edits !== null) {
    // A text without an ending may be the name of a business that is not a company.
    const isSlip = edits === 1 && form.ends.length > 0 && isSlipOnly(form, name);
    const score = isSlip ? SCORE_OF_A_SLIP : SCORE_OF_A_NEAR_NAME - SCORE_OF_AN_EDIT * (edits - 1);
    const reason = reasonOf(edits, form, name);
    return { strength: isSlip ? "slip" : "near", score, reason };
  }
  const isReordered = sorted(form.words) === sorted(name.words);
  return isReordered ? ALIKE.reordered : null;
}

function reasonOf(edits: number, { words }: CompanyForm, { words: others }: CompanyName): string {
  const abbreviated = words.filter((word, at) => isAbbreviated(word, others[at] ?? "")).length;
  const letters = edits - abbreviated;
  const differing = letters === 1 ? "one letter differs" : `${letters} letters differ`;
  if (abbreviated === 0) return differing;
  return letters === 0 ? "same name, with an abbreviation" : `${differing}, with an abbreviation`;
}

const TWO_INITIALS = /^(?:(\p{L}) AND (\p{L})|(\p{L})(\p{L}))(?= )/u;

/**
 * The key of a name that begins with two initials, with the AND between them removed or added: for P & D PHOTOGRAPHY
 * the key of PD PHOTOGRAPHY. Null for other names.
 */
export function keyOfInitials(words: readonly string[]): string | null {
  const name = words.join(" ");
  const other = name.replace(TWO_INITIALS, (_all, a?: string, b = "", c = "", d = "") =>
    a === undefined ? `${c}AND${d}` : a + b,
  );
  return other === name ? null : other.replaceAll(" ", "");
}

/** Edits between two names; null if they are not near, for example because short words differ. */
function countEdits(form: CompanyForm, name: CompanyName): number | null {
  if (form.words.length === name.words.length) {
    const edits = form.words.map((word, at) => editsOfWords(word, name.words[at] ?? ""));
    const sum = edits.reduce((all, one) => all + one, 0);
    return sum <= MOST_EDITS + 1 ? sum : null;
  }
  if (Math.min(form.key.length, name.key.length) < LETTERS_OF_A_NEAR_NAME) return null;
  // A single letter at the end of a cut-off text begins a word of a longer name: QUILLORY INTERIORS W.
  if (form.ends.length === 0 && form.words.slice(0, -1).join("") === name.key) return null;
  // Words are split or joined, and a letter may be wrong, too. Or one name has a word more: then it is near only if the
  // word is one letter, an initial; HR makes another name.
  const most = hasAllOf(form.words, name.words) || hasAllOf(name.words, form.words) ? 1 : MOST_EDITS;
  const edits = editDistance(form.key, name.key, most);
  return edits === Infinity ? null : edits;
}

function hasAllOf(words: string[], others: string[]): boolean {
  return others.every((word) => words.includes(word));
}

function editsOfWords(word: string, other: string): number {
  if (word === other) return 0;
  if (isAbbreviated(word, other)) return 1;
  if (isWidespread(word) && isWidespread(other) && !isPlural(word, other)) return Infinity;
  return Math.min(word.length, other.length) < LETTERS_OF_A_NEAR_WORD
    ? Infinity
    : Math.min(editsIfNear(word, other), editsIfNear(other, word));
}

function isPlural(word: string, other: string): boolean {
  return `${word}S` === other || `${other}S` === word;
}

/** True if the one different letter is in a long distinctive word. A final S does not count: HOLDING, HOLDINGS. */
function isSlipOnly(form: CompanyForm, name: CompanyName): boolean {
  if (form.words.length !== name.words.length) return false;
  const at = form.words.findIndex((word, position) => word !== name.words[position]);
  const [word = "", other = ""] = [form.words[at], name.words[at]];
  const isLong = Math.min(word.length, other.length) >= LETTERS_OF_A_SLIP;
  const isTwoTowns = arePlaces([word]) && arePlaces([other]);
  // People rarely mistype the first letter, so with another one it is another name.
  const isAnother = isPlural(word, other) || isTwoTowns || !other.startsWith(word.charAt(0));
  return isLong && !isAnother && form.key.length >= LETTERS_OF_A_NAME;
}

/** The likeness by the share of words that both names have. */
function compareWords({ words }: CompanyForm, { words: others }: CompanyName): Likeness {
  const weightOf = (word: string) => (isGeneric(word) ? WEIGHT_OF_A_GENERIC_WORD : 1);
  const sum = (list: string[]) => list.reduce((all, word) => all + weightOf(word), 0);
  const shared = words.filter((word) => others.some((other) => editsOfWords(word, other) < Infinity));
  const all = sum(words) + sum(others);
  // A word that the text has twice would count more often than in both names.
  const share = Math.min(1, (2 * sum(shared)) / all);
  const score = Math.round(MOST_OF_SHARED_WORDS * share);
  const hasAllWords = words.every((word) => others.includes(word));
  const reason = shared.length === 0 ? "another name" : "some words are the same";
  return { strength: "weak", score, reason: hasAllWords ? "a longer name" : reason, hasAllWords };
}

/** The numbers in a name, also Roman ones. They tell names apart: 12 HIGH STREET is not 14 HIGH STREET. */
function digitsOf(words: string[]): string {
  return words.map(withoutAbbreviation).join(" ").replace(/\D+/g, " ").trim();
}

function sorted(words: string[]): string {
  return words.toSorted().join(" ");
}

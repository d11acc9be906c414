/** Owns the similarity of two company names: equal, without the legal ending, with a slip, or merely similar. Pure. */
import { editDistance, editsWhereNear, MOST_EDITS } from "../shared/values/nearness.ts";
import { arePlaces, isGeneric } from "../search/reading/common-words.ts";
import { type NameReading, readCompanyText } from "../search/reading/company.ts";
import {
  type CompanyName,
  type EndingClass,
  parseCompanyName,
  readMisspelt,
} from "../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../index-mappings/names/same-as.ts";
import type { Likeness } from "./define-match.ts";
import { hasPlace } from "./town.ts";

// What lists add behind the legal ending of a name: its status, its country.
const COUNTRY =
  "(?:(?:OF|IN) )?(?:THE )?(?:ENGLAND(?: AND WALES)?|WALES|SCOTLAND|NORTHERN IRELAND|UNITED KINGDOM|GREAT BRITAIN|UK|GB)";
const LIQUIDATION = "(?:(?:CREDITORS |MEMBERS )?VOLUNTARY |COMPULSORY )?LIQUIDATION";
const STATUS = `(?:IN )?(?:${LIQUIDATION}|ADMINISTRATION|RECEIVERSHIP|CVA|CVL|MVL)|DISSOLVED|STRUCK OFF|ACTIVE`;
const STATUSES = `(?:(?:${STATUS})(?: |$))*`;
const REMARKS = new RegExp(`^${STATUSES}(?<country>(?:${COUNTRY})?)(?: |$)?${STATUSES}$`);

/** A name that the question may mean. */
export interface CompanyForm {
  key: string;
  words: string[];
  /** Possible endings; none when the question has none. */
  ends: readonly EndingClass[];
  sameAs: string;
  /**
   * Strength of a name that equals a part of the text, such as the one before a comma: it needs a fact that agrees. Null
   * for all of the text.
   */
  part: "likely" | "near" | null;
  /** How certain the part is, from 0 to 1. */
  weight: number;
  /** The rest of the text: usually words of a place. */
  rest: string[];
  /** True for the text before the first comma. */
  isBeforeComma?: boolean;
  /** True for all of the text but the country behind its ending, and for the text with that country before the ending. */
  isReworded?: boolean;
  /** How many of these must be in an address, if it is to be the name. */
  agreeing: number;
}

// Tuned: a letter more or less in a short word makes another word: CABLE and ABLE, but not ENGINERING.
const LETTERS_OF_A_SLIP = 6;
// Tuned: with one letter wrong a short name is as near to a second name as to the first.
const LETTERS_OF_A_NAME = 12;
const LETTERS_OF_A_NEAR_WORD = 4;
const LETTERS_OF_A_NEAR_NAME = 8;
// Tuned: a part of less weight is no more than possibly the name. QUILLORY PRESS LTD is not PRESS LTD, though in one town.
const WEIGHT_OF_A_LIKELY_PART = 0.8;

// The weight of a name at the beginning of the text that its legal ending closes.
const WEIGHT_OF_A_CLOSED_NAME = 1;

const SCORES = {
  exact: 100,
  same: 97,
  sameAs: 92,
  slip: 90,
  part: 88,
  near: 84,
  reordered: 80,
  otherEnding: 70,
};
// Tuned: of `A Ltd t/a B` and `A Ltd (formerly B Ltd)` the name A comes first, and an unlikely part still before other names.
const COST_OF_DOUBT = 10;
const MOST_OF_SHARED_WORDS = 68;
// Tuned: LIMITED or SERVICES in both names means little.
const WEIGHT_OF_A_GENERIC_WORD = 0.4;
const SCORE_OF_AN_EDIT = 4;

/** The names that a text may mean: all of it, without a misspelt ending, and parts beside a fact, a marker or a place. */
export function companyForms(text: string): CompanyForm[] {
  const whole = parseCompanyName(text);
  const all = { part: null, weight: 1, rest: [], agreeing: 0 };
  const misspelt = readMisspelt(whole).map(({ key, words, ends }) => {
    const name = parseCompanyName(words.join(" "));
    return { key, words, ends, sameAs: sameAsKey(name), ...all };
  });
  const parts = readCompanyText(text).names.flatMap((reading) => formsOf(reading, whole));
  return [{ ...toForm(whole), ...all }, ...misspelt, ...parts].filter(({ key }) => key !== "");
}

/** The forms that a candidate with these addresses may have. */
export function formsInPlace(
  forms: readonly CompanyForm[],
  addresses: readonly (readonly string[])[],
): CompanyForm[] {
  return forms.filter(({ rest, agreeing }) => hasPlace(rest, agreeing, addresses));
}

/** Of `A Ltd (UK)` the forms A LTD and A UK LTD, of any other reading the one that it is. */
function formsOf(reading: NameReading, whole: CompanyName): CompanyForm[] {
  const { name, weight, rest, agreeing, ends, isFirst = false } = reading;
  const isEnded = weight === WEIGHT_OF_A_CLOSED_NAME && name.end !== "NONE";
  const remarks = isEnded ? readRemarks(rest) : null;
  const part = remarks ? null : partOf(reading, whole);
  const found = { ...toForm(name), ...(ends && { ends }) };
  const form = { ...found, part, weight, rest, agreeing, isBeforeComma: isFirst };
  if (!remarks || remarks.country.length === 0) return [form];
  const own = parseCompanyName([...name.words, ...remarks.country, ...name.endingWords].join(" "));
  return [form, { ...form, ...toForm(own), rest: [] }].map((one) => ({ ...one, isReworded: true }));
}

/** The words of a country, maybe none, where the words behind an ending are nothing but remarks; else null. */
function readRemarks(words: readonly string[]): { country: string[] } | null {
  const found = words.length > 0 ? REMARKS.exec(words.join(" ")) : null;
  return found && { country: (found.groups?.country ?? "").split(" ").filter(Boolean) };
}

function partOf({ name, rest, agreeing, weight }: NameReading, whole: CompanyName): CompanyForm["part"] {
  // Any other word of an address, as COURT or a house's, may belong to the name.
  const isPlaced = () => arePlaces(rest) && isBeforePlace(name, whole);
  const isLikely = agreeing > 0 ? isPlaced() : weight >= WEIGHT_OF_A_LIKELY_PART;
  return isLikely ? "likely" : "near";
}

/**
 * `Quillory Press Leeds`: several words, one of them distinctive, before the place. With an ending behind the place it is the
 * name of another company, and words behind a place may be a half of a name, as in Leeds Building Society.
 */
function isBeforePlace({ key, words }: CompanyName, whole: CompanyName): boolean {
  const isTelling = words.length > 1 && !words.every(isGeneric);
  return isTelling && whole.end === "NONE" && whole.key.startsWith(key);
}

function toForm(name: CompanyName): Pick<CompanyForm, "key" | "words" | "ends" | "sameAs"> {
  const { key, words, end } = name;
  return { key, words, ends: end === "NONE" ? [] : [end], sameAs: sameAsKey(name) };
}

/** How similar a name of the question and one of the register are. */
export function compareCompanyNames(form: CompanyForm, name: CompanyName): Likeness {
  const found = { ...compareWhole(form, name), key: name.key };
  if (form.isReworded === true)
    return { ...found, score: Math.min(found.score, SCORES.same), isReworded: true };
  if (form.part === null) return found;
  // A name that its ending closes is no beginning of a longer one.
  if (found.strength === "weak") return form.ends.length > 0 ? { ...found, hasAllWords: false } : found;
  const isEqual = found.strength === "exact" || found.strength === "same";
  const strength = isEqual ? form.part : "near";
  const score = Math.min(found.score, SCORES.part - (1 - form.weight) * COST_OF_DOUBT);
  const isBeforeComma = form.isBeforeComma === true && strength === "likely";
  return { ...found, strength, score, reason: `${found.reason} in part`, isBeforeComma };
}

function compareWhole(form: CompanyForm, name: CompanyName): Likeness {
  const { ends } = form;
  const isEqual = form.key === name.key;
  const isOtherEnding = ends.length > 0 && name.end !== "NONE" && !ends.includes(name.end);
  if (isEqual && isOtherEnding)
    return { strength: "weak", score: SCORES.otherEnding, reason: "same name with another legal ending" };
  if (isEqual && ends.includes(name.end))
    return { strength: "exact", score: SCORES.exact, reason: "same name" };
  if (isEqual && ends.length === 0 && name.end === "NONE")
    return { strength: "same", score: SCORES.exact, reason: "same name" };
  if (isEqual)
    return { strength: "same", score: SCORES.same, reason: "same name, one without its legal ending" };
  const near = compareNear(form, name);
  if (!near || !isOtherEnding) return near ?? compareWords(form, name);
  return {
    strength: "weak",
    score: SCORES.otherEnding - SCORE_OF_AN_EDIT,
    reason: `${near.reason}, another legal ending`,
  };
}

function compareNear(form: CompanyForm, name: CompanyName): Likeness | null {
  if (form.sameAs === sameAsKey(name))
    return { strength: "near", score: SCORES.sameAs, reason: "same name before the law" };
  if (digitsOf(form.words) !== digitsOf(name.words)) return null;
  const edits = countEdits(form, name);
  if (edits !== null) {
    const isSlip = edits === 1 && isSlipOnly(form, name);
    const score = isSlip ? SCORES.slip : SCORES.near - SCORE_OF_AN_EDIT * (edits - 1);
    const reason = edits === 1 ? "one letter differs" : `${edits} letters differ`;
    return { strength: isSlip ? "slip" : "near", score, reason };
  }
  const isReordered = form.words.length > 1 && sorted(form.words) === sorted(name.words);
  return isReordered
    ? { strength: "near", score: SCORES.reordered, reason: "same words in another order" }
    : null;
}

/** Edits between names without a differing short word; null when they are not near. */
function countEdits(form: CompanyForm, name: CompanyName): number | null {
  if (form.words.length === name.words.length) {
    const edits = form.words.map((word, at) => editsOfWords(word, name.words[at] ?? ""));
    const sum = edits.reduce((all, one) => all + one, 0);
    return sum <= MOST_EDITS + 1 ? sum : null;
  }
  // Words were split or joined, and a letter is wrong, too.
  const shorter = Math.min(form.key.length, name.key.length);
  const edits = shorter < LETTERS_OF_A_NEAR_NAME ? Infinity : editDistance(form.key, name.key, MOST_EDITS);
  return edits === Infinity ? null : edits;
}

function editsOfWords(word: string, other: string): number {
  if (word === other) return 0;
  return Math.min(word.length, other.length) < LETTERS_OF_A_NEAR_WORD
    ? Infinity
    : Math.min(editsWhereNear(word, other), editsWhereNear(other, word));
}

/** One letter, in a long distinctive word; an S at its end makes another word: HOLDING and HOLDINGS. */
function isSlipOnly(form: CompanyForm, name: CompanyName): boolean {
  if (form.words.length !== name.words.length)
    return Math.min(form.key.length, name.key.length) >= LETTERS_OF_A_NAME;
  const at = form.words.findIndex((word, position) => word !== name.words[position]);
  const [word = "", other = ""] = [form.words[at], name.words[at]];
  const isPlural = `${word}S` === other || `${other}S` === word;
  const isLong = Math.min(word.length, other.length) >= LETTERS_OF_A_SLIP;
  const isTwoWords = isGeneric(word) && isGeneric(other);
  // The first letter is rarely wrong: with another one it is another name.
  const isAnother = isPlural || isTwoWords || !other.startsWith(word.charAt(0));
  return isLong && !isAnother && form.key.length >= LETTERS_OF_A_NAME;
}

/** By the share of words that both have. */
function compareWords({ words }: CompanyForm, { words: others }: CompanyName): Likeness {
  const weightOf = (word: string) => (isGeneric(word) ? WEIGHT_OF_A_GENERIC_WORD : 1);
  const sum = (list: string[]) => list.reduce((all, word) => all + weightOf(word), 0);
  const shared = words.filter((word) => others.some((other) => editsOfWords(word, other) < Infinity));
  const all = sum(words) + sum(others);
  const share = all === 0 ? 0 : Math.min(1, (2 * sum(shared)) / all);
  const score = Math.round(MOST_OF_SHARED_WORDS * share);
  const hasAllWords = words.length > 0 && words.every((word) => others.includes(word));
  const reason = shared.length === 0 ? "another name" : "some words are the same";
  return { strength: "weak", score, reason: hasAllWords ? "a longer name" : reason, hasAllWords };
}

/** A number distinguishes names: 12 HIGH STREET is not 14 HIGH STREET. */
function digitsOf(words: string[]): string {
  return words.join(" ").replace(/\D+/g, " ").trim();
}

function sorted(words: string[]): string {
  return words.toSorted().join(" ");
}

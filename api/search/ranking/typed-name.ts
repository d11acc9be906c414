/** Owns the ranking of suggestions: names and numbers that may be the ones being typed. */
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { foldText } from "../../../index-mappings/names/fold.ts";
import {
  atTier,
  atTiersByNearness,
  bestOf,
  type Clause,
  constant,
  inNames,
  prefix,
  someOf,
} from "../clauses.ts";
import type { Phase } from "../define-search.ts";
import { byNumberOrName, type Match, NEAR_TIERS, SHORT_KEY, wholeMatches } from "./company.ts";
import { nearBeginning } from "./near.ts";
import { READING_TIERS } from "./readings.ts";

const LAST_TIER_OF_BEGINNINGS = 5;
// Tuned: fewer letters begin too many words: of the register's names one in twenty has a word that begins with SER.
const LETTERS_OF_ANY_WORD = 4;
// Tuned: fewer digits begin too many numbers.
const BEGINNING_OF_A_NUMBER = /^[A-Z]{0,2}\d{3,7}$/;
// Limit: the engine takes patterns of 1,000 characters, and 18 letters make more; after that many letters
// there are whole words.
const PATTERN_LETTERS = 17;

// Tuned: above the score of the nearest spelling of a word in the middle, since names are typed from their beginning.
const NEAR_BEGINNING = 4;

/** Companies whose name may be the one being typed: it begins with the text or, from some length on, a word of it does. */
export function typedNameQuery(q: string, phase: Phase): Clause {
  const name = parseCompanyName(q);
  const matches = wholeMatches(name, phase);
  const isEnough = name.key.length >= LETTERS_OF_ANY_WORD;
  const typed = isEnough ? matches : matches.filter(isBeginning);
  const near = phase === "strict" ? [] : nearlyTyped(name.key);
  return bestOf([byNumberOrName(q, typed), ...numbersThatBegin(q), ...near]);
}

function isBeginning({ tiers }: Match): boolean {
  return tiers.current <= LAST_TIER_OF_BEGINNINGS;
}

/** The leading zeros of a number may be missing. */
function numbersThatBegin(q: string): Clause[] {
  const typed = foldText(q).replace(/[\s#-]/g, "");
  if (!BEGINNING_OF_A_NUMBER.test(typed)) return [];
  const beginnings = /^[1-9]/.test(typed) ? [typed, `0${typed}`, `00${typed}`] : [typed];
  return [atTier(someOf(beginnings.map((beginning) => prefix("id", beginning))), READING_TIERS.number)];
}

function nearlyTyped(key: string): Clause[] {
  if (key.length < SHORT_KEY || key.length > PATTERN_LETTERS || !/^[\p{L}\p{N}]+$/u.test(key)) return [];
  return [inNames(atTiersByNearness(constant(nearBeginning("names.key", key), NEAR_BEGINNING), NEAR_TIERS))];
}

/** The ways in which a company's or body's name may match: as spelt, by its beginning, nearly, by most words. */
import {
  type CompanyName,
  type EndingReading,
  keyWithoutThe,
  parseCompanyName,
  parseQueryNumber,
  readHalfTyped,
  readMisspelt,
} from "../../../index-mappings/names/company-name.ts";
import {
  allBeginnings,
  allOf,
  allWords,
  bestOf,
  type Clause,
  constant,
  prefix,
  QUERY_WORDS,
  someOf,
  term,
  within,
} from "../clauses.ts";
import { withOtherForms } from "../reading/abbreviations.ts";
import { distinctiveWords, hasDigit, withoutConnectives } from "../reading/common-words.ts";
import { placesTogether, withoutPlaces } from "../reading/places.ts";
import { withoutLead, writtenOut } from "../reading/name-readings.ts";
import type { Phase } from "../../shared/definitions/search-result.ts";
import { isOutward } from "../../shared/values/address.ts";
import { inPhase } from "../phases.ts";
import { MOST_EDITS } from "../../shared/values/nearness.ts";
import { asEdits, byALetter, nearKey, nearWord, nearWords, SHORT_KEY, wordAsSpelt } from "../near-words.ts";
import { withEnding } from "./company-readings.ts";
import { mostWords } from "./reading-scores.ts";
import { BAND_GAP, BANDS, NAME_WAYS, type NameWay, type Tiers } from "./tiers.ts";

/** How a name matches a query. */
export interface Match {
  way: NameWay;
  /** The tiers of the way, unless this match differs from them. */
  tiers: Tiers;
  /** The score of a `scored` clause shows how near the name is; a `filter` has none. */
  query: { filter: Clause } | { scored: Clause };
}

function matching(way: NameWay, filter: Clause): Match {
  return { way, tiers: way.tiers, query: { filter } };
}

function matchingByNearness(way: NameWay, scored: Clause): Match {
  return { way, tiers: way.tiers, query: { scored } };
}

/** Which other names a search shows beside names that have all of the query. */
export interface Beside {
  /** Names that differ from the query by a letter. */
  byALetter: boolean;
}

/** The ways in which a name may match all of the query, in this phase. */
export function wholeMatches(name: CompanyName, phase: Phase): Match[] {
  if (name.words.length === 0) return equalMatches(name);
  return inPhase(phase, strictMatches(name), () => nearMatches(name, phase));
}

// Tuned: less than the gap between two tiers. The names of these matches have no other score within their tier.
const AS_TYPED_LIFT = 1;

/** Names as typed and, below them in each tier, with abbreviations written out: `Bros` as BROTHERS. */
function strictMatches(name: CompanyName): Match[] {
  const others = writtenOut(name);
  const led = leadMatches(name);
  if (others.length === 0) return [...spelledMatches(name), ...led];
  return [...spelledMatches(name).map(asTyped), ...others.flatMap(spelledMatches), ...led];
}

function asTyped(match: Match): Match {
  const { query } = match;
  return "scored" in query ? match : { ...match, query: { scored: constant(query.filter, AS_TYPED_LIFT) } };
}

function spelledMatches(name: CompanyName): Match[] {
  return [
    ...equalMatches(name),
    ...longerWordMatches(name),
    ...beginningMatches(name.key, name.words.slice(0, QUERY_WORDS)),
    ...readHalfTyped(name).map(halfTypedMatch),
  ];
}

/** Names that equal the query without its leading mark or short word; above names in which that begins a word. */
function leadMatches(name: CompanyName): Match[] {
  const led = withoutLead(name);
  if (!led) return [];
  const keys = [led, ...writtenOut(led)].map(({ key }) => key);
  const whole = constant({ terms: { "names.key": keys } }, BANDS.wholeName * BAND_GAP);
  return [matchingByNearness(NAME_WAYS.beginningsOfWords, withEnding(whole, led))];
}

/** A complete name with an incomplete ending: it begins with the typed text. */
function halfTypedMatch({ key, ends }: EndingReading): Match {
  return matching(NAME_WAYS.beginningLetters, allOf([term("names.key", key), hasEnding(ends)]));
}

// Legal endings that also begin words of many names: SECURITY, SERVICES, PACKAGING.
const BEGINS_WORDS = new Set(["SE", "PAC"]);

/** Names with a longer word in place of the ending, which may be half-typed: above names without that word. */
function longerWordMatches({ key, endingWords: [ending = ""] }: CompanyName): Match[] {
  if (!BEGINS_WORDS.has(ending)) return [];
  const tiers = {
    current: NAME_WAYS.beginningWords.tiers.current,
    previous: NAME_WAYS.beginningLetters.tiers.previous,
  };
  const scored = constant(prefix("names.key", key + ending), 2 * AS_TYPED_LIFT);
  return [{ way: NAME_WAYS.beginningLetters, tiers, query: { scored } }];
}

function hasEnding(ends: string[]): Clause {
  return { terms: { "names.end": ends } };
}

function equalMatches({ key, end }: CompanyName): Match[] {
  const { same, sameButEnding } = NAME_WAYS;
  const filter = term("names.key", key);
  if (end === "NONE") return [matching(same, filter)];
  const withEnding = matching(same, allOf([filter, term("names.end", end)]));
  return [{ ...withEnding, tiers: { current: same.tiers.current } }, matching(sameButEnding, filter)];
}

function beginningMatches(key: string, words: string[]): Match[] {
  return [
    matching(NAME_WAYS.beginningWords, term("names.starts", words.join(" "))),
    matching(NAME_WAYS.beginningLetters, prefix("names.key", key)),
    matching(NAME_WAYS.allWords, allWords("names.text", words)),
    matching(NAME_WAYS.beginningsOfWords, allBeginnings("names.text", words)),
  ];
}

/**
 * Names near this one: by their words, of which two may have been split, and as a whole, since spaces may be missing.
 * Only the last phase searches whole names two edits away: there are as many as companies, so they take longest.
 */
function nearName(name: Pick<CompanyName, "key" | "words" | "allWords">, phase: Phase): Clause {
  const { key, words: all } = name;
  const words = all.slice(0, QUERY_WORDS);
  // In the read phase joined words must be spelt correctly: `Mark Hall London` means MARK HALL of LONDON, not MARSHALL.
  const near: typeof nearWord = (field, word) =>
    phase === "read" && !words.includes(word) ? wordAsSpelt(field, word) : nearWord(field, word);
  const byWords = [words, ...otherWordings(words)].map((reading) => nearWords("names.text", reading, near));
  if (hasShortKey(all)) return bestOf(byWords);
  const withoutThe = keyWithoutThe({ ...name, words });
  // The name without its THE counts as one edit away, so that beside a misspelt ending THEMIS LTD comes before MIS LTD.
  const byKey = withoutThe === null ? [] : [asEdits(term("names.key", withoutThe), 1)];
  return bestOf([...byWords, ...byKey, nearKey("names.key", key, phase === "read" ? MOST_EDITS : 1)]);
}

/**
 * True if the name is too short for near spellings of its whole key. A place beside the name does not count: otherwise
 * `BB London` would be near AB LONDON and LONDON. It counts if there is no other name, as in `London N1`.
 */
function hasShortKey(words: string[]): boolean {
  const others = withoutPlaces(words);
  const isPlaced = others.every(isOutward);
  return (isPlaced ? words : others).join("").length <= SHORT_KEY;
}

// A shorter part could be removed by two edits, so that the other part alone would match.
const LEAST_SPLIT_LETTERS = MOST_EDITS + 1;

// Two letters that may be initials, because they are not a word that begins names.
const TWO_INITIALS =
  /^(?!AN|AS|AT|BE|BY|DA|DE|DI|DO|DR|DU|EL|GO|IF|IN|IS|IT|LA|LE|MC|MR|MS|MY|NO|OF|ON|OR|RE|SO|ST|TO|UK|UP|US|WE)(\p{L})(\p{L})$/u;

/** The words with AND between two initials before a name: B AND W QUELLER for BW QUELLER. */
function withAnd([first = "", ...others]: string[]): string[][] {
  // Before digits the letters are no initials: SC 90123 is a company number.
  const isBeforeName = others.length > 0 && !hasDigit(others[0] ?? "");
  const initials = first.replace(TWO_INITIALS, "$1 AND $2").split(" ");
  return isBeforeName && initials.length > 1 ? [[...initials, ...others]] : [];
}

/**
 * Other ways to write the words: each pair of neighbours joined in turn (NORTHWYCKLE MILLS for NOR THWYCKLE MILLS), AND
 * between initials, and abbreviations in their other form.
 */
export function otherWordings(words: string[]): string[][] {
  const joined = words.flatMap((first, position) => {
    const second = words[position + 1];
    if (second === undefined || Math.min(first.length, second.length) < LEAST_SPLIT_LETTERS) return [];
    return [words.toSpliced(position, 2, first + second)];
  });
  return [...joined, ...withAnd(words), ...withOtherForms(words)];
}

/** The words whose near spellings the tolerant body needs. None for a number, which is nearly always found as typed. */
export function companyWords(q: string): string[] {
  if (parseQueryNumber(q)) return [];
  const words = parseCompanyName(q).words.slice(0, QUERY_WORDS);
  return [words, ...otherWordings(words)].flat();
}

function nearMatches(name: CompanyName, phase: Phase): Match[] {
  const { allWords: typed } = name;
  const near = [
    nearName(name, phase),
    ...readMisspelt(name).map((reading) =>
      within(nearName({ ...reading, allWords: typed }, phase), [hasEnding(reading.ends)]),
    ),
  ];
  return [matchingByNearness(NAME_WAYS.near, bestOf(near))];
}

/** Names that differ by one letter. They are cheap enough to search beside exact names, in a search for one kind. */
export function letterMatches(
  { key, words }: CompanyName,
  phase: Phase,
  { byALetter: isAsked }: Beside = { byALetter: true },
): Match[] {
  return isAsked && phase === "strict" && !hasShortKey(words)
    ? [matching(NAME_WAYS.near, byALetter("names.key", key))]
    : [];
}

// Tuned: in a query of five words or more, one in the name counts for more than one in the address, which lifts a
// result, too: CHURCH LTD, Mill Lane, before MILL LTD, Church Lane. In a shorter query it may not. Below 10 in all.
const PRESENT_SCORE = 5;

/** The match of names with most words, and most distinctive words. None for a query without a distinctive word. */
export function partialMatches(name: CompanyName): Match[] {
  const words = name.words.slice(0, QUERY_WORDS);
  const distinctive = distinctiveWords(words);
  if (words.length < 2 || distinctive.length === 0) return [];
  // A town counts as one word: STOCKTON ON TEES must not be half of a name.
  const parts = placesTogether(words).map((part) => allOf(part.map(inText)));
  const present = parts.map((part) => constant(part, PRESENT_SCORE / (parts.length + 1)));
  const content = withoutConnectives(words);
  const filters = [
    someOf(distinctive.map(inText), mostWords(distinctive.length)),
    ...(content.length < words.length ? [someOf(content.map(inText), mostWords(content.length))] : []),
    // Every number must be in the name: 12 HIGH STREET is not 14 HIGH STREET.
    ...words.filter((word) => /\d/.test(word)).map(inText),
  ];
  const scored = within(someOf(present, mostWords(parts.length)), filters);
  return [matchingByNearness(NAME_WAYS.mostWords, scored)];
}

function inText(word: string): Clause {
  return term("names.text", word);
}

/** Ranks companies and bodies found by reading a pasted query, at tiers below those of the search reference. */
import type { CompanyName } from "../../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../../index-mappings/names/same-as.ts";
import {
  distinctiveWords,
  hasDigit,
  isAroundNames,
  isGeneric,
  mostDistinctiveWords,
} from "../reading/common-words.ts";
import { arePlaces, isNoPlace, isPlace } from "../reading/places.ts";
import type { CompanyReading } from "../reading/company.ts";
import { CLOSED, type NameReading, SPLIT } from "../reading/name-readings.ts";
import {
  allOf,
  allWords,
  anyOf,
  bestOf,
  type Clause,
  constant,
  inNames,
  prefix,
  QUERY_WORDS,
  someOf,
  term,
  within,
} from "../clauses.ts";
import { nearWord } from "../near-words.ts";
import {
  ALL_NEAR_BAND,
  asWholeName,
  inPlace,
  liftsOf,
  mostOf,
  mostWords,
  nameOrAddress,
  PLACE_LIFT,
  plus,
  WHOLE_NAME_LIFT,
  WORD_SCORE,
} from "./reading-scores.ts";
import { atTier, CONFIRMED_WAY, NUMBER_WAY, READING_WAYS, scoreOf } from "./tiers.ts";

// Tuned: less than the least difference between the weights of two readings, so that an ending separates only equals.
const ENDING_LIFT = 1 / 64;
// Tuned: names with all words around an ending rank below whole names as typed, and above these written out, anywhere.
const AROUND_LIFT = WHOLE_NAME_LIFT - PLACE_LIFT;
const BEHIND_AROUND = 3 * PLACE_LIFT;

// Tuned: a whole name comes before longer names that have as many words of the query, and its town in the address.
const WHOLE_NAME_SCORE = 3;

// Tuned: a name at the end of a text ranks above a part of as many words elsewhere, which no legal ending closes.
const LAST_NAME_WEIGHT = 0.5;
// Tuned: a single last word, perhaps a part of a name that the register lacks, ranks below two words of three.
const LAST_WORD_WEIGHT = LAST_NAME_WEIGHT - WHOLE_NAME_SCORE;

const CONFIRMED_LIFT = scoreOf(CONFIRMED_WAY.tiers.current) - scoreOf(READING_WAYS.wholeName.tiers.current);
// Limit: no town has more words. A longer place is a pasted address, which does not lift a name here.
const MOST_PLACE_WORDS = 4;

// The first word of an address: `12 High Street, Leeds`.
const BEGINS_ADDRESS = /^(?:\d|UNIT$|SUITE$|FLAT$)/;

/** Which names may match a reading, and at which tiers. */
export interface ReadNames {
  /** Makes a clause at the tier of whole names from a filter over an entry of `names`. */
  atTiers: (filter: Clause) => Clause;
  /** The entries that are searched for near spellings. A company found by number must have such an entry. */
  entries: Clause;
  /** Other entries that are searched for near spellings, one tier lower: previous names. */
  former?: Clause;
  /** True if present names that are the same under the same-as rules match, too: ODDBOTTLE.COM LIMITED. */
  hasSameAs?: boolean;
  /** True for bodies: `Quillory Trading` does not mean QUILLORY LTD. In a search for companies it may. */
  areBodies?: boolean;
}

/**
 * The clauses for what was read in the query, at tiers below those of names that have all of it; none if nothing was
 * read. `partial`: clauses of the plain query that match only some of its words; facts in the query lift these, too.
 */
export function readingClauses(
  reading: CompanyReading,
  { names, partial }: { names: ReadNames; partial: Clause[] },
): Clause[] {
  const read = [
    ...partial,
    ...exactReadings(reading, names),
    ...atAddress(reading, names),
    ...unconfirmed(reading, names),
    ...aroundEnding(reading, names),
    ...nearReading(reading, names),
  ];
  return read.length === 0 ? [] : [{ bool: { must: [bestOf(read)], should: liftsOf(reading) } }];
}

/** Companies whose number, postcode or exact name the query has among other words. */
export function exactReadings(
  { numbers, postcode, address, names: readings, around }: CompanyReading,
  names: ReadNames,
): Clause[] {
  // `Company 00912345` finds that company before THE COMPANY, and `00912345 / 90912345` finds both before 912345 LTD.
  const isOnlyNumber = readings.every(({ name }) => name.words.every(isCommon));
  const isOnlyPostcode = readings.every(({ name }) => name.words.every(asksForPostcode));
  // `London NW10 7DE` finds all companies there before a company called LONDON elsewhere.
  const isTown = postcode !== null && arePlaces(address);
  // Only if no reading takes all the words as the name: HALL LTD of London ranks low for `Hall (London) Ltd, BN1 8FD`.
  const isPlaced = readings.every(({ rest }) => rest.length > 0);
  const { numberAmongWords, postcode: onlyPostcode } = READING_WAYS;
  const way = isOnlyNumber ? NUMBER_WAY : numberAmongWords;
  const byNumber = allOf([{ terms: { id: numbers } }, inNames(names.entries)]);
  const byPostcode = allOf([term("postcode", postcode ?? ""), inNames(names.entries)]);
  return [
    ...(numbers.length > 0 ? [atTier(byNumber, way.tiers.current)] : []),
    ...(postcode && isOnlyPostcode ? [atTier(byPostcode, onlyPostcode.tiers.current)] : []),
    ...(isTown
      ? readings.map((reading) => within(wholeName(reading, names), [term("postcode", postcode)]))
      : []),
    ...readings.map((reading) =>
      namedBeside(reading, { isTown, isPlaced, hasAround: around.length > 0 }, names),
    ),
    ...readings.filter(({ isOpen }) => isOpen).map((reading) => longerNames(reading, names)),
    ...(names.hasSameAs ? readings.filter(hasSameAs).map(sameAs) : []),
  ];
}

/** A whole name, ranked by what else the query has: a town, a place in every reading, words around an ending. */
function namedBeside(
  reading: NameReading,
  { isTown, isPlaced, hasAround }: Record<"isTown" | "isPlaced" | "hasAround", boolean>,
  names: ReadNames,
): Clause {
  if (isTown || reading.isInside) return wholeName({ ...reading, isInside: true }, names);
  if (hasAround && reading.isWrittenOut)
    return wholeName({ ...reading, weight: reading.weight - BEHIND_AROUND }, names);
  const named = wholeName(reading, names);
  // Generic names are not lifted: KITCHENS LTD of Manchester comes after MANCHESTER KITCHEN LTD.
  const isLifted = isPlaced && !reading.name.words.every(isGeneric);
  return isLifted ? liftedByPlace(named, reading.rest) : named;
}

/** Names that begin with a name that may be cut off. They rank below names that equal it. */
function longerNames({ name, weight }: NameReading, { atTiers }: ReadNames): Clause {
  return plus(inNames(atTiers(prefix("names.key", name.key))), ALL_NEAR_BAND + weight);
}

/**
 * Companies at an address with a postcode, if they have every word of it: `1 High Street, Leeds LS1 1ZZ`. If the query
 * is only an address, most words and the house number are enough, or a town without its county. None beside a number,
 * which shows the company.
 */
function atAddress({ numbers, postcode, address }: CompanyReading, { entries }: ReadNames): Clause[] {
  if (postcode === null || numbers.length > 0 || address.length === 0) return [];
  const isTown = arePlaces(address);
  const beginsAddress = BEGINS_ADDRESS.test(address[0] ?? "");
  // Other words may be the name of a company, which is in the address of companies that receive their post there.
  const low = scoreOf(READING_WAYS.nearMostWords.tiers.current);
  const high = isTown || beginsAddress ? scoreOf(READING_WAYS.wholeName.tiers.current) + ALL_NEAR_BAND : low;
  const withWords = (filter: Clause, words: number, score: number) => {
    const filters = [term("postcode", postcode), filter, inNames(entries)];
    return constant(allOf(filters), score + words * WORD_SCORE + WHOLE_NAME_SCORE);
  };
  const words = isTown ? someOf(address.map((word) => term("address", word))) : allWords("address", address);
  const all = withWords(words, Math.min(address.length, QUERY_WORDS), high);
  const house = beginsAddress ? address.findLast(hasDigit) : undefined;
  if (house === undefined) return [all];
  const others = address.filter((word) => !hasDigit(word)).map((word) => term("address", word));
  const most = mostWords(others.length);
  // Ranked low, since the missing words may be a name: `12 Mill Road Management, Leeds LS1 1ZZ`.
  return [all, withWords(allOf([term("address", house), someOf(others, most)]), most, low)];
}

/** True for a web address, and for a closed name with words that the same-as rules ignore: `Quillory UK Ltd, Leeds`. */
function hasSameAs({ name, weight, isDomain }: NameReading): boolean {
  return isDomain ?? (weight === CLOSED && hasUncounted(name));
}

/** True for a name with words that the same-as rules change. A final S alone would cost most queries a clause. */
export function hasUncounted(name: CompanyName): boolean {
  const key = sameAsKey(name);
  return key !== name.key && `${key}S` !== name.key;
}

function sameAs({ name, weight, isDomain }: NameReading): Clause {
  const { current } = READING_WAYS.wholeName.tiers;
  return asWholeName(atTier(term("same_as", sameAsKey(name)), current), isDomain ? weight : SPLIT);
}

/** True for a word that is not a name by itself. */
function isCommon(word: string): boolean {
  return isGeneric(word) || isAroundNames(word) || isNoPlace(word);
}

/** True for a word beside a postcode that is not a name: `Postcode: LS1 1ZZ`, `companies at LS1 1ZZ`. */
function asksForPostcode(word: string): boolean {
  return isAroundNames(word) || isNoPlace(word) || word === "COMPANIES" || word === "POSTCODE";
}

/** A name that equals a part of the query. If the reading requires it, the address must confirm the rest. */
function wholeName(reading: NameReading, { atTiers }: ReadNames): Clause {
  const { rest, agreeing, weight, isInside } = reading;
  const named = inNames(withEnding(atTiers(isNamed(reading)), reading.name));
  // A longer, misspelt name comes before one inside it: for `Qornbys Stores Ltd, Leeds` QUORNBYS STORES before STORES.
  const scored = isInside ? plus(named, ALL_NEAR_BAND + weight) : asWholeName(named, weight);
  return inPlace(scored, { place: rest, agreeing });
}

/** Lifts a name whose address has the place: for `London Midland`, MIDLAND of London comes before NILAND LONDON. */
function liftedByPlace(named: Clause, place: string[]): Clause {
  if (place.length > MOST_PLACE_WORDS) return named;
  const confirmed = allOf(place.map((word) => term("address", word)));
  return { bool: { must: [named], should: [constant(confirmed, CONFIRMED_LIFT)] } };
}

/** Puts the entry with the name's legal ending first among equals. */
export function withEnding(named: Clause, { end }: Pick<CompanyName, "end">): Clause {
  if (end === "NONE") return named;
  return { bool: { must: [named], should: [constant(term("names.end", end), ENDING_LIFT)] } };
}

/** Matches an entry of `names` that equals this name. */
function isNamed({ name, ends }: Pick<NameReading, "name" | "ends">): Clause {
  return allOf([term("names.key", name.key), ...anyOf("names.end", ends ?? [])]);
}

/**
 * Whole names that no address confirms. They are half of the query, or before a comma with several words or before an
 * address. The rest must not be part of a body's name. Also the names at the end of a sentence.
 */
function unconfirmed(
  { names: readings, lastNames }: CompanyReading,
  { entries, areBodies = false }: ReadNames,
): Clause[] {
  const parts = readings.filter(({ agreeing, name: { words }, rest, isFirst }) => {
    const isName = words.length > 1 || distinctiveWords(words).length > 0;
    const isBefore = isFirst && (words.length > 1 || BEGINS_ADDRESS.test(rest[0] ?? ""));
    const isMuch = words.length >= rest.length || isBefore;
    return agreeing > 0 && isName && isMuch && !(areBodies && rest.every(isOfNames));
  });
  const last: Pick<NameReading, "name" | "ends" | "weight">[] = lastNames.map((name) => ({
    name,
    weight: name.words.length > 1 ? LAST_NAME_WEIGHT : LAST_WORD_WEIGHT,
  }));
  return [...parts, ...last].map((reading) => {
    const { name, weight } = reading;
    const score = scoreOf(READING_WAYS.nearMostWords.tiers.current) + name.words.length * WORD_SCORE;
    const filter = allOf([entries, isNamed(reading)]);
    return inNames(withEnding(constant(filter, score + WHOLE_NAME_SCORE + weight), name));
  });
}

/**
 * Names that have all words around a legal ending: SHACKLETON (NORTH) LTD for `Shackleton Ltd (North)`. They rank below
 * names that equal the words before the ending.
 */
function aroundEnding({ around }: CompanyReading, { entries }: ReadNames): Clause[] {
  if (around.length === 0) return [];
  const score = scoreOf(READING_WAYS.wholeName.tiers.current) + AROUND_LIFT;
  return [inNames(constant(allOf([entries, allWords("names.text", around)]), score))];
}

/** True for a generic word that is not a place. LONDON and SCOTLAND are generic, but here they are places. */
function isOfNames(word: string): boolean {
  return isGeneric(word) && !isPlace([word]) && !isNoPlace(word);
}

/** Most words of the query in the name or address. Only distinctive words may be misspelt; the name must have one. */
function nearReading({ words, numbers, postcode }: CompanyReading, { entries, former }: ReadNames): Clause[] {
  // Two of three generic words are in a thousand names, so generic words alone need a number or a postcode beside them.
  const isApart = numbers.length > 0 || postcode !== null || words.some((word) => !isGeneric(word));
  if (words.length === 0 || !isApart) return [];
  const distinctive = mostDistinctiveWords(words);
  const mostIn = (some: Clause, tier: number) => {
    const inName = (word: string) => {
      const isDistinctive = distinctive.includes(word);
      const near = isDistinctive ? nearWord("names.text", word) : constant(term("names.text", word), 0);
      return inNames(within(near, [some]));
    };
    const counted = words.map((word) => nameOrAddress(inName(word), word));
    return within(mostOf(counted, tier), [someOf(distinctive.map(inName))]);
  };
  const { current, previous } = READING_WAYS.nearMostWords.tiers;
  return [mostIn(entries, current), ...(former ? [mostIn(former, previous)] : [])];
}

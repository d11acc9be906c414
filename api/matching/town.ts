/** Compares a town, as lists write it, with the addresses of a candidate. Pure. */
import { isNear } from "../shared/values/nearness.ts";
import { arePlaces, isCounty, isPlace, withoutCountries } from "../search/reading/places.ts";
import { POSTCODE } from "../search/reading/facts.ts";
import { foldText, wordsOf } from "../../index-mappings/names/text.ts";

/** The words of a town, without countries, and without counties unless nothing else is left. */
export interface Town {
  /**
   * The words between commas or brackets; a direction is a part of its own. `City of Leeds (West Yorkshire)` has the
   * part LEEDS, `North Leeds` has NORTH and LEEDS.
   */
  parts: string[][];
  /** True if only a county is given, which most addresses omit. */
  isCounty: boolean;
}

type Words = readonly string[];

const BETWEEN_PARTS = /[,;()[\]/]+|\s[-–]+\s|(?<![\p{L}\p{N}])(?:nr|near)(?![\p{L}\p{N}])/iu;
const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const NUMBER = /^\d+$/;
// After these words, the name of a county is part of another name: Bradford on Avon.
const BEFORE_ANOTHER = new Set(["ON", "UPON", "OF"]);
// Words before a town: `of Leeds`, `City of Leeds`. Without OF they belong to the name: Borough Green.
const BEFORE_A_NAME =
  /^(?:(?:OF|IN|AT) )?(?:(?:THE )?(?:(?:LONDON|ROYAL) )?(?:CITY|TOWN|VILLAGE|BOROUGH) OF )?(?=\S)/;

// Words after a town, as in Durham City. In Welwyn Garden City the word belongs to the name.
const BEHIND_A_NAME = new Set(["CITY", "TOWN"]);
// Words before a town. North Leeds is in Leeds, but West Derby is in Liverpool.
const DIRECTIONS = new Set("NORTH SOUTH EAST WEST CENTRAL".split(" "));
// Words after the name of a street or a house, which may be the name of another town: London Road. ST is left out,
// because it also means Saint.
const STREETS = new Set(
  "ROAD RD STREET LANE AVENUE DRIVE WAY CLOSE COURT HOUSE SQUARE TERRACE PARK PLACE GROVE GARDENS".split(" "),
);
// One word in two forms: Stratford-on-Avon, Stratford-upon-Avon.
const ON = new Set(["ON", "UPON"]);

/** Reads a town; null when it has no words. */
export function readTown(text: string): Town | null {
  const parts = foldText(text)
    .replace(POSTCODE, ",$&,")
    .split(BETWEEN_PARTS)
    .map((part) => withoutCountries(wordsOf(part)))
    .filter((words) => words.some((word) => LETTER.test(word)));
  const [places, isCounty] = withoutCounties(parts);
  const names = places.flatMap((words) =>
    cutDirection(nameOf(words.join(" ").replace(BEFORE_A_NAME, "").split(" "))),
  );
  return names.length > 0 ? { parts: names, isCounty } : null;
}

function withoutCounties(parts: string[][]): [parts: string[][], isCounty: boolean] {
  const left = parts.map(withoutCounty).filter(({ length }) => length > 0);
  return left.length > 0 ? [left, false] : [parts, true];
}

/** The town without a county after or before it. Words after a county that are not a town are a street of that name. */
function withoutCounty(words: string[]): string[] {
  const start = words.findIndex((_word, at) => isCounty(words.slice(at)));
  if (start >= 0) return BEFORE_ANOTHER.has(words[start - 1] ?? "") ? words : words.slice(0, start);
  const end = words.findIndex((_word, at) => isCounty(words.slice(0, at)) && arePlaces(words.slice(at)));
  return end < 0 ? words : words.slice(end);
}

/** A town without CITY, TOWN or the number of a district after it: Durham City, Leeds 1. */
function nameOf(words: string[]): string[] {
  const [before, last = ""] = [words.slice(0, -1), words.at(-1)];
  const isTown = arePlaces(before) && !isCounty(before);
  return isTown && (BEHIND_A_NAME.has(last) || NUMBER.test(last)) ? before : words;
}

/** Makes a direction before a town a part of its own: an address with only the town may be the same place. */
function cutDirection(words: string[]): string[][] {
  const [first = "", ...town] = words;
  return DIRECTIONS.has(first) && arePlaces(town) && !isCounty(words) ? [[first], town] : [words];
}

/**
 * Compares a town with addresses. Null if they may or may not be the same place: a village beside its post town, a
 * street beside a town, or a misspelling of the town in an address without a town. In other addresses a misspelling
 * differs. The name of a street is not taken for a town.
 */
export function compareWithAddresses(
  { parts, isCounty }: Town,
  addresses: readonly Words[],
): "agrees" | "differs" | null {
  const [first = []] = parts;
  const isIn = (address: Words, isAlike = isSameWord) =>
    hasAll(address, parts.flat(), isAlike) || (arePlaces(first) && hasAll(address, first, isAlike));
  // The first part alone is enough only if it is a place: a street or house of the same name is in many towns.
  if (addresses.some((address) => isIn(address))) return "agrees";
  const isThere = (part: Words) => part.some(isTelling) && addresses.some((address) => hasAll(address, part));
  const isKnown = parts.length > 1 && parts.some(isThere);
  const mayBeSlip = addresses.some((address) => isIn(address, isNear) && !hasTown(address));
  return isKnown || isCounty || mayBeSlip ? null : "differs";
}

function hasAll(address: Words, words: Words, isAlike = isSameWord): boolean {
  const own = withoutStreets(address, words);
  return words.every((word) => own.some((other) => isAlike(word, other)));
}

/** The words of an address without the names of streets, unless the town has such a word, too. */
function withoutStreets(address: Words, town: Words = []): Words {
  const isOfStreet = (next = "") => STREETS.has(next) && !town.includes(next);
  return address.filter((_word, at) => !isOfStreet(address[at + 1]));
}

function hasTown(address: Words): boolean {
  const own = withoutStreets(address);
  return own.some((_word, start) =>
    own.some((_last, end) => {
      const words = own.slice(start, end + 1);
      return isPlace(words) && !isCounty(words);
    }),
  );
}

/** False for words that addresses in any town may have: a number, or a direction as in North Street. */
function isTelling(word: string): boolean {
  return !DIGIT.test(word) && !DIRECTIONS.has(word);
}

function isSameWord(word: string, other: string): boolean {
  // Towns must be equal, because one letter makes another town: Hereford, Hertford.
  return word === other || (ON.has(word) && ON.has(other)) || (!arePlaces([word]) && isNear(word, other));
}

/** True if an address has at least `agreeing` words of a place. */
export function hasPlace(place: Words, agreeing: number, addresses: readonly Words[]): boolean {
  const count = (address: Words) => place.filter((word) => address.includes(word)).length;
  return agreeing === 0 || addresses.some((address) => count(address) >= agreeing);
}

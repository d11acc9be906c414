/** Owns the comparison of a town, as lists have it, with the addresses of a candidate. Pure. */
import { isNear } from "../shared/values/nearness.ts";
import { arePlaces, isCounty, isPlace, withoutCountries } from "../search/reading/places.ts";
import { POSTCODE } from "../search/reading/facts.ts";
import { foldText, wordsOf } from "../../index-mappings/names/text.ts";

/** The words of a town, without countries, and without counties unless there is nothing else. */
export interface Town {
  /** Those between commas or brackets, and a direction alone: LEEDS of `City of Leeds (West Yorkshire)`, NORTH and LEEDS. */
  parts: string[][];
  /** True where there is only a county, which most addresses omit. */
  isCounty: boolean;
}

type Words = readonly string[];

const BETWEEN_PARTS = /[,;()[\]/]+|\s[-–]+\s|(?<![\p{L}\p{N}])(?:nr|near)(?![\p{L}\p{N}])/iu;
const DIGIT = /\d/;
const LETTER = /\p{L}/u;
const NUMBER = /^\d+$/;
// Behind these a county's name is another one's: Bradford on Avon.
const BEFORE_ANOTHER = new Set(["ON", "UPON", "OF"]);
// Only before a name, `of Leeds`, `City of Leeds`: of Borough Green and Stoke on Trent such words are a part.
const BEFORE_A_NAME =
  /^(?:(?:OF|IN|AT) )?(?:(?:THE )?(?:(?:LONDON|ROYAL) )?(?:CITY|TOWN|VILLAGE|BOROUGH) OF )?(?=\S)/;

// Behind the name of a town, as the number of a district is: Durham City, Leeds 1. Of Welwyn Garden City they are a part.
const BEHIND_A_NAME = new Set(["CITY", "TOWN"]);
// Before it: North Leeds is there, and West Derby in Liverpool.
const DIRECTIONS = new Set("NORTH SOUTH EAST WEST CENTRAL".split(" "));
// Behind the name of a street or a house, which may be that of another town: London Road. ST is Saint, too.
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

/** A town may have its county behind it, or before it: a word that is no town would be a street of that name. */
function withoutCounty(words: string[]): string[] {
  const start = words.findIndex((_word, at) => isCounty(words.slice(at)));
  if (start >= 0) return BEFORE_ANOTHER.has(words[start - 1] ?? "") ? words : words.slice(0, start);
  const end = words.findIndex((_word, at) => isCounty(words.slice(0, at)) && arePlaces(words.slice(at)));
  return end < 0 ? words : words.slice(end);
}

/** A town without CITY, TOWN or a number behind it. */
function nameOf(words: string[]): string[] {
  const [before, last = ""] = [words.slice(0, -1), words.at(-1)];
  const isTown = arePlaces(before) && !isCounty(before);
  return isTown && (BEHIND_A_NAME.has(last) || NUMBER.test(last)) ? before : words;
}

/** A direction before a town is a part of its own: where an address has only the town, it may be another one or the same. */
function cutDirection(words: string[]): string[][] {
  const [first = "", ...town] = words;
  return DIRECTIONS.has(first) && arePlaces(town) && !isCounty(words) ? [[first], town] : [words];
}

/**
 * How a town compares with addresses; null where that is not known: a village beside its post town, or a street beside a town,
 * may be the same place, and so may a word near the town's name where the address has no town. Other slips do not count, and
 * the name of a street is no town.
 */
export function compareWithAddresses(
  { parts, isCounty }: Town,
  addresses: readonly Words[],
): "agrees" | "differs" | null {
  const [first = []] = parts;
  const isIn = (address: Words, isAlike = isSameWord) =>
    hasAll(address, parts.flat(), isAlike) || (arePlaces(first) && hasAll(address, first, isAlike));
  // A street or house is in many towns.
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

/** False for a word of addresses in any town: a number, the direction of North Street. */
function isTelling(word: string): boolean {
  return !DIGIT.test(word) && !DIRECTIONS.has(word);
}

function isSameWord(word: string, other: string): boolean {
  // One letter makes another town: Hereford, Hertford.
  return word === other || (ON.has(word) && ON.has(other)) || (!arePlaces([word]) && isNear(word, other));
}

/** True where an address has as many words of a place as a reading of the name needs. */
export function hasPlace(place: Words, agreeing: number, addresses: readonly Words[]): boolean {
  const count = (address: Words) => place.filter((word) => address.includes(word)).length;
  return agreeing === 0 || addresses.some((address) => count(address) >= agreeing);
}

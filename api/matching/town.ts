/** Owns the comparison of a town, as lists have it, with the addresses of a candidate. Pure. */
import { editsWhereNear } from "../shared/values/nearness.ts";
import { arePlaces, isCounty } from "../search/reading/common-words.ts";
import { wordsOf } from "../../index-mappings/names/text.ts";

/** The words of a town, without countries, and without counties unless there is nothing else. */
export interface Town {
  /** Those before a comma or bracket: LEEDS of `City of Leeds (West Yorkshire)`. */
  first: string[];
  parts: string[][];
  /** True where there is only a county, which most addresses omit. */
  isCounty: boolean;
}

type Words = readonly string[];

const BETWEEN_PARTS = /[,;()[\]]+|(?<![\p{L}\p{N}])(?:nr|near)(?![\p{L}\p{N}])/iu;
const DIGIT = /\d/;
// These words occur in addresses of any town.
const COUNTRIES = new Set(
  "UNITED KINGDOM UK GB ENGLAND WALES SCOTLAND NORTHERN IRELAND GREAT BRITAIN".split(" "),
);
// Behind these a county's name is another one's: Bradford on Avon.
const BEFORE_ANOTHER = new Set(["ON", "UPON", "OF"]);
// Only before a name, `of Leeds`, `City of Leeds`: of Borough Green and Stoke on Trent such words are a part.
const BEFORE_A_NAME =
  /^(?:(?:OF|IN|AT) )?(?:(?:THE )?(?:(?:LONDON|ROYAL) )?(?:CITY|TOWN|VILLAGE|BOROUGH) OF )?(?=\S)/;

/** Reads a town; null when it has no words. */
export function readTown(text: string): Town | null {
  const parts = text
    .split(BETWEEN_PARTS)
    .map((part) => wordsOf(part).filter((word) => !COUNTRIES.has(word)))
    .filter(({ length }) => length > 0);
  const [places, isCounty] = withoutCounties(parts);
  const names = places.map((words) => words.join(" ").replace(BEFORE_A_NAME, "").split(" "));
  const [first] = names;
  return first ? { first, parts: names, isCounty } : null;
}

function withoutCounties(parts: string[][]): [parts: string[][], isCounty: boolean] {
  const left = parts.map(withoutCounty).filter(({ length }) => length > 0);
  return left.length > 0 ? [left, false] : [parts, true];
}

/** A town may have its county behind it. */
function withoutCounty(words: string[]): string[] {
  const start = words.findIndex((_word, at) => isCounty(words.slice(at)));
  return start < 0 || BEFORE_ANOTHER.has(words[start - 1] ?? "") ? words : words.slice(0, start);
}

/**
 * How a town compares with addresses; null where that is not known: a village beside its post town, or a street beside a town,
 * may be the same place. Slips in words do not count.
 */
export function compareWithAddresses(
  { first, parts, isCounty }: Town,
  addresses: readonly Words[],
): "agrees" | "differs" | null {
  const isIn = (word: string, address: Words) =>
    address.some((other) => word === other || editsWhereNear(word, other) < Infinity);
  const hasAll = (words: Words) => addresses.some((address) => words.every((word) => isIn(word, address)));
  // A street or house is in many towns.
  if (hasAll(parts.flat()) || (arePlaces(first) && hasAll(first))) return "agrees";
  const isThere = (part: Words) => part.some((word) => !DIGIT.test(word)) && hasAll(part);
  const isKnown = parts.length > 1 && parts.some(isThere);
  return isKnown || isCounty ? null : "differs";
}

/** True where an address has as many words of a place as a reading of the name needs. */
export function hasPlace(place: Words, agreeing: number, addresses: readonly Words[]): boolean {
  const count = (address: Words) => place.filter((word) => address.includes(word)).length;
  return agreeing === 0 || addresses.some((address) => count(address) >= agreeing);
}

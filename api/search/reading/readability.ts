/** Decides whether a query can be read as more than a name: of a company, of a person, or of either. */
import { parseCompanyName, parseQueryNumber } from "../../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../../index-mappings/names/text.ts";
import type { Readability } from "../define-search.ts";
import { SHORT_KEY } from "../near-words.ts";
import { isGeneric } from "./common-words.ts";
import { isClosed, readCompanyText } from "./company.ts";
import { readPersonText } from "./person.ts";
import { hasPlace } from "./places.ts";

/** Whether a query for companies can be read. */
export function companyReadability(q: string): Readability {
  const { numbers, postcode, names } = readCompanyText(q);
  const isGenericOnly = wordsOf(q).every(isGeneric);
  const isNamed = names.some((name) => (isGenericOnly ? isClosed(name) : name.agreeing === 0));
  const isBesidePlace = !isGenericOnly && hasPlace(parseCompanyName(q).words);
  // A query that is only a number has nothing beside it.
  const isBesideNumber = numbers.length > 0 && parseQueryNumber(q) === null;
  const isMore = isBesideNumber || postcode !== null || isNamed || isBesidePlace;
  return { isMore, isReadable: isMore || hasSeveralWords(q) };
}

/** True if a query for people and bodies is more than a name. */
function isMoreThanAName(q: string): boolean {
  const { postcode, born, names } = readPersonText(q);
  const isClosed = names.some(({ place, weight }) => place.length === 0 && weight >= 0);
  // A name with a legal ending belongs to a company.
  const isCompany = parseCompanyName(q).end !== "NONE";
  return postcode !== null || born !== null || (!isCompany && (isClosed || hasPlace(wordsOf(q))));
}

/** Whether a query for companies and people can be read. */
export function anyReadability(q: string): Readability {
  const { isMore, isReadable } = companyReadability(q);
  return isMore || isMoreThanAName(q) ? { isMore: true, isReadable: true } : { isMore, isReadable };
}

/** Whether a query that checks a person can be read: several words will do, to show names with fewer forenames. */
export function checkedReadability(q: string): Readability {
  const { isMore, isReadable } = anyReadability(q);
  return { isMore: isMore || (isReadable && wordsOf(q).length > 1), isReadable };
}

/** True for several words, or one that may be several without their spaces: EMBER TIDE for `embrtyde`. */
function hasSeveralWords(q: string): boolean {
  const words = wordsOf(q);
  const isLong = parseQueryNumber(q) === null && words.some(({ length }) => length > SHORT_KEY);
  return (words.length > 1 || isLong) && namesSomebody(q);
}

/** True if the query has a name. Generic words are none, except several beside a place: `Pizza Express London`. */
function namesSomebody(q: string): boolean {
  const words = wordsOf(q);
  return words.some((word) => !isGeneric(word)) || (words.length > 2 && hasPlace(words));
}

/** Owns the decision whether a query is more than a name, on which its phases depend (`inPhases`). Pure. */
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";
import { parseQueryNumber } from "../../../index-mappings/names/query-number.ts";
import { splitWords } from "../../../index-mappings/names/tokens.ts";
import { foldText } from "../../../index-mappings/names/fold.ts";
import type { Readability } from "../define-search.ts";
import { readCompanyText } from "../reading/company.ts";
import { hasPlace } from "../reading/places.ts";
import { readPersonText } from "../reading/person.ts";
import { isGeneric } from "./generic-words.ts";

/** For a query for companies. */
export function companyReadability(q: string): Readability {
  const { numbers, postcode, names } = readCompanyText(q);
  const isClosed = names.some(({ agreeing }) => agreeing === 0);
  const mayName = isClosed || hasPlace(parseCompanyName(q).words);
  // A query that is only a number is searched unchanged.
  const isBesideNumber = numbers.length > 0 && parseQueryNumber(q) === null;
  const isMore = isBesideNumber || postcode !== null || (mayName && namesSomebody(q));
  return { isMore, isReadable: isMore || hasSeveralWords(q) };
}

/** For a query for people, and for bodies among them. */
function personReadability(q: string): Readability {
  const { postcode, born, names } = readPersonText(q);
  const isClosed = names.some(({ place }) => place.length === 0);
  // A name with a legal ending belongs to a company.
  const isCompany = parseCompanyName(q).end !== "NONE";
  const isMore =
    postcode !== null || born !== null || (!isCompany && (isClosed || hasPlace(splitWords(foldText(q)))));
  return { isMore, isReadable: isMore || hasSeveralWords(q) };
}

/** For a query for both. */
export function anyReadability(q: string): Readability {
  const [company, person] = [companyReadability(q), personReadability(q)];
  return { isMore: company.isMore || person.isMore, isReadable: company.isReadable || person.isReadable };
}

/** For a query that checks a person: a name with fewer forenames is shown beside those that have all. */
export function checkedReadability(q: string): Readability {
  const { isReadable } = anyReadability(q);
  return { isMore: isReadable, isReadable };
}

// Tuned: a name of several words has this many letters.
const JOINED_LETTERS = 10;

/** One word has nothing beside it, unless it is long enough to be several without their spaces. */
function hasSeveralWords(q: string): boolean {
  const words = splitWords(foldText(q));
  const isLong = words.some(({ length }) => length >= JOINED_LETTERS);
  return (words.length > 1 || isLong) && namesSomebody(q);
}

/** Generic words alone are no name. */
function namesSomebody(q: string): boolean {
  return splitWords(foldText(q)).some((word) => !isGeneric(word));
}

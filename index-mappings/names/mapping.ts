/** Mappings and settings of indices that are searched by names, in the nested field `names` (entries: `entries.ts`). */
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import settings from "../settings.json" with { type: "json" };
import { SEARCHED_KEYWORD, DAY, KEYWORD, TYPED_WORDS, WORDS } from "../fields.ts";

/**
 * The version of the name rules, raised with any change to the forms of names. Index and query must agree, so an index
 * that was built under another version is not searched until `reindex` has rebuilt it.
 */
export const NAMES_VERSION = 6;

/** Fields of an entry with the name of a company or a body. */
const COMPANY_NAME = {
  name: { ...SEARCHED_KEYWORD, index: false },
  current: { type: "boolean" },
  ceased: DAY,
  key: SEARCHED_KEYWORD,
  end: SEARCHED_KEYWORD,
  starts: SEARCHED_KEYWORD,
  text: TYPED_WORDS,
};

/** Further fields where an entry may be a person's name. */
const PERSON_NAME = {
  surname: SEARCHED_KEYWORD,
  first: SEARCHED_KEYWORD,
  others: SEARCHED_KEYWORD,
  full: SEARCHED_KEYWORD,
  given: TYPED_WORDS,
  person: TYPED_WORDS,
  letters: SEARCHED_KEYWORD,
  run: SEARCHED_KEYWORD,
};

/** Mappings and settings of an index of companies, with these fields of its own. */
export function searchedCompanies(own: object): SearchedByNames {
  return searchedBy(COMPANY_NAME, own);
}

/** The same for an index of people, some of which are bodies. */
export function searchedPeople(own: object): SearchedByNames {
  return searchedBy({ ...COMPANY_NAME, ...PERSON_NAME }, { born: SEARCHED_KEYWORD, ...own });
}

type SearchedByNames = Pick<IndexDefinition, "mappings" | "settings">;

/** The fields that every index has, with those of its own, and the version of the name rules. */
function searchedBy(name: object, own: object): SearchedByNames {
  const properties = {
    kind: KEYWORD,
    id: KEYWORD,
    status_rank: { type: "byte" },
    words: { type: "short" },
    order_key: KEYWORD,
    address: WORDS,
    postcode: SEARCHED_KEYWORD,
    names: { type: "nested", properties: name },
    shown: { type: "object", enabled: false },
    ...own,
  };
  return { settings, mappings: { dynamic: "strict", properties, _meta: { names_version: NAMES_VERSION } } };
}

/** Owns the mappings of indices that are searched by names: the nested field `names`, whose entries `entries.ts` builds. */
import { ASKED, DAY, KEYWORD, TYPED_WORDS, WORDS } from "../fields.ts";

/**
 * Raised with any change to the forms of names. Index and query must agree: an index built under another
 * version is not searched but rebuilt.
 */
export const NAMES_VERSION = 6;

/** Fields of an entry that is the name of a company or a body. */
const COMPANY_NAME = {
  name: { ...ASKED, index: false },
  current: { type: "boolean" },
  ceased: DAY,
  key: ASKED,
  end: ASKED,
  starts: ASKED,
  text: TYPED_WORDS,
};

/** Further fields where an entry may be a person's name. */
const PERSON_NAME = {
  surname: ASKED,
  first: ASKED,
  others: ASKED,
  full: ASKED,
  given: TYPED_WORDS,
  person: TYPED_WORDS,
  letters: ASKED,
  run: ASKED,
};

/** The mappings of an index of companies, with these fields of its own. */
export function companyMappings(own: object): Record<string, unknown> {
  return mappingsOf(COMPANY_NAME, own);
}

/** The mappings of an index of people, and of bodies among them. */
export function peopleMappings(own: object): Record<string, unknown> {
  return mappingsOf({ ...COMPANY_NAME, ...PERSON_NAME }, { born: ASKED, ...own });
}

/** The fields of every index, its own ones, and the version of the name rules. */
function mappingsOf(name: object, own: object): Record<string, unknown> {
  const properties = {
    kind: KEYWORD,
    id: KEYWORD,
    status_rank: { type: "byte" },
    words: { type: "short" },
    order_key: KEYWORD,
    address: WORDS,
    postcode: ASKED,
    names: { type: "nested", properties: name },
    shown: { type: "object", enabled: false },
    ...own,
  };
  return { dynamic: "strict", properties, _meta: { names_version: NAMES_VERSION } };
}

/** Matches companies: the queries of a question, and the comparison with each company found. Pure. */
import { addressSnippet } from "../shared/values/address.ts";
import { inAddress, inNames, someOf, type Clause } from "../search/clauses.ts";
import { searchCompanies } from "../search/companies.ts";
import type { SearchDefinition } from "../search/define-search.ts";
import type { SearchHit } from "../shared/definitions/search-result.ts";
import type { ShownCompany } from "../../index-mappings/companies/index.ts";
import { parseCompanyName, parseQueryNumber } from "../../index-mappings/names/company-name.ts";
import { wordsOf } from "../../index-mappings/names/text.ts";
import { squeezePostcode } from "../../index-mappings/places.ts";
import { companyForms, type CompanyForm, formsInPlace } from "./company-forms.ts";
import { compareCompanyNames, keyOfInitials } from "./company-names.ts";
import { mostSimilar } from "./decide.ts";
import type { Compared, Likeness, Matching } from "./define-match.ts";
import { compareFacts, compareTown, hasPostcode, readFacts, withoutFactsOfName } from "./facts.ts";
import { readTown } from "./town.ts";

// Tuned: a former name is as certain as a present one, but ranks after it when all else is equal.
const FORMER_COSTS = 2;

export const companyMatching: Matching = {
  // The cast: `searchBy` parses the values by the search's own parameters.
  search: searchCompanies as unknown as SearchDefinition,
  index: "companies",
  members: ["shown"],
  read: (question) => {
    const known = readFacts(question);
    const { facts, notes } = known;
    const { number, postcode } = facts;
    const name = question.name.trim();
    const isNumber = number !== null && parseQueryNumber(name) === number;
    // Also for a text that is a number: a company may be called 118118 LIMITED.
    const forms = companyForms(name);
    return {
      name: isNumber || forms.length === 0 ? "" : name,
      conditions: [
        [],
        ...(postcode === null ? [] : [[hasPostcode(postcode)]]),
        // The last part is the town; before it may come a village, a street or a direction.
        ...(facts.town ? [inAddress(facts.town.parts.at(-1)?.join(" "))] : []),
      ],
      ids: number === null ? [] : [number],
      // Most names in a list are spelt as in the register. To fetch these costs a tenth of a search.
      equal: forms.length > 0 ? hasEqualName(forms.filter(({ agreeing }) => agreeing === 0)) : null,
      ofKeys: hasKey,
      compare: (hit) => compareCompany(hit, isNumber && hit.id === number ? [] : forms, known),
      notes,
    };
  },
};

/** A query for companies with the same name, present or former, or with a present name that is legally the same. */
function hasEqualName(forms: readonly CompanyForm[]): Clause {
  const sameAs = { terms: { same_as: forms.map((form) => form.sameAs) } };
  const keys = forms.flatMap(({ key, words }) => [key, keyOfInitials(words) ?? key]);
  return someOf([hasKey(keys), sameAs]);
}

function hasKey(keys: string[]): Clause {
  return inNames({ terms: { "names.key": keys } });
}

type Known = ReturnType<typeof readFacts>;

function compareCompany(hit: SearchHit, forms: readonly CompanyForm[], read: Known): Compared {
  const { facts: known } = read;
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { registered_office_address: address, company_status: status = null } = company;
  const words = address ? wordsOf(addressSnippet(address)) : [];
  const named = formsInPlace(forms, [words]).map((form) => ({ form, likeness: likenessOf(form, company) }));
  const alike = forms.length === 0 ? null : mostSimilar(named.map((one) => one.likeness));
  const form = named.find((one) => one.likeness === alike)?.form;
  const likeness = alike && { ...alike, hasWholeText: hasWholeText(forms[0], company) };
  const found = compareFacts(known, {
    numbers: [hit.id],
    postcodes: address?.postal_code ? [squeezePostcode(address.postal_code)] : [],
    addresses: [words],
    status,
  });
  const facts = withoutFactsOfName(found, likeness, read);
  // A place after the name counts as the town if it is in the registered address.
  const place = facts.town ? null : compareTown(readTown(form?.rest.join(" ") ?? ""), [words]);
  if (place?.agreement === "agrees") facts.town = place;
  const description = [hit.id, company.type, status, address && addressSnippet(address)];
  return {
    type: "company",
    id: hit.id,
    name: company.company_name,
    status,
    description: description.filter(Boolean).join(", "),
    likeness,
    facts,
    isByNumber: known.number === hit.id,
  };
}

function hasWholeText(whole: CompanyForm | undefined, { company_name }: ShownCompany): boolean {
  const { key } = parseCompanyName(company_name);
  return key === whole?.key || (whole?.ends.length === 0 && key.startsWith(whole.key));
}

function likenessOf(
  form: CompanyForm,
  { company_name, previous_company_names = [] }: ShownCompany,
): Likeness {
  const present = compareCompanyNames(form, parseCompanyName(company_name));
  const former = previous_company_names.map(({ name, ceased_on }) => {
    const { strength, score, reason, isReworded = false } = compareCompanyNames(form, parseCompanyName(name));
    const until = ceased_on ? `, until ${ceased_on}` : "";
    return {
      strength,
      score: Math.max(0, score - FORMER_COSTS),
      reason: `${reason} (former name ${name}${until})`,
      isReworded,
    };
  });
  return mostSimilar([present, ...former]);
}

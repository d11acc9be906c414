/** The table of suites: each search with its forms of queries. */
import { QUERY_CHARACTERS } from "../../../api/search/reading/query-text.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import type { Random } from "../random.ts";
import type { IndexedPerson, RegisterSample, SampledCompany } from "../search/sample.ts";
import { isCompany, toCompanyTarget } from "./company-target.ts";
import type { Fact, Form, Least } from "./define-form.ts";
import { endingForms, nameForms } from "./forms/company-names.ts";
import { companyNumberForms } from "./forms/company-numbers.ts";
import { surplusForms, tradingForms, webForms } from "./forms/company-papers.ts";
import { addressForms, placeForms, postcodeForms } from "./forms/company-places.ts";
import { companySlipForms } from "./forms/company-slips.ts";
import { personFactForms } from "./forms/person-facts.ts";
import { personNameForms } from "./forms/person-names.ts";
import { suggestForms } from "./forms/suggestions.ts";
import type { FoundItem } from "./found-item.ts";
import { isPerson, toPersonTarget } from "./person-target.ts";
import { CASES, type Case } from "./wording.ts";

/** A query for a target. */
export interface Probe {
  query: string;
  /** Description of the target for people. */
  target: string;
  isTarget: (item: FoundItem) => boolean;
}

/** A form of the queries of one search. */
export interface FormOfSearch {
  name: string;
  least: Least | undefined;
  /** Draws a target and writes the query; undefined if the target lacks what the form needs. */
  draw: (sample: RegisterSample, random: Random) => Probe | undefined;
}

/** A search and its forms. */
export interface Suite {
  /** Its name in the table and for --searches. */
  name: string;
  /** Path of the search. */
  path: string;
  /** Which names that nobody has are also searched for; absent: none. */
  absent?: "companies" | "people";
  forms: FormOfSearch[];
}

const companies = {
  targetsOf: ({ companies: live, dissolved }: RegisterSample, random: Random) =>
    random.below(4) === 0 && dissolved.length > 0 ? dissolved : live,
  write: toCompanyTarget,
  isSame: isCompany,
  describe: ({ number, name, address: { locality, postal_code } = {} }: SampledCompany) =>
    [`${name} #${number}`, locality, postal_code].filter(Boolean).join(", "),
};

const peopleOf = (index: IndexName) => ({
  targetsOf: ({ people }: RegisterSample) => people[index] ?? [],
  write: toPersonTarget,
  isSame: isPerson,
  describe: ({
    forename,
    otherForenames,
    surname,
    birth,
    address: { locality, postal_code } = {},
  }: IndexedPerson) =>
    [[forename, otherForenames, surname].filter(Boolean).join(" "), birth, locality, postal_code]
      .filter(Boolean)
      .join(", "),
});

const companyForms = [
  ...nameForms,
  ...endingForms,
  ...surplusForms,
  ...webForms,
  ...tradingForms,
  ...companyNumberForms,
  ...placeForms,
  ...postcodeForms,
  ...addressForms,
  ...companySlipForms,
];

// The search over all kinds reads a query for companies as the search of companies does, so a few forms of each sort
// suffice.
const FORMS_OF_ALL = [
  "exact name",
  "ending in front",
  "surplus word behind",
  "name t/a something",
  "name, ending, (number)",
  "number with a label",
  "name, ending, town",
  "name, ending, postcode",
  "address by commas",
  "slip, ending, town",
];
const companyFormsOfAll = companyForms.filter(({ name }) => FORMS_OF_ALL.includes(name));
const personForms = [...personNameForms, ...personFactForms];

/** All suites in the order of the table. */
export const suites: readonly Suite[] = [
  defineSuite("companies", "/search/companies", { forms: companyForms, ...companies, absent: "companies" }),
  defineSuite("suggest", "/suggest/companies", { forms: suggestForms, ...companies }),
  defineSuite("officers", "/search/officers", {
    forms: personForms,
    ...peopleOf("officers"),
    absent: "people",
  }),
  defineSuite("disqualified", "/search/disqualified-officers", {
    forms: personForms,
    ...peopleOf("disqualified-officers"),
    absent: "people",
  }),
  defineSuite("controllers", "/search/persons-with-significant-control", {
    forms: personForms,
    ...peopleOf("persons-with-significant-control"),
    absent: "people",
  }),
  defineSuite("all", "/search", { forms: personForms, ...peopleOf("officers") }),
  defineSuite("all-companies", "/search", { forms: companyFormsOfAll, ...companies }),
];

interface SuiteParts<Sampled, Target> {
  forms: readonly Form<Target>[];
  targetsOf: (sample: RegisterSample, random: Random) => readonly Sampled[];
  write: (sampled: Sampled, style: Case) => Target;
  isSame: (item: FoundItem, target: Target, facts: readonly Fact[]) => boolean;
  describe: (sampled: Sampled) => string;
  absent?: "companies" | "people";
}

function defineSuite<Sampled, Target>(name: string, path: string, parts: SuiteParts<Sampled, Target>): Suite {
  const { forms, absent } = parts;
  return {
    name,
    path,
    ...(absent && { absent }),
    forms: forms.map((form) => ({
      name: form.name,
      least: form.least,
      draw: (sample, random) => drawProbe(form, parts, sample, random),
    })),
  };
}

function drawProbe<Sampled, Target>(
  form: Form<Target>,
  { targetsOf, write, isSame, describe }: SuiteParts<Sampled, Target>,
  sample: RegisterSample,
  random: Random,
): Probe | undefined {
  const sampled = random.pick(targetsOf(sample, random));
  const target = write(sampled, random.pick(CASES));
  const query = form.write(target, random)?.trim();
  if (!query || query.length > QUERY_CHARACTERS) return undefined;
  const { facts = [], fits } = form;
  return {
    query,
    target: describe(sampled),
    isTarget: (item) => isSame(item, target, facts) || fits?.(item, target, query) === true,
  };
}

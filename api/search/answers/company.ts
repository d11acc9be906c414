/** A company as an item of the primary searches. */
import { addressSchema, addressSnippet } from "../../shared/values/address.ts";
import { formatLongDate, byNewestEnd } from "../../shared/values/dates.ts";
import {
  enumerationKeys,
  enumerationLabel,
  enumerationSchema,
  ENDED_STATUSES,
} from "../../shared/values/enumerations.ts";
import { pickMembers } from "../../shared/values/members.ts";
import { DATE, linkSchema, orNull, objectWithOptional } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import type { SearchHit } from "../../shared/definitions/search-result.ts";
import { bandOf, BANDS, NAME_WAYS, READING_WAYS, tierOf, tiersOfPrevious } from "../ranking/tiers.ts";
import { describeMatch, isPartOf, type Matched } from "./matched.ts";
import type { QueryForms } from "./name-forms.ts";
import { MATCH_MEMBERS, matchedSchemas } from "./explain.ts";

const PREVIOUS_TIERS = tiersOfPrevious(NAME_WAYS, READING_WAYS);
const UNKNOWN_DATE = "Unknown";

// The description identifier of each status that has one. Companies of other statuses are described by their formation.
const DESCRIPTION_BY_STATUS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dissolved: "dissolved-on",
    "converted-closed": "converted-closed-on",
    closed: "closed-on",
    removed: "removed",
    liquidation: "liquidation",
    receivership: "receivership",
    administration: "administration",
    "voluntary-arrangement": "voluntary-arrangement",
    "insolvency-proceedings": "insolvency-proceedings",
  }),
);

// The description identifier for the formation of each company type. Looked up once, because every item needs one.
const BIRTH_IDENTIFIERS = new Map(
  enumerationKeys("company_birth_type").map((type) => [
    type,
    birthIdentifier(enumerationLabel("company_birth_type", type) ?? ""),
  ]),
);

/** A company as an item. */
export function presentCompany(hit: SearchHit, query: QueryForms): Record<string, unknown> {
  const company = hit.source.shown as ShownCompany; // the document of the index that the hit is from
  const { company_name: title, registered_office_address: address } = company;
  const identifier = descriptionIdentifier(company);
  const description = identifier && describe(identifier, company);
  return {
    kind: "searchresults#company",
    title,
    company_number: hit.id,
    company_status: company.company_status ?? null,
    company_type: company.type,
    date_of_creation: company.date_of_creation ?? null,
    ...cessation(company),
    ...pickMembers(company, ["external_registration_number"]),
    description: [hit.id, description].filter(Boolean).join(" - "),
    description_identifier: [identifier],
    address: address ?? null,
    address_snippet: address ? addressSnippet(address) : null,
    ...matchOf(hit, company, query),
    links: { self: `/company/${hit.id}` },
  };
}

/** The name that matched, and its marks. A company found by its number has neither, whatever its name. */
export function matchOf({ id, score }: SearchHit, company: ShownCompany, query: QueryForms): Matched {
  if (id === query.number) return { snippet: "", matches: {} };
  // Without a score the present name has the same same-as key.
  if (score === null) return describeMatch(query, company.company_name, []);
  // Limit: for `Three Quillory UK Ltd, Leeds`, a 3 QUILLORY LTD (the same name by law) shows its previous QUILLORY LTD.
  // The tier tells whether a previous name matched.
  const isPrevious = PREVIOUS_TIERS.has(tierOf(score));
  const previous = isPrevious || isAmongWords(score) ? (company.previous_company_names ?? []) : [];
  const names = previous.toSorted(byNewestEnd).map(({ name }) => name);
  const answering = isPrevious ? names : names.filter((name) => isPartOf(query, query.read(name)));
  return describeMatch(query, company.company_name, answering, isPrevious);
}

/** True for a whole name among other words, present or previous. In a sentence it has the band of near names. */
function isAmongWords(score: number): boolean {
  return bandOf(score) !== BANDS.partial && tierOf(score) === READING_WAYS.wholeName.tiers.current;
}

function cessation({ company_status, date_of_cessation }: ShownCompany): Record<string, string> {
  if (date_of_cessation) return { date_of_cessation };
  return ENDED_STATUSES.has(company_status ?? "") ? { date_of_cessation: UNKNOWN_DATE } : {};
}

function descriptionIdentifier(company: ShownCompany): string | null {
  const { company_status: status = "", type, date_of_cessation } = company;
  if (status === "closed" && !date_of_cessation) return "closed";
  const byStatus = DESCRIPTION_BY_STATUS.get(status);
  if (byStatus) return byStatus;
  if (company.external_registration_number) return "registered-externally";
  return company.date_of_creation ? (BIRTH_IDENTIFIERS.get(type) ?? null) : null;
}

/** The description identifier whose published text begins with these words for the formation of a company. */
function birthIdentifier(words: string): string | undefined {
  const identifiers = enumerationKeys("company_search_description");
  return identifiers.find((key) => templateOf(key).startsWith(`${words} {`));
}

function describe(identifier: string, company: ShownCompany): string {
  return templateOf(identifier).replace(/\{(?:date:)?(\w+)\}/g, (_all, member: string) => {
    const value = company[member as keyof ShownCompany];
    if (typeof value !== "string") return UNKNOWN_DATE;
    return member.startsWith("date_") ? formatLongDate(value) : value;
  });
}

function templateOf(identifier: string): string {
  return enumerationLabel("company_search_description", identifier) ?? "";
}

const NULLABLE_TEXT = { type: ["string", "null"] };

/** JSON Schema of a company as an item. */
export const companyItemSchema: JsonSchema = {
  title: "company-search-item",
  description: "A company that a search found.",
  ...objectWithOptional(["date_of_cessation", "external_registration_number", ...MATCH_MEMBERS], {
    kind: { const: "searchresults#company" },
    title: { type: "string", description: "Present name of the company." },
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    company_status: orNull(enumerationSchema("company_status")),
    company_type: enumerationSchema("company_type"),
    date_of_creation: { type: ["string", "null"], format: "date" },
    date_of_cessation: {
      anyOf: [DATE, { const: UNKNOWN_DATE }],
      description: `Day on which the company ended, or \`${UNKNOWN_DATE}\`.`,
    },
    external_registration_number: { type: "string" },
    description: {
      type: "string",
      description: "Number of the company, and how it began or ended, in words.",
    },
    description_identifier: {
      type: "array",
      items: orNull(enumerationSchema("company_search_description")),
    },
    address: orNull(addressSchema),
    address_snippet: NULLABLE_TEXT,
    ...matchedSchemas,
    links: linkSchema("self"),
  }),
};

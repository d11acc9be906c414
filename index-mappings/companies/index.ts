/** The index of companies and its documents. */
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { ACTIVE_STATUSES, ENDED_STATUSES } from "../../api/shared/values/enumerations.ts";
import { pickMembers } from "../../api/shared/values/members.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { defineIndex, type SearchDocument } from "../../api/shared/definitions/define-index.ts";
import { allNameWords } from "../names/company-name.ts";
import { buildCompanyEntry, type NameEntry } from "../names/entries.ts";
import { foldText } from "../names/text.ts";
import { searchedCompanies } from "../names/mapping.ts";
import { sameAsKey } from "../names/same-as.ts";
import { DAY, KEYWORD, WORDS } from "../fields.ts";
import { addressWords, squeezePostcode } from "../places.ts";

const SHOWN_MEMBERS = [
  "company_name",
  "company_status",
  "type",
  "subtype",
  "date_of_creation",
  "date_of_cessation",
  "external_registration_number",
  "previous_company_names",
  "registered_office_address",
  "sic_codes",
] as const satisfies (keyof CompanyProfile)[];

/** The members that answers of the company searches show, named as in the profile. */
export type ShownCompany = Pick<CompanyProfile, (typeof SHOWN_MEMBERS)[number]>;

const SPACES = /\s+/g;

/** A company's search document; null only without a record. */
function companyDocument([record]: StoredRecord<CompanyProfile>[]): SearchDocument | null {
  if (!record) return null;
  const { data: company } = record;
  const { entry, name } = buildCompanyEntry({ name: company.company_name, current: true });
  const address = company.registered_office_address;
  return {
    kind: "company",
    id: company.company_number,
    type: company.type,
    subtype: company.subtype,
    status: company.company_status,
    sic: company.sic_codes,
    jurisdiction: company.jurisdiction,
    status_rank: rankStatus(company.company_status ?? ""),
    created: company.date_of_creation,
    ceased: company.date_of_cessation,
    locality: address?.locality && foldText(address.locality),
    address: address && addressWords(address),
    postcode: address?.postal_code && squeezePostcode(address.postal_code),
    words: name.words.length,
    order_key: name.key,
    order_key_id: `${name.key}:${company.company_number}`,
    same_as: sameAsKey(name),
    squeezed: squeezeName(company.company_name),
    name_words: allNameWords(name).join(" "),
    names: [entry, ...previousEntries(company)],
    shown: pickMembers(company, SHOWN_MEMBERS),
  };
}

/** Groups of the ranking: active, insolvent or unknown, ended. */
function rankStatus(status: string): number {
  if (ACTIVE_STATUSES.has(status)) return 0;
  return ENDED_STATUSES.has(status) ? 2 : 1;
}

/** A name in lower case without spaces, by which the alphabetical search finds what the name key does not. */
export function squeezeName(name: string): string {
  return name.toLowerCase().replace(SPACES, "");
}

function previousEntries(company: CompanyProfile): NameEntry[] {
  const previous = company.previous_company_names ?? [];
  return previous.map(
    ({ name, ceased_on }) => buildCompanyEntry({ name, current: false, ceased: ceased_on }).entry,
  );
}

export const companiesIndex = defineIndex({
  name: "companies",
  version: 3,
  ...searchedCompanies({
    type: KEYWORD,
    subtype: KEYWORD,
    status: KEYWORD,
    sic: KEYWORD,
    jurisdiction: KEYWORD,
    order_key_id: KEYWORD,
    same_as: KEYWORD,
    squeezed: KEYWORD,
    created: DAY,
    ceased: DAY,
    locality: KEYWORD,
    name_words: WORDS,
  }),
  record: companyRecord,
  groupBy: "_id",
  document: companyDocument,
});

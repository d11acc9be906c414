/** JSON Schemas of the members of a stored company profile. Members that are computed at read are not among them. */
import type { FromSchema } from "json-schema-to-ts";
import {
  DATE,
  ETAG,
  COMPANY_NUMBER,
  FLAG,
  listOf,
  objectOf,
  textUpTo,
} from "../../shared/schemas/schemas.ts";
import { addressSchema } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

const NAME = textUpTo(300);
// Limit: with a longer text the whole company is refused.
const TEXT = textUpTo(4000);
export const DAY_OF_YEAR = {
  title: "day-of-year",
  description: "A day of the year.",
  ...objectOf(["day", "month"], {
    day: { type: "integer", minimum: 1, maximum: 31 },
    month: { type: "integer", minimum: 1, maximum: 12 },
  }),
} as const;

// Codes of four digits are from the list of 2003, which old records still use.
export const SIC_CODE = { type: "string", pattern: "^\\d{4,5}$" } as const;

const accountsSchema = objectOf([], {
  accounting_reference_date: DAY_OF_YEAR,
  last_accounts: objectOf([], {
    period_start_on: DATE,
    period_end_on: DATE,
    type: enumerationSchema("account_type"),
  }),
  next_accounts: objectOf([], { due_on: DATE, period_start_on: DATE, period_end_on: DATE }),
});

/** Either yearly return: the annual return, or the confirmation statement that replaced it in 2016. */
const returnSchema = objectOf([], { last_made_up_to: DATE, next_due: DATE, next_made_up_to: DATE });

const branchSchema = {
  title: "branch-company-details",
  description: "The overseas company that a UK establishment belongs to.",
  ...objectOf([], {
    business_activity: TEXT,
    parent_company_name: NAME,
    parent_company_number: COMPANY_NUMBER,
  }),
} as const;

const foreignCompanySchema = {
  title: "foreign-company-details",
  description: "What an overseas company has stated in its home country.",
  ...objectOf([], {
    accounting_requirement: objectOf([], {
      foreign_account_type: enumerationSchema("foreign_account_type"),
      terms_of_account_publication: enumerationSchema("terms_of_account_publication"),
    }),
    accounts: {
      description: "Accounts that the law of the home country asks for.",
      ...objectOf([], {
        account_period_from: DAY_OF_YEAR,
        account_period_to: DAY_OF_YEAR,
        must_file_within: objectOf(["months"], { months: { type: "integer", minimum: 0, maximum: 999 } }),
      }),
    },
    business_activity: TEXT,
    company_type: { ...TEXT, description: "Legal form of the company in its home country." },
    governed_by: TEXT,
    is_a_credit_finance_institution: FLAG,
    originating_registry: objectOf([], {
      country: { ...NAME, description: "Country of the registry." },
      name: { ...TEXT, description: "Name of the registry." },
    }),
    registration_number: { ...NAME, description: "Number of the company in its home registry." },
  }),
} as const;

const annotationSchema = {
  title: "corporate-annotation",
  description: "A note that the registrar has put on a company's record.",
  ...objectOf(["type"], {
    type: enumerationSchema("corporate_annotation_type"),
    created_on: { ...DATE, description: "Day on which the note was made." },
    description: { ...TEXT, description: "Text of the note, where its type is `other`." },
  }),
} as const;

const previousNameSchema = {
  title: "previous-company-name",
  description: "A name that a company had before, and for how long.",
  ...objectOf(["name"], {
    name: { ...NAME, description: "The previous name." },
    effective_from: DATE,
    ceased_on: DATE,
  }),
} as const;

/**
 * The profile as stored: specification 2.1 with the additions of the API reference 7.1, in the specification's spelling
 * where the two differ. Derived from other members or from the day, and therefore not stored: every `overdue`,
 * `can_file`, `links`, `is_community_interest_company` and the deprecated copies inside `accounts`.
 */
export const companySchema = objectOf(["company_name", "company_number", "type"], {
  company_name: NAME,
  company_number: COMPANY_NUMBER,
  type: enumerationSchema("company_type"),
  company_status: enumerationSchema("company_status"),
  company_status_detail: enumerationSchema("company_status_detail"),
  date_of_cessation: DATE,
  date_of_creation: DATE,
  jurisdiction: enumerationSchema("jurisdiction"),
  partial_data_available: enumerationSchema("partial_data_available"),
  subtype: enumerationSchema("company_subtype"),
  has_been_liquidated: FLAG,
  has_charges: FLAG,
  has_insolvency_history: FLAG,
  has_super_secure_pscs: FLAG,
  is_on_register_in_country_formed_in: FLAG,
  registered_office_is_in_dispute: FLAG,
  undeliverable_registered_office_address: FLAG,
  accounts: accountsSchema,
  annual_return: returnSchema,
  confirmation_statement: returnSchema,
  last_full_members_list_date: DATE,
  branch_company_details: branchSchema,
  corporate_annotation: listOf(100, annotationSchema),
  external_registration_number: NAME,
  foreign_company_details: foreignCompanySchema,
  // Newest first.
  previous_company_names: listOf(200, previousNameSchema),
  registered_office_address: addressSchema,
  service_address: addressSchema,
  sic_codes: listOf(20, SIC_CODE),
  term: TEXT,
  // The ETag that the source gave.
  etag: ETAG,
});

/** A company as stored. */
export type CompanyProfile = FromSchema<typeof companySchema>;

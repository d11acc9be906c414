/** Owns the members of a stored company profile. What is computed at read is not among them. */
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { addressSchema } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

const FLAG = { type: "boolean" } as const;
const NAME = { type: "string", minLength: 1, maxLength: 300 } as const;
const DAY_OF_YEAR = {
  title: "day-of-year",
  description: "A day of the year.",
  type: "object",
  additionalProperties: false,
  required: ["day", "month"],
  properties: {
    day: { type: "integer", minimum: 1, maximum: 31 },
    month: { type: "integer", minimum: 1, maximum: 12 },
  },
} as const;

const accountsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    accounting_reference_date: DAY_OF_YEAR,
    last_accounts: {
      type: "object",
      additionalProperties: false,
      properties: {
        period_start_on: DATE,
        period_end_on: DATE,
        type: enumerationSchema("account_type"),
      },
    },
    next_accounts: {
      type: "object",
      additionalProperties: false,
      properties: { due_on: DATE, period_start_on: DATE, period_end_on: DATE },
    },
  },
} as const;

/** Both yearly returns: the annual return, and the confirmation statement that replaced it in 2016. */
const returnSchema = {
  type: "object",
  additionalProperties: false,
  properties: { last_made_up_to: DATE, next_due: DATE, next_made_up_to: DATE },
} as const;

const branchSchema = {
  title: "branch-company-details",
  description: "The overseas company that a UK establishment belongs to.",
  type: "object",
  additionalProperties: false,
  properties: {
    business_activity: NAME,
    parent_company_name: NAME,
    parent_company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
  },
} as const;

const foreignCompanySchema = {
  title: "foreign-company-details",
  description: "What an overseas company has stated in its home country.",
  type: "object",
  additionalProperties: false,
  properties: {
    accounting_requirement: {
      type: "object",
      additionalProperties: false,
      properties: {
        foreign_account_type: enumerationSchema("foreign_account_type"),
        terms_of_account_publication: enumerationSchema("terms_of_account_publication"),
      },
    },
    accounts: {
      type: "object",
      additionalProperties: false,
      description: "Accounts that the law of the home country asks for.",
      properties: {
        account_period_from: DAY_OF_YEAR,
        account_period_to: DAY_OF_YEAR,
        must_file_within: {
          type: "object",
          additionalProperties: false,
          required: ["months"],
          properties: { months: { type: "integer", minimum: 0, maximum: 999 } },
        },
      },
    },
    business_activity: NAME,
    company_type: { ...NAME, description: "Legal form of the company in its home country." },
    governed_by: NAME,
    is_a_credit_finance_institution: FLAG,
    originating_registry: {
      type: "object",
      additionalProperties: false,
      properties: {
        country: { ...NAME, description: "Country of the registry." },
        name: { ...NAME, description: "Name of the registry." },
      },
    },
    registration_number: { ...NAME, description: "Number of the company in its home registry." },
  },
} as const;

const annotationSchema = {
  title: "corporate-annotation",
  description: "A note that the registrar has put on a company's record.",
  type: "object",
  additionalProperties: false,
  required: ["type"],
  properties: {
    type: enumerationSchema("corporate_annotation_type"),
    created_on: { ...DATE, description: "Day on which the note was made." },
    description: {
      type: "string",
      minLength: 1,
      maxLength: 4000,
      description: "Text of the note, where its type is `other`.",
    },
  },
} as const;

const previousNameSchema = {
  title: "previous-company-name",
  description: "A name that a company had before, and for how long.",
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: { name: { ...NAME, description: "The previous name." }, effective_from: DATE, ceased_on: DATE },
} as const;

/**
 * The profile as stored: specification 2.1 with the additions of the API reference 7.1, in the
 * specification's spelling where the two differ. Missing on purpose, because they are derived from the rest or
 * from the day: every `overdue`, `can_file`, `links`, `is_community_interest_company` and the
 * deprecated mirrors inside `accounts`.
 */
export const companySchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_name", "company_number", "type"],
  properties: {
    accounts: accountsSchema,
    annual_return: returnSchema,
    branch_company_details: branchSchema,
    company_name: NAME,
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    company_status: enumerationSchema("company_status"),
    company_status_detail: enumerationSchema("company_status_detail"),
    confirmation_statement: returnSchema,
    corporate_annotation: { type: "array", minItems: 1, maxItems: 100, items: annotationSchema },
    date_of_cessation: DATE,
    date_of_creation: DATE,
    // As the source gave it.
    etag: ETAG,
    external_registration_number: NAME,
    foreign_company_details: foreignCompanySchema,
    has_been_liquidated: FLAG,
    has_charges: FLAG,
    has_insolvency_history: FLAG,
    has_super_secure_pscs: FLAG,
    is_on_register_in_country_formed_in: FLAG,
    jurisdiction: enumerationSchema("jurisdiction"),
    last_full_members_list_date: DATE,
    partial_data_available: enumerationSchema("partial_data_available"),
    // Newest first.
    previous_company_names: { type: "array", minItems: 1, maxItems: 200, items: previousNameSchema },
    registered_office_address: addressSchema,
    registered_office_is_in_dispute: FLAG,
    service_address: addressSchema,
    sic_codes: {
      type: "array",
      minItems: 1,
      maxItems: 20,
      // Four digits: the list of 2003, which old records still have.
      items: { type: "string", pattern: "^\\d{4,5}$" },
    },
    subtype: enumerationSchema("company_subtype"),
    term: { type: "string", minLength: 1, maxLength: 100 },
    type: enumerationSchema("company_type"),
    undeliverable_registered_office_address: FLAG,
  },
} as const;

/** A company as stored. */
export type CompanyProfile = FromSchema<typeof companySchema>;

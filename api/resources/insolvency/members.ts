/** Owns the members of a company's insolvency, as stored and as shown. */
import { DATE, ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationKeys, enumerationSchema } from "../../core/enumerations.ts";

const TEXT = { type: "string", minLength: 1, maxLength: 300 } as const;

const practitionerSchema = {
  title: "insolvency-practitioner",
  description: "A practitioner who acts, or acted, in an insolvency case.",
  type: "object",
  additionalProperties: false,
  required: ["name", "address"],
  properties: {
    name: TEXT,
    address: {
      title: "practitioner-address",
      description: "Address of an insolvency practitioner.",
      type: "object",
      additionalProperties: false,
      required: ["address_line_1"],
      properties: {
        address_line_1: TEXT,
        address_line_2: TEXT,
        locality: TEXT,
        region: TEXT,
        postal_code: TEXT,
        country: TEXT,
      },
    },
    appointed_on: DATE,
    ceased_to_act_on: DATE,
    role: enumerationSchema("insolvency_practitioner_role"),
  },
} as const;

const caseDateSchema = {
  title: "insolvency-case-date",
  description: "A day that matters in an insolvency case.",
  type: "object",
  additionalProperties: false,
  required: ["type", "date"],
  properties: {
    date: { ...DATE, description: "The day that matters." },
    type: enumerationSchema(
      "insolvency_case_date_type",
      enumerationKeys("insolvency_case_date_type_documented_only"),
    ),
  },
} as const;

const caseSchema = {
  title: "insolvency-case",
  description: "One insolvency case of a company.",
  type: "object",
  additionalProperties: false,
  required: ["type", "dates", "practitioners"],
  properties: {
    type: enumerationSchema("insolvency_case_type", enumerationKeys("insolvency_case_type_documented_only")),
    number: { type: "string", minLength: 1, maxLength: 20, description: "Number of the case." },
    dates: { type: "array", maxItems: 100, items: caseDateSchema },
    notes: {
      type: "array",
      minItems: 1,
      maxItems: 100,
      items: enumerationSchema("notes"),
    },
    practitioners: { type: "array", maxItems: 1000, items: practitionerSchema },
    links: {
      type: "object",
      additionalProperties: false,
      required: ["charge"],
      properties: {
        charge: { type: "string", pattern: "^/company/[A-Z0-9]{8}/charges/[A-Za-z0-9_=-]{1,60}$" },
      },
    },
  },
} as const;

/** The members that the API shows as they are stored. */
export const insolvencyMemberSchemas = {
  status: {
    description: "States of the company's insolvency.",
    type: "array",
    minItems: 1,
    maxItems: 20,
    items: enumerationSchema("insolvency_status"),
  },
  cases: { type: "array", maxItems: 1000, items: caseSchema },
} as const;

/** The stored insolvency. */
export const insolvencySchema = {
  type: "object",
  additionalProperties: false,
  required: ["company_number", "cases"],
  properties: {
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    etag: ETAG,
    ...insolvencyMemberSchemas,
  },
} as const;

/** The insolvency of a company as stored. */
export type CompanyInsolvency = FromSchema<typeof insolvencySchema>;

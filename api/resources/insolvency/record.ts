/** Owns the stored insolvency of a company: its status, and each case with its dates and practitioners. */
import type { FromSchema } from "json-schema-to-ts";
import { enumerationKeys, enumerationSchema } from "../../shared/values/enumerations.ts";
import type { Members } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asList,
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  dropEmpty,
  locateByCompany,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";

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
const insolvencySchema = {
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

/** The insolvency to store; the record's schema checks it afterwards. Throws RecordError. */
function normaliseInsolvency(resource: IncomingResource): CompanyInsolvency {
  const company_number = companyNumberOf(resource);
  const own = dropDerived(resource.data, "company_number", [company_number]);
  const withStatus = dropEmpty(convert(own, "status", asList), "status");
  const content = convert(withStatus, "cases", (cases) => asList(cases).map(normaliseCase));
  // The cast: the record's schema checks it afterwards.
  return { ...content, company_number } as CompanyInsolvency;
}

function normaliseCase(value: unknown): Members {
  const given = asMembers(value, "cases");
  const numbered = convert(given, "number", (number) =>
    typeof number === "number" ? String(number) : number,
  );
  const linked = convert(numbered, "links", (links) => asMembers(links, "cases.links"));
  const noted = dropEmpty(convert(linked, "notes", asList), "notes");
  const { dates = [], practitioners = [], ...rest } = noted;
  return {
    ...rest,
    dates: asList(dates),
    practitioners: asList(practitioners).map(normalisePractitioner),
  };
}

function normalisePractitioner(value: unknown): Members {
  const practitioner = asMembers(value, "cases.practitioners");
  return convert(practitioner, "address", (address) => asMembers(address, "cases.practitioners.address"));
}

/** Insolvencies, by company number. */
export const insolvencyRecord = defineRecord({
  name: "insolvency",
  collection: "insolvency",
  schema: insolvencySchema,
  identify: (insolvency: CompanyInsolvency) => insolvency.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  incoming: {
    kinds: ["company-insolvency"],
    known: [insolvencySchema],
    normalise: normaliseInsolvency,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({
      kind: "company-insolvency",
      uri: `/company/${id}/insolvency`,
      id,
    }),
  },
});

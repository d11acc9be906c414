/** The insolvency of a company, its status and cases: GET /company/:company_number/insolvency. */
import { DATE, ETAG, COMPANY_NUMBER, listOf, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationKeys, enumerationSchema } from "../../shared/values/enumerations.ts";
import type { Members } from "../../shared/values/members.ts";
import { asDigits, asMembers, convert } from "../../shared/definitions/incoming-resource.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import { defineCompanyRecord, readOfCompany } from "../define-company-record.ts";
import example from "./example.json" with { type: "json" };

const TEXT = textUpTo(300);

const practitionerSchema = {
  title: "insolvency-practitioner",
  description: "A practitioner who acts, or acted, in an insolvency case.",
  ...objectOf(["name", "address"], {
    name: TEXT,
    address: {
      title: "practitioner-address",
      description: "Address of an insolvency practitioner.",
      // Compat: the original leaves the first line blank where it is not known.
      ...objectOf([], {
        address_line_1: TEXT,
        address_line_2: TEXT,
        locality: TEXT,
        region: TEXT,
        postal_code: TEXT,
        country: TEXT,
      }),
    },
    appointed_on: DATE,
    ceased_to_act_on: DATE,
    role: enumerationSchema("insolvency_practitioner_role"),
  }),
} as const;

const caseDateSchema = {
  title: "insolvency-case-date",
  description: "A day that matters in an insolvency case.",
  ...objectOf(["type", "date"], {
    date: { ...DATE, description: "The day that matters." },
    type: enumerationSchema(
      "insolvency_case_date_type",
      enumerationKeys("insolvency_case_date_type_documented_only"),
    ),
  }),
} as const;

const caseSchema = {
  title: "insolvency-case",
  description: "One insolvency case of a company.",
  ...objectOf(["type", "dates", "practitioners"], {
    type: enumerationSchema("insolvency_case_type", enumerationKeys("insolvency_case_type_documented_only")),
    number: { type: "string", minLength: 1, maxLength: 20, description: "Number of the case." },
    dates: { type: "array", maxItems: 100, items: caseDateSchema },
    notes: listOf(100, enumerationSchema("notes")),
    practitioners: { type: "array", maxItems: 1000, items: practitionerSchema },
    links: objectOf(["charge"], {
      charge: { type: "string", pattern: "^/company/[A-Z0-9]{8}/charges/[A-Za-z0-9_=-]{1,60}$" },
    }),
  }),
} as const;

/** The members that the API shows as they are stored. */
const insolvencyMemberSchemas = {
  status: {
    description: "States of the company's insolvency.",
    ...listOf(20, enumerationSchema("insolvency_status")),
  },
  cases: { type: "array", maxItems: 1000, items: caseSchema },
} as const;

const insolvencySchema = objectOf(["company_number", "cases"], {
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  ...insolvencyMemberSchemas,
});

export type CompanyInsolvency = FromSchema<typeof insolvencySchema>;

/** Insolvencies, by company number. */
export const insolvencyRecord = defineCompanyRecord<CompanyInsolvency>({
  name: "insolvency",
  collection: "insolvency",
  schema: insolvencySchema,
  kinds: ["company-insolvency"],
  hasStream: true,
  normalise: (members) => convert(members, "cases", (cases) => (cases as unknown[]).map(normaliseCase)),
});

/** False for a resource with neither a case nor a status. */
export function hasInsolvency({ cases, status = [] }: CompanyInsolvency): boolean {
  return cases.length + status.length > 0;
}

function normaliseCase(value: unknown): Members {
  return { dates: [], practitioners: [], ...convert(asMembers(value, "cases"), "number", asDigits) };
}

const schema = {
  title: "company-insolvency",
  description: "The insolvency cases of a company.",
  ...objectOf(["etag", "cases"], { etag: ETAG, ...insolvencyMemberSchemas }),
};

function presentInsolvency(stored: StoredOf<typeof insolvencyRecord>) {
  const { cases, status } = stored.data;
  return { etag: etagOf(stored), ...(status && { status }), cases };
}

export const insolvency = defineResource({
  name: "insolvency",
  aliases: ["company-insolvency"],
  path: "/company/:company_number/insolvency",
  scope: "company.read",
  summary: "The insolvency of a company: status and cases.",
  record: insolvencyRecord,
  notFound: "company-insolvencies-not-found",
  read: readOfCompany(insolvencyRecord, hasInsolvency),
  schema,
  present: presentInsolvency,
  example,
  examplePath: { company_number: "99000045" },
});

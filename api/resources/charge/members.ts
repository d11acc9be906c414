/** Owns the members of a charge, as stored and as shown. */
import type { FromSchema } from "json-schema-to-ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { COMPANY_NUMBER, COUNT, FLAG, listOf, objectOf, textUpTo } from "../schemas.ts";

const TEXT = textUpTo(50_000);
const NAME = textUpTo(500);
// Compat: text or number, as it came; both occur in live answers.
const NUMBER = { type: ["string", "integer"], minLength: 1, maxLength: 40 } as const;
/** Present only when true. */
const TRUE = { type: "boolean", const: true } as const;

const classificationSchema = {
  title: "charge-classification",
  description: "Name of a charge.",
  ...objectOf(["type", "description"], {
    type: enumerationSchema("charge_classification_type"),
    description: { ...TEXT, description: "The description of the charge, or its nature." },
  }),
} as const;

const particularsSchema = {
  title: "charge-particulars",
  description: "What a charge covers.",
  ...objectOf([], {
    type: enumerationSchema("charge_particulars_type"),
    description: { ...TEXT, description: "The property or undertaking that is charged, as it was filed." },
    contains_fixed_charge: TRUE,
    contains_floating_charge: TRUE,
    floating_charge_covers_all: TRUE,
    contains_negative_pledge: TRUE,
    chargor_acting_as_bare_trustee: TRUE,
  }),
} as const;

const securedDetailsSchema = {
  title: "charge-secured-details",
  description: "What a charge secures.",
  ...objectOf(["type", "description"], {
    type: enumerationSchema("charge_secured_details_type"),
    description: { ...TEXT, description: "The amount or the obligations, as they were filed." },
  }),
} as const;

const scottishAlterationsSchema = {
  title: "charge-scottish-alterations",
  description: "Alterations of a floating charge under the law of Scotland.",
  ...objectOf([], {
    // Free text in the published schema: the two keys of the enumerations label the flags.
    type: { ...NAME, description: "Kind of alteration, in words." },
    description: { ...TEXT, description: "The alterations, as they were filed." },
    has_alterations_to_order: FLAG,
    has_alterations_to_prohibitions: FLAG,
    has_restricting_provisions: FLAG,
  }),
} as const;

const transactionSchema = {
  title: "charge-transaction",
  description: "A filing about a charge.",
  ...objectOf(["filing_type", "delivered_on"], {
    filing_type: enumerationSchema("mortgage_filing_type"),
    delivered_on: { ...DATE, description: "Day on which the filing was delivered." },
    transaction_id: { ...COUNT, description: "Number of the filing." },
    insolvency_case_number: NUMBER,
    links: objectOf([], {
      filing: { type: "string", pattern: "^/company/[A-Z0-9]{8}/filing-history/[^/]{1,60}$" },
      insolvency_case: { type: "string", pattern: "^/company/[A-Z0-9]{8}/insolvency#case-[^/]{1,40}$" },
    }),
  }),
} as const;

const insolvencyCaseSchema = {
  title: "charge-insolvency-case",
  description: "An insolvency case that concerns a charge.",
  ...objectOf(["case_number"], {
    case_number: NUMBER,
    transaction_id: { ...COUNT, description: "Number of the filing about the case." },
    links: objectOf([], {
      case: { type: "string", pattern: "^/company/[A-Z0-9]{8}/insolvency#case-[^/]{1,40}$" },
    }),
  }),
} as const;

/** JSON Schemas of the members, to be spread into the `properties` of a view. */
export const chargeMemberSchemas = {
  // 27 characters; the padding of base64 occurs.
  id: { type: "string", pattern: "^[A-Za-z0-9_-]{27}=?$", description: "Identifier of the charge." },
  charge_code: { type: "string", pattern: "^[A-Z0-9]{12}$" },
  charge_number: { type: "integer", minimum: 0, maximum: 999_999_999 },
  classification: classificationSchema,
  status: enumerationSchema("charge_status"),
  assets_ceased_released: enumerationSchema("charge_assets_ceased_released"),
  created_on: DATE,
  delivered_on: DATE,
  acquired_on: DATE,
  covering_instrument_date: DATE,
  satisfied_on: DATE,
  resolved_on: DATE,
  particulars: particularsSchema,
  secured_details: securedDetailsSchema,
  scottish_alterations: scottishAlterationsSchema,
  persons_entitled: listOf(1000, {
    title: "person-entitled",
    description: "A person or body that is entitled to a charge.",
    ...objectOf(["name"], { name: { ...NAME, description: "Name of the person or body." } }),
  }),
  more_than_four_persons_entitled: FLAG,
  transactions: listOf(1000, transactionSchema),
  insolvency_cases: listOf(1000, insolvencyCaseSchema),
} as const;

/** JSON Schema of a stored charge: what the API shows, without its own link and with its company. */
export const chargeSchema = objectOf(["company_number", "id", "charge_number", "classification", "status"], {
  ...chargeMemberSchemas,
  company_number: COMPANY_NUMBER,
  etag: ETAG,
});

/** A charge as stored. */
export type Charge = FromSchema<typeof chargeSchema>;

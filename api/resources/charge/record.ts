/** The stored charge: one security that a company has given over its property. Also maps an API-shaped charge to it. */
import { descendingKey } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import type { Members } from "../../shared/values/members.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asMembers,
  companyNumberOf,
  convert,
  dropDerived,
  idOf,
  locateById,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import type { FromSchema } from "json-schema-to-ts";
import {
  DATE,
  ETAG,
  COMPANY_NUMBER,
  COUNT,
  FLAG,
  listOf,
  objectOf,
  textUpTo,
} from "../../shared/schemas/schemas.ts";
import { enumerationKeys, enumerationSchema } from "../../shared/values/enumerations.ts";
import type { StoredOf } from "../define-resource.ts";

const TEXT = textUpTo(50_000);
// Compat: text or number, stored as the source gives it; live answers have both.
const NUMBER = { anyOf: [textUpTo(40), { type: "integer" }] } as const;
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
  ...objectOf([], {
    type: enumerationSchema("charge_secured_details_type"),
    description: { ...TEXT, description: "The amount or the obligations, as they were filed." },
  }),
} as const;

const scottishAlterationsSchema = {
  title: "charge-scottish-alterations",
  description: "Alterations of a floating charge under the law of Scotland.",
  ...objectOf([], {
    // Free text in the published schema: the two keys that the enumerations have for it label the flags below.
    type: { ...TEXT, description: "Kind of alteration, in words." },
    description: { ...TEXT, description: "The alterations, as they were filed." },
    has_alterations_to_order: FLAG,
    has_alterations_to_prohibitions: FLAG,
    has_restricting_provisions: FLAG,
  }),
} as const;

const transactionSchema = {
  title: "charge-transaction",
  description: "A filing about a charge.",
  ...objectOf([], {
    filing_type: {
      ...enumerationSchema("mortgage_filing_type"),
      description: "What was filed about the charge.",
    },
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
  ...objectOf([], {
    case_number: NUMBER,
    transaction_id: { ...COUNT, description: "Number of the filing about the case." },
    links: objectOf([], {
      case: { type: "string", pattern: "^/company/[A-Z0-9]{8}/insolvency#case-[^/]{1,40}$" },
    }),
  }),
} as const;

/** JSON Schemas of the members, to be spread into the `properties` of a view. */
export const chargeMemberSchemas = {
  // 27 characters; some ids have the padding of base64 as well.
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
    ...objectOf(["name"], { name: { ...TEXT, description: "Name of the person or body." } }),
  }),
  more_than_four_persons_entitled: FLAG,
  // Limit: a debenture has a filing for each property that is sold, so there may be thousands.
  transactions: listOf(20_000, transactionSchema),
  insolvency_cases: listOf(1000, insolvencyCaseSchema),
} as const;

/** JSON Schema of a stored charge: what the API shows, but with the company number and without the link to itself. */
const chargeSchema = objectOf(["company_number", "id", "charge_number", "status"], {
  ...chargeMemberSchemas,
  company_number: COMPANY_NUMBER,
  etag: ETAG,
});

/** A charge as stored. */
export type Charge = FromSchema<typeof chargeSchema>;

/** Members that are objects in live answers and lists in the published schema. */
const OBJECTS = ["classification", "particulars", "secured_details", "scottish_alterations"];

/** Misspelt members that are accepted, and members that may come as a list. */
const chargeSpellings = {
  properties: {
    ...Object.fromEntries(OBJECTS.map((member) => [member, { items: { properties: {} } }])),
    assests_ceased_released: chargeMemberSchemas.assets_ceased_released,
    scottish_alterations: { items: { properties: { has_alterations_to_provisions: FLAG } } },
  },
};

/** The charge to store; the record's schema checks it afterwards. Throws RecordError. */
function normaliseCharge(resource: IncomingResource): Charge {
  const [company_number, id] = [companyNumberOf(resource), idOf(resource)];
  const own = dropDerived(resource.data, "id", [id]);
  const spelt = rename(own, "assests_ceased_released", "assets_ceased_released");
  const charge = convert(spelt, "scottish_alterations", (given) =>
    rename(
      asMembers(given, "scottish_alterations"),
      "has_alterations_to_provisions",
      "has_restricting_provisions",
    ),
  );
  // The cast: the record's schema checks it afterwards.
  return { ...charge, id, company_number } as Charge;
}

/** A member under its correct name. Throws RecordError when both spellings occur. */
function rename(members: Members, wrong: string, right: string): Members {
  const { [wrong]: value, ...rest } = members;
  if (value === undefined) return members;
  if (rest[right] !== undefined)
    throw new RecordError(`stands beside ${right}; only one of them is allowed`, wrong);
  return { ...rest, [right]: value };
}

/** Charges, by their id. */
export const chargeRecord = defineRecord({
  name: "charge",
  collection: "charges",
  schema: chargeSchema,
  identify: (charge: Charge) => charge.id,
  keysOf: (charge: Charge) => ({
    company_number: charge.company_number,
    status: countedStatus(charge.status),
    charge_order: buildChargeOrder(charge),
  }),
  // The index gives the order. It also has the status, so a filter fetches no charges that it leaves out.
  indexes: [{ fields: ["company_number", "charge_order", "status"] }],
  incoming: {
    kinds: ["company-charges"],
    known: [chargeSchema, chargeSpellings, SELF_LINK],
    normalise: normaliseCharge,
    locate: locateById,
    addressOf: ({ company_number: company, id }) => ({
      kind: "company-charges",
      uri: `/company/${company}/charges/${id}`,
      id,
    }),
  },
});

export type StoredCharge = StoredOf<typeof chargeRecord>;

const STATUSES: ReadonlySet<string> = new Set(enumerationKeys("charge_status"));

/** The status by which charges are counted and filtered. An unknown one does not say that anything is satisfied. */
function countedStatus(status: string): string {
  return STATUSES.has(status) ? status : "outstanding";
}

/** Latest creation first (or delivery, if that is missing), then highest number. The id makes the order total. */
function buildChargeOrder({ created_on, delivered_on, charge_number, id }: Charge): string {
  const number = descendingKey(String(charge_number).padStart(9, "0"));
  return [descendingKey(created_on ?? delivered_on), number, id].join("\t");
}

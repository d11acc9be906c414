/** JSON Schemas of the members of a disqualified officer, as stored and as shown. */
import type { FromSchema } from "json-schema-to-ts";
import { addressSchema } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { DATE, ETAG, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";

const TEXT = textUpTo(4000);
const NAME = textUpTo(200);
const COMPANY_NAMES = { type: "array", minItems: 1, items: TEXT } as const;

const reasonSchema = {
  title: "disqualification-reason",
  description: "Why an officer was disqualified, and under which act.",
  // The published schema requires the description. The bulk file has only the section, which the list may not know yet.
  ...objectOf(["act"], {
    description_identifier: enumerationSchema("disqualification_reason_description_identifier"),
    act: enumerationSchema("disqualification_act"),
    // For the Northern Ireland order; the other acts have sections.
    article: NAME,
    section: NAME,
  }),
} as const;

const disqualificationSchema = {
  title: "disqualification",
  description: "One disqualification of an officer.",
  ...objectOf(["address", "disqualification_type", "disqualified_from", "disqualified_until", "reason"], {
    address: addressSchema,
    disqualification_type: enumerationSchema("disqualification_type"),
    disqualified_from: DATE,
    // `9999-12-31` for sanctions.
    disqualified_until: DATE,
    case_identifier: NAME,
    company_names: COMPANY_NAMES,
    // Only for a court order, as `heard_on`.
    court_name: TEXT,
    heard_on: DATE,
    undertaken_on: DATE,
    reason: reasonSchema,
    last_variation: {
      title: "disqualification-variation",
      description: "A change of a disqualification by a court.",
      ...objectOf(["varied_on"], { varied_on: DATE, case_identifier: NAME, court_name: TEXT }),
    },
  }),
} as const;

const permissionSchema = {
  title: "permission-to-act",
  description: "A court's permission for a disqualified officer to act for some companies.",
  ...objectOf(["granted_on", "expires_on"], {
    company_names: COMPANY_NAMES,
    court_name: TEXT,
    granted_on: DATE,
    expires_on: DATE,
  }),
} as const;

/** Members that natural persons and bodies share, for the stored record and for both answers. */
export const commonMemberSchemas = {
  person_number: { type: "string", pattern: "^[0-9]{12}$" },
  // Latest first.
  disqualifications: { type: "array", minItems: 1, items: disqualificationSchema },
  permissions_to_act: { type: "array", minItems: 1, items: permissionSchema },
} as const;

/** Members of natural persons. */
export const naturalMemberSchemas = {
  title: { ...NAME, description: "Title before the name, such as Mr or Dr." },
  forename: NAME,
  other_forenames: NAME,
  surname: NAME,
  honours: NAME,
  date_of_birth: { ...DATE, description: "The whole date of birth." },
  nationality: NAME,
} as const;

/** Members of corporate bodies. */
export const corporateMemberSchemas = {
  name: NAME,
  company_number: NAME,
  country_of_registration: NAME,
} as const;

/** The stored officer, of either kind. */
export const disqualifiedOfficerSchema = objectOf(["officer_id", "kind", "disqualifications"], {
  officer_id: { type: "string", pattern: "^[A-Za-z0-9_-]{27}$" },
  kind: { enum: ["natural-disqualification", "corporate-disqualification"] },
  // The ETag that the source gave.
  etag: ETAG,
  ...commonMemberSchemas,
  ...naturalMemberSchemas,
  ...corporateMemberSchemas,
});

export type DisqualifiedOfficer = FromSchema<typeof disqualifiedOfficerSchema>;
export type Disqualification = DisqualifiedOfficer["disqualifications"][number];
export type DisqualificationReason = Disqualification["reason"];
export type Variation = NonNullable<Disqualification["last_variation"]>;
export type PermissionToAct = NonNullable<DisqualifiedOfficer["permissions_to_act"]>[number];

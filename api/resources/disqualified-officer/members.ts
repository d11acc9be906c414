/** Owns the members of a disqualified officer, as stored and as shown: schemas, and the types beside them. */
import { addressSchema, type Address } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

export type DisqualifiedOfficerKind = "natural-disqualification" | "corporate-disqualification";

export interface DisqualificationReason {
  description_identifier: string;
  act: string;
  /** For the Northern Ireland order; the other acts have sections. */
  article?: string;
  section?: string;
}

export interface Variation {
  varied_on: string;
  case_identifier?: string;
  court_name?: string;
}

export interface Disqualification {
  address: Address;
  disqualification_type: string;
  disqualified_from: string;
  /** `9999-12-31` for sanctions. */
  disqualified_until: string;
  case_identifier?: string;
  company_names?: string[];
  /** Only for a court order, as `heard_on`. */
  court_name?: string;
  heard_on?: string;
  undertaken_on?: string;
  reason: DisqualificationReason;
  last_variation?: Variation;
}

export interface PermissionToAct {
  company_names?: string[];
  court_name?: string;
  granted_on: string;
  expires_on: string;
}

export interface DisqualifiedOfficer {
  officer_id: string;
  kind: DisqualifiedOfficerKind;
  person_number?: string;
  title?: string;
  forename?: string;
  other_forenames?: string;
  surname?: string;
  honours?: string;
  /** A corporate body's name. */
  name?: string;
  /** The full date: disqualified persons are shown with it, unlike officers. */
  date_of_birth?: string;
  nationality?: string;
  company_number?: string;
  country_of_registration?: string;
  /** As the source gave it. */
  etag?: string;
  /** Latest first. */
  disqualifications: Disqualification[];
  permissions_to_act?: PermissionToAct[];
}

const TEXT = { type: "string", minLength: 1, maxLength: 4000 };
const NAME = { type: "string", minLength: 1, maxLength: 200 };
const DATE = { type: "string", format: "date" };
const COMPANY_NAMES = { type: "array", minItems: 1, items: TEXT };

const reasonSchema = {
  title: "disqualification-reason",
  description: "Why an officer was disqualified, and under which act.",
  type: "object",
  additionalProperties: false,
  required: ["description_identifier", "act"],
  properties: {
    description_identifier: enumerationSchema("disqualification_reason_description_identifier"),
    act: enumerationSchema("disqualification_act"),
    article: NAME,
    section: NAME,
  },
};

const disqualificationSchema = {
  title: "disqualification",
  description: "One disqualification of an officer.",
  type: "object",
  additionalProperties: false,
  required: ["address", "disqualification_type", "disqualified_from", "disqualified_until", "reason"],
  properties: {
    address: addressSchema,
    disqualification_type: enumerationSchema("disqualification_type"),
    disqualified_from: DATE,
    disqualified_until: DATE,
    case_identifier: NAME,
    company_names: COMPANY_NAMES,
    court_name: TEXT,
    heard_on: DATE,
    undertaken_on: DATE,
    reason: reasonSchema,
    last_variation: {
      title: "disqualification-variation",
      description: "A change of a disqualification by a court.",
      type: "object",
      additionalProperties: false,
      required: ["varied_on"],
      properties: { varied_on: DATE, case_identifier: NAME, court_name: TEXT },
    },
  },
};

const permissionSchema = {
  title: "permission-to-act",
  description: "A court's permission for a disqualified officer to act for some companies.",
  type: "object",
  additionalProperties: false,
  required: ["granted_on", "expires_on"],
  properties: { company_names: COMPANY_NAMES, court_name: TEXT, granted_on: DATE, expires_on: DATE },
};

/** Members that natural persons and bodies share, for the stored record and for both answers. */
export const commonMemberSchemas = {
  person_number: { type: "string", pattern: "^[0-9]{12}$" },
  disqualifications: { type: "array", minItems: 1, items: disqualificationSchema },
  permissions_to_act: { type: "array", minItems: 1, items: permissionSchema },
};

/** Members of natural persons. */
export const naturalMemberSchemas = {
  title: { ...NAME, description: "Title before the name, such as Mr or Dr." },
  forename: NAME,
  other_forenames: NAME,
  surname: NAME,
  honours: NAME,
  date_of_birth: { ...DATE, description: "The whole date of birth." },
  nationality: NAME,
};

/** Members of corporate bodies. */
export const corporateMemberSchemas = { name: NAME, company_number: NAME, country_of_registration: NAME };

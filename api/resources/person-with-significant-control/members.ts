/** JSON Schemas of the members of a person with significant control, as stored and as most views show them. */
import type { FromSchema } from "json-schema-to-ts";
import { DATE, ETAG, COMPANY_NUMBER, FLAG, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";
import { pscKinds } from "./kinds.ts";
import { addressSchema } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

// Limit: free text of forms; the longest in a snapshot are names of trusts with some 300 characters.
const TEXT = textUpTo(1000);

export const NOTIFICATION_ID = { type: "string", pattern: "^[A-Za-z0-9_-]{27}$" } as const;

/** Month and year of birth: the day is a separate member, because only one view shows it. */
export const birthMonthSchema = {
  title: "psc-birth-month",
  description: "Month and year of birth. The day is not shown.",
  ...objectOf(["month", "year"], {
    month: { type: "integer", minimum: 1, maximum: 12 },
    year: { type: "integer", minimum: 1000, maximum: 9998 },
  }),
} as const;

const nameElementsSchema = {
  title: "psc-name-elements",
  description: "The parts of a person's name.",
  ...objectOf(["surname"], {
    title: { ...TEXT, description: "Title before the name, such as Mr or Dr." },
    forename: TEXT,
    middle_name: TEXT,
    surname: TEXT,
  }),
} as const;

const identificationSchema = {
  title: "psc-identification",
  description: "Where and how a corporate entity or legal person is registered.",
  ...objectOf([], {
    legal_authority: TEXT,
    legal_form: TEXT,
    place_registered: TEXT,
    country_registered: TEXT,
    registration_number: TEXT,
  }),
} as const;

/** The officers' shape, and the date of the statement. `9999-12-31` means open-ended. */
const identityVerificationSchema = {
  title: "psc-identity-verification",
  description: "How and when the identity of a person with significant control was verified.",
  ...objectOf([], {
    appointment_verification_start_on: DATE,
    appointment_verification_end_on: DATE,
    appointment_verification_statement_date: DATE,
    appointment_verification_statement_due_on: DATE,
    identity_verified_on: DATE,
    preferred_name: TEXT,
    authorised_corporate_service_provider_name: TEXT,
    anti_money_laundering_supervisory_bodies: { type: "array", maxItems: 100, items: TEXT },
  }),
} as const;

/** Members that a view shows as stored, to be selected by kind. */
export const pscMemberSchemas = {
  name: TEXT,
  name_elements: nameElementsSchema,
  address: addressSchema,
  principal_office_address: addressSchema,
  date_of_birth: birthMonthSchema,
  nationality: TEXT,
  country_of_residence: TEXT,
  identification: identificationSchema,
  identity_verification_details: identityVerificationSchema,
  is_sanctioned: FLAG,
  natures_of_control: {
    type: "array",
    maxItems: 100,
    items: enumerationSchema("psc_natures_of_control"),
  },
  notified_on: DATE,
  ceased_on: DATE,
  description: enumerationSchema("psc_super_secure_description"),
  ceased: FLAG,
} as const;

export type PscMember = keyof typeof pscMemberSchemas;

/** The person as stored, whatever its kind. */
export const pscSchema = objectOf(["notification_id", "company_number", "kind"], {
  ...pscMemberSchemas,
  notification_id: NOTIFICATION_ID,
  company_number: COMPANY_NUMBER,
  // A closed list: the path of a person depends on the kind.
  kind: { type: "string", enum: pscKinds.map(({ kind }) => kind) },
  etag: ETAG,
  // Shown only in the register view of one individual; the snapshot does not contain it.
  birth_day: { type: "integer", minimum: 1, maximum: 31 },
  // The statement that its company made about this person.
  statement_id: NOTIFICATION_ID,
});

export type Psc = FromSchema<typeof pscSchema>;

export type NameElements = FromSchema<typeof nameElementsSchema>;

export type Identification = FromSchema<typeof identificationSchema>;

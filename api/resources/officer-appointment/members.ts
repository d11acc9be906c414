/** JSON Schemas of the members of an appointment, as stored and as shown. */
import type { FromSchema } from "json-schema-to-ts";
import { DATE, ETAG, COMPANY_NUMBER, FLAG, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";
import { addressSchema } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

const TEXT = textUpTo(2000);

export const nameElementsSchema = {
  title: "officer-name-elements",
  description: "The parts of a person's name.",
  ...objectOf(["surname"], {
    title: { ...TEXT, description: "Title before the name, such as Mr or Dr." },
    forename: TEXT,
    other_forenames: TEXT,
    surname: TEXT,
    honours: TEXT,
  }),
} as const;

const formerNamesSchema = {
  type: "array",
  items: {
    title: "former-name",
    description: "A name that a person had before.",
    ...objectOf([], { forenames: TEXT, surname: TEXT }),
  },
} as const;

const identificationSchema = {
  title: "officer-identification",
  description: "Where and how a corporate officer is registered.",
  ...objectOf([], {
    identification_type: enumerationSchema("identification_type"),
    legal_authority: TEXT,
    legal_form: TEXT,
    place_registered: TEXT,
    registration_number: TEXT,
    register_location: TEXT,
  }),
} as const;

/** An end on `9999-12-31` means open-ended. */
const identityVerificationSchema = {
  title: "officer-identity-verification",
  description: "How and when the identity of an officer was verified.",
  ...objectOf([], {
    appointment_verification_start_on: DATE,
    appointment_verification_end_on: DATE,
    appointment_verification_statement_due_on: DATE,
    identity_verified_on: DATE,
    preferred_name: TEXT,
    authorised_corporate_service_provider_name: TEXT,
    anti_money_laundering_supervisory_bodies: { type: "array", items: TEXT },
  }),
} as const;

const contactDetailsSchema = {
  title: "contact-details",
  description: "Whom to ask about a corporate managing officer.",
  ...objectOf(["contact_name"], { contact_name: TEXT }),
} as const;

const contributionSubTypesSchema = {
  type: "array",
  items: objectOf(["sub_type"], { sub_type: enumerationSchema("capital_contribution_sub_type") }),
} as const;

/** JSON Schemas of the members that every view shows as stored, to be spread into its `properties`. */
export const appointmentMemberSchemas = {
  address: addressSchema,
  principal_office_address: addressSchema,
  appointed_on: DATE,
  // Instead of `appointed_on` when the appointment is dated only by an annual return.
  appointed_before: DATE,
  is_pre_1992_appointment: FLAG,
  resigned_on: DATE,
  officer_role: enumerationSchema("officer_role"),
  nationality: TEXT,
  occupation: TEXT,
  country_of_residence: TEXT,
  former_names: formerNamesSchema,
  identification: identificationSchema,
  identity_verification_details: identityVerificationSchema,
  contact_details: contactDetailsSchema,
  responsibilities: TEXT,
  contribution_currency_type: TEXT,
  contribution_currency_value: TEXT,
  contribution_sub_types: contributionSubTypesSchema,
} as const;

/** Members that no answer shows for the role and that are therefore not stored with it (API reference 6 and 7.5). */
export function hiddenMembersOf(role: string): readonly ("date_of_birth" | "country_of_residence")[] {
  if (role.endsWith("secretary")) return ["date_of_birth", "country_of_residence"];
  return role.startsWith("corporate-") ? ["date_of_birth"] : [];
}

/** Month and year of birth, the most that a company's or a person's list may show. */
export const partialBirthDateSchema = {
  title: "birth-month",
  description: "Month and year of birth. The day is not shown.",
  ...objectOf(["month", "year"], {
    month: { type: "integer", minimum: 1, maximum: 12 },
    year: { type: "integer", minimum: 1000, maximum: 9999 },
  }),
} as const;

const ID = { type: "string", pattern: "^[A-Za-z0-9_-]{27}$" } as const;
const NAME = textUpTo(200);

/** The stored appointment. */
export const appointmentSchema = objectOf(
  ["appointment_id", "officer_id", "company_number", "officer_role", "is_corporate"],
  {
    ...appointmentMemberSchemas,
    appointment_id: ID,
    officer_id: ID,
    company_number: COMPANY_NUMBER,
    // As the officers file states them; used while the register does not have the company.
    company_name: NAME,
    company_status: enumerationSchema("company_status"),
    // Eight digits for the person, four for the variant of name and home address.
    person_number: { type: "string", pattern: "^[0-9]{12}$" },
    // The ETag that the source gave.
    etag: ETAG,
    is_corporate: FLAG,
    // A corporate body's name; persons have `name_elements`.
    name: NAME,
    name_elements: nameElementsSchema,
    // The day is stored where a file has it, but never shown.
    date_of_birth: {
      ...partialBirthDateSchema,
      properties: {
        ...partialBirthDateSchema.properties,
        day: { type: "integer", minimum: 1, maximum: 31 },
      },
    },
  },
);

export type Appointment = FromSchema<typeof appointmentSchema>;
export type NameElements = NonNullable<Appointment["name_elements"]>;
export type BirthDate = NonNullable<Appointment["date_of_birth"]>;

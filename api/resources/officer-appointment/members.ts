/** Owns the members that an appointment shows in every view: stored, in a company's list, in a person's list. */
import { DATE } from "../../shared/schemas/schemas.ts";
import { addressSchema, type Address } from "../../shared/values/address.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";

const TEXT = { type: "string", minLength: 1, maxLength: 2000 } as const;

export interface NameElements {
  title?: string;
  forename?: string;
  other_forenames?: string;
  surname: string;
  honours?: string;
}

export interface FormerName {
  forenames?: string;
  surname?: string;
}

export interface Identification {
  identification_type?: string;
  legal_authority?: string;
  legal_form?: string;
  place_registered?: string;
  registration_number?: string;
  register_location?: string;
}

export interface IdentityVerification {
  appointment_verification_start_on?: string;
  /** `9999-12-31` means open-ended. */
  appointment_verification_end_on?: string;
  appointment_verification_statement_due_on?: string;
  identity_verified_on?: string;
  preferred_name?: string;
  authorised_corporate_service_provider_name?: string;
  anti_money_laundering_supervisory_bodies?: string[];
}

/** Members that every view of an appointment shows as stored. */
export interface AppointmentMembers {
  address?: Address;
  principal_office_address?: Address;
  appointed_on?: string;
  /** Instead of `appointed_on` when the appointment is dated only by an annual return. */
  appointed_before?: string;
  is_pre_1992_appointment?: boolean;
  resigned_on?: string;
  officer_role: string;
  nationality?: string;
  occupation?: string;
  country_of_residence?: string;
  former_names?: FormerName[];
  identification?: Identification;
  identity_verification_details?: IdentityVerification;
  contact_details?: { contact_name: string };
  responsibilities?: string;
  contribution_currency_type?: string;
  contribution_currency_value?: string;
  contribution_sub_types?: { sub_type: string }[];
}

/** A birth date; the day is stored where a file has it and never shown in lists. */
export interface BirthDate {
  day?: number;
  month: number;
  year: number;
}

export interface Appointment extends AppointmentMembers {
  appointment_id: string;
  officer_id: string;
  company_number: string;
  /** As stated by the officers file itself: used while the register does not have the company. */
  company_name?: string;
  company_status?: string;
  /** Twelve digits: eight for the person, four for the variant of name and home address. */
  person_number?: string;
  is_corporate: boolean;
  /** A corporate body's name; persons have `name_elements`. */
  name?: string;
  name_elements?: NameElements;
  date_of_birth?: BirthDate;
  /** As the source gave it. */
  etag?: string;
}

export const nameElementsSchema = {
  title: "officer-name-elements",
  description: "The parts of a person's name.",
  type: "object",
  additionalProperties: false,
  required: ["surname"],
  properties: {
    title: { ...TEXT, description: "Title before the name, such as Mr or Dr." },
    forename: TEXT,
    other_forenames: TEXT,
    surname: TEXT,
    honours: TEXT,
  },
} as const;

const formerNamesSchema = {
  type: "array",
  items: {
    title: "former-name",
    description: "A name that a person had before.",
    type: "object",
    additionalProperties: false,
    properties: { forenames: TEXT, surname: TEXT },
  },
};

const identificationSchema = {
  title: "officer-identification",
  description: "Where and how a corporate officer is registered.",
  type: "object",
  additionalProperties: false,
  properties: {
    // Compat: records from before 2021 say `uk-limited` for `uk-limited-company` (API reference 7.5).
    identification_type: enumerationSchema("identification_type", ["uk-limited"]),
    legal_authority: TEXT,
    legal_form: TEXT,
    place_registered: TEXT,
    registration_number: TEXT,
    register_location: TEXT,
  },
};

const identityVerificationSchema = {
  title: "officer-identity-verification",
  description: "How and when the identity of an officer was verified.",
  type: "object",
  additionalProperties: false,
  properties: {
    appointment_verification_start_on: DATE,
    appointment_verification_end_on: DATE,
    appointment_verification_statement_due_on: DATE,
    identity_verified_on: DATE,
    preferred_name: TEXT,
    authorised_corporate_service_provider_name: TEXT,
    anti_money_laundering_supervisory_bodies: { type: "array", items: TEXT },
  },
};

const contactDetailsSchema = {
  title: "contact-details",
  description: "Whom to ask about a corporate managing officer.",
  type: "object",
  additionalProperties: false,
  required: ["contact_name"],
  properties: { contact_name: TEXT },
};

const contributionSubTypesSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["sub_type"],
    properties: { sub_type: enumerationSchema("capital_contribution_sub_type") },
  },
};

/** JSON Schema of `AppointmentMembers`, to be spread into the `properties` of a view. */
export const appointmentMemberSchemas = {
  address: addressSchema,
  principal_office_address: addressSchema,
  appointed_on: DATE,
  appointed_before: DATE,
  is_pre_1992_appointment: { type: "boolean" },
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
};

/** Members that no answer shows for the role and that are therefore not stored with it (API reference 6 and 7.5). */
export function hiddenMembersOf(role: string): readonly ("date_of_birth" | "country_of_residence")[] {
  if (role.endsWith("secretary")) return ["date_of_birth", "country_of_residence"];
  return role.startsWith("corporate-") ? ["date_of_birth"] : [];
}

/** Month and year of birth, the most that a company's or a person's list may show. */
export const partialBirthDateSchema = {
  title: "birth-month",
  description: "Month and year of birth. The day is not shown.",
  type: "object",
  additionalProperties: false,
  required: ["month", "year"],
  properties: {
    month: { type: "integer", minimum: 1, maximum: 12 },
    year: { type: "integer", minimum: 1000, maximum: 9999 },
  },
};

/** Owns the stored appointment: one officer in one role at one company. */
import { ETAG } from "../../core/schemas.ts";
import { enumerationSchema } from "../../core/enumerations.ts";
import { descendingKey } from "../../core/dates.ts";
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateById } from "../incoming-resource.ts";
import {
  appointmentMemberSchemas,
  nameElementsSchema,
  partialBirthDateSchema,
  type Appointment,
} from "./members.ts";
import { deriveAppointmentKey } from "./identity.ts";
import { answerMembersSchema, normaliseIncomingAppointment } from "./incoming.ts";
import {
  buildAppointedOrder,
  buildNameOrder,
  buildPersonOrder,
  rankRole,
  registerTypeOf,
  type RegisterType,
} from "./order.ts";

export type { Appointment, BirthDate, NameElements } from "./members.ts";

/** A type and not an interface: only a type has the index signature that keys need. */
export type AppointmentKeys = {
  appointment_id: string;
  company_number: string;
  officer_id: string;
  /** Empty while no source has stated it. */
  person_number: string;
  is_resigned: boolean;
  /** The officers file says that the company is dissolved, converted or closed. */
  is_company_ended: boolean;
  register_type: RegisterType | "none";
  role_rank: number;
  name_order: string;
  appointed_order: string;
  resigned_order: string;
  person_order: string;
};

export type StoredAppointment = StoredRecord<Appointment, AppointmentKeys>;

/** Statuses of a company whose un-resigned officers count as inactive. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set(["dissolved", "converted-closed", "closed"]);

const ID = { type: "string", pattern: "^[A-Za-z0-9_-]{27}$" };
const TEXT = { type: "string", minLength: 1, maxLength: 200 };

export const appointmentRecord = defineRecord<Appointment, AppointmentKeys>({
  name: "officer-appointment",
  collection: "appointments",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["appointment_id", "officer_id", "company_number", "officer_role", "is_corporate"],
    // A body has a name, a person has name elements; a record with neither could not be shown.
    anyOf: [
      { properties: { name: true }, required: ["name"] },
      { properties: { name_elements: true }, required: ["name_elements"] },
    ],
    properties: {
      ...appointmentMemberSchemas,
      appointment_id: ID,
      officer_id: ID,
      company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
      company_name: TEXT,
      company_status: enumerationSchema("company_status"),
      person_number: { type: "string", pattern: "^[0-9]{12}$" },
      etag: ETAG,
      is_corporate: { type: "boolean" },
      name: TEXT,
      name_elements: nameElementsSchema,
      date_of_birth: {
        ...partialBirthDateSchema,
        properties: {
          ...partialBirthDateSchema.properties,
          day: { type: "integer", minimum: 1, maximum: 31 },
        },
      },
    },
  },
  // The ids that the API shows may become known later, so the identity alone separates appointments.
  identify: ({ person_number, ...appointment }) =>
    person_number === undefined
      ? appointment.appointment_id
      : deriveAppointmentKey({ person_number, ...appointment }),
  keysOf: (appointment) => {
    const isResigned = appointment.resigned_on !== undefined;
    return {
      appointment_id: appointment.appointment_id,
      company_number: appointment.company_number,
      officer_id: appointment.officer_id,
      person_number: appointment.person_number ?? "",
      is_resigned: isResigned,
      is_company_ended: ENDED_STATUSES.has(appointment.company_status ?? ""),
      register_type: registerTypeOf(appointment.officer_role),
      role_rank: rankRole(appointment.officer_role, isResigned),
      name_order: buildNameOrder(appointment),
      appointed_order: buildAppointedOrder(appointment),
      resigned_order: descendingKey(appointment.resigned_on),
      person_order: buildPersonOrder(appointment),
    };
  },
  indexes: [
    { fields: ["appointment_id"] },
    // The other three orders sort one company's officers in memory, found by this index: a few thousand at most.
    { fields: ["company_number", "role_rank", "name_order", "is_resigned"] },
    { fields: ["officer_id", "is_resigned", "person_order"] },
    // By the person number of daily updates; no file contains the API's ids.
    { fields: ["person_number"] },
  ],
  incoming: {
    kinds: ["company-officers"],
    known: [answerMembersSchema],
    normalise: normaliseIncomingAppointment,
    locate: (resource) => locateById(resource, "appointment_id"),
    addressOf: ({ company_number: company, appointment_id: id }) => ({
      kind: "company-officers",
      uri: `/company/${company}/appointments/${id}`,
      id,
    }),
  },
});

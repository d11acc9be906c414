/** The stored appointment: one officer in one role at one company. Also maps an API-shaped appointment to it. */
import { descendingKey } from "../../shared/values/dates.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  asMembers,
  companyNumberOf,
  convert,
  idOf,
  locateById,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import { pickMembers, type Members } from "../../shared/values/members.ts";
import { readDate, requireDate } from "../bulk-person.ts";
import { LEADING_TITLE } from "../leading-title.ts";
import { growingList } from "../../shared/values/enumerations.ts";
import { BIRTH } from "../../shared/schemas/schemas.ts";
import { deriveAppointmentKey, deriveOfficerId } from "./identity.ts";
import type { StoredOf } from "../define-resource.ts";
import {
  appointmentMemberSchemas,
  appointmentSchema,
  hiddenMembersOf,
  type Appointment,
  type NameElements,
} from "./members.ts";
import { nameElementsOf } from "./from-bulk.ts";
import { buildAppointedOrder, buildNameOrder, buildPersonOrder, rankRole, registerTypeOf } from "./order.ts";

const { contribution_sub_types: subTypes } = appointmentMemberSchemas;
const DAYS = ["appointed_on", "appointed_before", "resigned_on"];

/** The members of an appointment in answers. */
const answerMembersSchema = {
  properties: {
    ...appointmentMemberSchemas,
    // Read by `withDays` below: an impossible day may refuse the record.
    ...Object.fromEntries(DAYS.map((member) => [member, {}])),
    // An item that is not a sub-type is left out.
    contribution_sub_types: { ...subTypes, items: { ...subTypes.items, isLenient: true } },
    name: {},
    date_of_birth: BIRTH,
    person_number: {},
    etag: {},
    links: { properties: { self: {}, officer: { properties: { appointments: {} } } } },
  },
};

// Members that are stored as they are read; the schema checks them.
const PLAIN_MEMBERS = [...Object.keys(appointmentMemberSchemas), "date_of_birth"];

const OFFICER_LINK = /^\/officers\/([A-Za-z0-9_-]+)\/appointments$/;

/** The stored appointment, under the ids that the API gives it. Throws RecordError. */
function normaliseIncomingAppointment(resource: IncomingResource, warnings: string[]): Appointment {
  const role = textOf(resource.data.officer_role, "officer_role");
  const shown = convert(withoutHidden(resource, role, warnings), "person_number", String);
  const data = withDays(convert(shown, "identification", withPresentType), warnings);
  const isCorporate = role.startsWith("corporate-");
  const name = textOf(data.name, "name");
  return {
    // The record's schema checks members that are only copied here.
    ...(pickMembers(data, PLAIN_MEMBERS) as Partial<Appointment>),
    appointment_id: idOf(resource),
    officer_id: officerIdOf(data),
    company_number: companyNumberOf(resource),
    officer_role: role,
    is_corporate: isCorporate,
    ...(isCorporate ? { name } : { name_elements: parseListName(name) }),
    ...(typeof data.person_number === "string" ? { person_number: data.person_number } : {}),
    ...(typeof data.etag === "string" ? { etag: data.etag } : {}),
  };
}

/** The members without those that no answer shows for the role. */
function withoutHidden(
  { data }: IncomingResource,
  role: string,
  warnings: string[],
): Record<string, unknown> {
  const shown = { ...data };
  for (const member of hiddenMembersOf(role)) {
    if (shown[member] === undefined) continue;
    warnings.push(`${member}: not shown for this role, left out`);
    delete shown[member];
  }
  return shown;
}

// Compat: records from before 2021 have this word (API reference 7.5); the specification does not have it.
const FORMER_TYPE = "uk-limited";
const formerWords = {
  properties: {
    identification: { properties: { identification_type: growingList({ enum: [FORMER_TYPE] }) } },
  },
};

function withPresentType(identification: unknown): Members {
  return convert(asMembers(identification, "identification"), "identification_type", (type) =>
    type === FORMER_TYPE ? "uk-limited-company" : type,
  );
}

/**
 * The members without impossible days. Throws RecordError if the record cannot do without the day. Without the day of
 * resignation the officer would be shown as serving (bulk files are read alike). Beside a person number the day of
 * appointment is part of the record's identity.
 */
function withDays(data: Members, warnings: string[]): Members {
  const needed = data.person_number === undefined ? ["resigned_on"] : DAYS;
  return DAYS.reduce((members, member) => {
    const read = (day: unknown) =>
      needed.includes(member)
        ? requireDate(String(day), member, { isEvent: true })
        : readDate(String(day), member, warnings) || undefined;
    return convert(members, member, read);
  }, data);
}

/**
 * `SURNAME, Forename Other, Title, Honours` to its parts. `SURNAME, Lord` has a title and no forename.
 * Limit: this holds for the titles of `LEADING_TITLE` only. Others, as in `SURNAME, Countess`, may be forenames.
 */
function parseListName(name: string): NameElements {
  const [surname = "", second = "", third = "", ...others] = name.split(",").map((part) => part.trim());
  const isTitle = third === "" && `${second} `.replace(LEADING_TITLE, "") === "";
  const elements = isTitle ? { surname, title: second } : nameElementsOf(third, second, surname);
  const honours = others.filter(Boolean);
  return honours.length > 0 ? { ...elements, honours: honours.join(", ") } : elements;
}

function officerIdOf(data: Record<string, unknown>): string {
  const links = data.links as { officer?: { appointments?: unknown } } | undefined;
  const id = OFFICER_LINK.exec(String(links?.officer?.appointments))?.[1];
  if (id) return id;
  if (typeof data.person_number === "string") return deriveOfficerId(data.person_number);
  throw new RecordError("names no officer, and person_number is missing, too", "links.officer.appointments");
}

function textOf(value: unknown, field: string): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new RecordError("is missing", field);
}

function hasPersonNumber(appointment: Appointment): appointment is Appointment & { person_number: string } {
  return appointment.person_number !== undefined;
}

export type { Appointment } from "./members.ts";

/** Statuses of a company that make its un-resigned officers inactive; `closed` is from API reference 7.5 only. */
export const INACTIVE_STATUSES: ReadonlySet<string> = new Set(["dissolved", "converted-closed", "closed"]);

export const appointmentRecord = defineRecord({
  name: "officer-appointment",
  collection: "appointments",
  schema: {
    ...appointmentSchema,
    // A body has a name, a person has name elements; a record with neither could not be shown.
    anyOf: [
      { properties: { name: true }, required: ["name"] },
      { properties: { name_elements: true }, required: ["name_elements"] },
    ],
  },
  // With a person number the id is no part of the key: the id that the API shows may become known later.
  identify: (appointment: Appointment) =>
    hasPersonNumber(appointment) ? deriveAppointmentKey(appointment) : appointment.appointment_id,
  keysOf: (appointment: Appointment) => {
    const isResigned = appointment.resigned_on !== undefined;
    return {
      appointment_id: appointment.appointment_id,
      company_number: appointment.company_number,
      officer_id: appointment.officer_id,
      // Empty while no source has stated it.
      person_number: appointment.person_number ?? "",
      is_resigned: isResigned,
      // The officers file says that the company is dissolved, converted or closed.
      is_company_ended: INACTIVE_STATUSES.has(appointment.company_status ?? ""),
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
    // For the other three orders MongoDB finds a company's officers by this index and sorts a few thousand at most.
    { fields: ["company_number", "role_rank", "name_order", "is_resigned"] },
    { fields: ["officer_id", "is_resigned", "person_order"] },
    // Daily updates find appointments by person number, because no file contains the API's ids.
    { fields: ["person_number"] },
  ],
  incoming: {
    kinds: ["company-officers"],
    known: [answerMembersSchema, formerWords],
    normalise: normaliseIncomingAppointment,
    locate: (resource) => locateById(resource, "appointment_id"),
    addressOf: ({ company_number: company, appointment_id: id }) => ({
      kind: "company-officers",
      uri: `/company/${company}/appointments/${id}`,
      id,
    }),
  },
});

export type StoredAppointment = StoredOf<typeof appointmentRecord>;

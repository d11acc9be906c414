/** Owns the mapping of an API-shaped appointment (`company-officers`) to the stored one. */
import { normaliseAddress } from "../../core/address.ts";
import { RecordError } from "../../core/errors.ts";
import { companyNumberOf, type IncomingResource } from "../incoming-resource.ts";
import { deriveOfficerId } from "./identity.ts";
import {
  appointmentMemberSchemas,
  hiddenMembersOf,
  type Appointment,
  type BirthDate,
  type NameElements,
} from "./members.ts";

/** The members of an appointment in answers. */
export const answerMembersSchema = {
  properties: {
    ...appointmentMemberSchemas,
    name: {},
    date_of_birth: { properties: { day: {}, month: {}, year: {} } },
    person_number: {},
    etag: {},
    links: { properties: { self: {}, officer: { properties: { appointments: {} } } } },
  },
};

// Members that are stored unchanged; the schema checks them.
const PLAIN_MEMBERS = Object.keys(appointmentMemberSchemas).filter((member) => !member.endsWith("address"));

const OFFICER_LINK = /^\/officers\/([A-Za-z0-9_-]+)\/appointments$/;

/** The stored appointment, under the ids that the API gives it. Throws RecordError. */
export function normaliseIncomingAppointment(
  resource: IncomingResource,
  warn: (warning: string) => void,
): Appointment {
  const { id } = resource;
  const role = textOf(resource.data.officer_role, "officer_role");
  const data = withoutHidden(resource, role, warn);
  const isCorporate = role.startsWith("corporate-");
  const name = textOf(data.name, "name");
  const birth = normaliseBirthDate(data.date_of_birth);
  const plain = PLAIN_MEMBERS.filter((member) => data[member] !== undefined);
  return {
    // The record's schema checks members that are only copied here.
    ...(Object.fromEntries(plain.map((member) => [member, data[member]])) as Partial<Appointment>),
    ...addressOf(data, "address"),
    ...addressOf(data, "principal_office_address"),
    appointment_id: id,
    officer_id: officerIdOf(data),
    company_number: companyNumberOf(resource),
    officer_role: role,
    is_corporate: isCorporate,
    ...(isCorporate ? { name } : { name_elements: parseListName(name) }),
    ...(birth ? { date_of_birth: birth } : {}),
    ...(typeof data.person_number === "string" ? { person_number: data.person_number } : {}),
    ...(typeof data.etag === "string" ? { etag: data.etag } : {}),
  };
}

/** The members without those that no answer shows for the role. */
function withoutHidden(
  { data }: IncomingResource,
  role: string,
  warn: (warning: string) => void,
): Record<string, unknown> {
  const shown = { ...data };
  for (const member of hiddenMembersOf(role)) {
    if (shown[member] === undefined) continue;
    warn(`${member}: not shown for this role, left out`);
    delete shown[member];
  }
  return shown;
}

/** `SURNAME, Forename Other, Title` to its parts. */
function parseListName(name: string): NameElements {
  const [surname = "", forenames = "", title] = name.split(",").map((part) => part.trim());
  const space = forenames.indexOf(" ");
  const elements: NameElements = { surname };
  if (title) elements.title = title;
  if (forenames) elements.forename = space < 0 ? forenames : forenames.slice(0, space);
  if (space > 0) elements.other_forenames = forenames.slice(space).trim();
  return elements;
}

function addressOf(data: Record<string, unknown>, member: "address" | "principal_office_address") {
  const given = data[member];
  const address = given ? normaliseAddress(given) : null;
  return address ? { [member]: address } : {};
}

/** Month, year and day may come as text or as numbers. */
function normaliseBirthDate(value: unknown): BirthDate | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { day, month, year } = value as Record<string, unknown>;
  const birth = { month: Number(month), year: Number(year) };
  return day === undefined ? birth : { day: Number(day), ...birth };
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

/** The order of appointments: ranks of roles, and the sort keys by which MongoDB pages each list. */
import { descendingKey } from "../../shared/values/dates.ts";
import { plainRoleOf } from "./identity.ts";
import type { Appointment } from "./members.ts";

/** The three registers of officers that a company may keep on the public register. */
export const REGISTER_TYPES = ["directors", "secretaries", "llp_members"] as const;

type RegisterType = (typeof REGISTER_TYPES)[number];

const registersByRole = new Map<string, RegisterType>([
  ["director", "directors"],
  ["secretary", "secretaries"],
  ["llp-member", "llp_members"],
  ["llp-designated-member", "llp_members"],
]);

// Ranks while serving, and once resigned (API reference 7.5). The first pattern that matches counts.
const RANKS: [rolePattern: RegExp, serving: number, resigned: number][] = [
  [/managing-officer$/, 2, 2],
  [/secretary$/, 10, 100],
  [/director$/, 20, 200],
  [/llp-designated-member$/, 10, 100],
  [/llp-member$/, 20, 200],
  [/administrative-organ$/, 10, 100],
  [/management-organ$/, 20, 200],
  [/supervisory-organ$/, 30, 300],
  [/^general-partner/, 10, 100],
  [/^corporate-general-partner/, 20, 200],
  [/^limited-partner/, 30, 300],
  [/^corporate-limited-partner/, 40, 400],
];
const LAST_RANK = [50, 500] as const;

// Sorts before every character of a name, so that DE comes before DE LA MUESTRA.
const SEPARATOR = "\t";

const ranksByRole = new Map<string, readonly [number, number]>();

/** Position of a role in a company's list: serving officers by rank, resigned ones after them. */
export function rankRole(role: string, isResigned: boolean): number {
  let ranks = ranksByRole.get(role);
  if (!ranks) {
    const entry = RANKS.find(([pattern]) => pattern.test(role));
    ranks = entry ? [entry[1], entry[2]] : LAST_RANK;
    ranksByRole.set(role, ranks);
  }
  return ranks[isResigned ? 1 : 0];
}

/** Surname or company name, forename, latest appointment first. The id at the end makes the order total. */
export function buildNameOrder(appointment: Appointment): string {
  const { name_elements: elements, appointed_on, appointed_before, appointment_id } = appointment;
  const surname = foldName(elements?.surname ?? appointment.name ?? "");
  const forename = foldName(elements?.forename ?? "");
  const dates = [descendingKey(appointed_on), descendingKey(appointed_before)];
  return [surname, forename, ...dates, appointment_id].join(SEPARATOR);
}

/** Latest appointment first; appointments dated only by an annual return come last. */
export function buildAppointedOrder(appointment: Appointment): string {
  return descendingKey(appointment.appointed_on) + descendingKey(appointment.appointed_before);
}

/** The order of a person's appointments: latest first, resigned ones by their resignation; then the id. */
export function buildPersonOrder(appointment: Appointment): string {
  const { appointed_on, appointed_before, resigned_on, appointment_id } = appointment;
  return descendingKey(resigned_on ?? appointed_on ?? appointed_before) + SEPARATOR + appointment_id;
}

/** The register that contains the role, or `none`. */
export function registerTypeOf(role: string): RegisterType | "none" {
  return registersByRole.get(plainRoleOf(role)) ?? "none";
}

/** Upper case without accents: Ü sorts with U, not after Z. */
function foldName(name: string): string {
  const upper = name.toUpperCase();
  // Nearly all names have ASCII letters only and need no decomposition.
  return /^[\x20-\x7e]*$/.test(upper) ? upper : upper.normalize("NFD").replace(/\p{M}/gu, "");
}

/**
 * The officers snapshot: Prod195 (serving officers) and Prod216 (resigned ones, too). See bulk formats 3.
 *
 * Publisher: the registrar, on request, a few times a year. Nine files of 0.8 to 1 GB (England and Wales in
 * seven, Scotland, Northern Ireland); 13.7 million companies, 22.6 million officers in 2021. Text, LF, UTF-8
 * (old editions Latin-1); positions count characters.
 * - The id derives from company, person (8 digits), class of role and appointment day, so every edition finds
 *   it again. The officer's id derives from the person until a source gives the person's real one.
 * - Where fields are blank, or premises share a line with the street, values of other sources stay, unless an update
 *   removed them. A corporate body keeps nothing that only persons have, nor the reverse. Values that only earlier
 *   snapshots or updates stated are removed. A later daily update (and its removals) wins in any load order.
 * - A company line only gives name and status to its officers, for companies that are not in the register. No event
 *   states these, so they stay after one, and so does a title that the API's lists leave out. A wrong number of
 *   officers causes a warning. Officers without a company line load under their own company number.
 * - Refused: unknown type, no surname, no person number, resigned without a valid day. Dropped with a
 *   warning: impossible or far-away days, a resignation beside a serving type.
 */
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { deriveOfficerId, personOf, plainRoleOf } from "../../api/resources/officer-appointment/identity.ts";
import {
  hiddenMembersOf,
  type Appointment,
  type NameElements,
} from "../../api/resources/officer-appointment/members.ts";
import { withPlainTitle } from "../../api/resources/officer-appointment/titles.ts";
import { appointmentRecord, type StoredAppointment } from "../../api/resources/officer-appointment/record.ts";
import { isMembers } from "../../api/shared/values/members.ts";
import { cutGroups, type RawRow } from "../readers/read-rows.ts";
import { defineSource, type SetFile } from "./define-source.ts";
import {
  address,
  besides,
  each,
  exactly,
  richer,
  until,
  value,
  wholly,
  type MemberRules,
} from "../statements/merge.ts";
import { LASTING } from "../statements/statement.ts";
import {
  APPOINTMENT_TYPES,
  COMPANY_MEMBERS,
  LASTING_MEMBERS,
  mapCompany,
  OFFICERS_RULES,
  officersFrame,
  readAppointment,
  readAppointmentType,
  readPersonLine,
  REPLACED,
} from "./officers-layout.ts";
import { PRODUCTS, readSnapshotName, REGIONS, snapshotSeries } from "./officers-runs.ts";

const OF_PERSONS = ["country_of_residence", "date_of_birth", "nationality", "occupation"] as const;

/** Merge rules of the members that the file has: neither the API's ids, nor members that it never gives. */
export const SNAPSHOT_RULES: MemberRules = {
  ...each([...COMPANY_MEMBERS, "officer_role", "person_number"], value),
  ...each(["appointed_on", "appointed_before"], besides("appointed_on", "appointed_before")),
  name: besides("name", "name_elements"),
  name_elements: spelledAsStored,
  address,
  is_corporate: exactly,
  ...Object.fromEntries(OF_PERSONS.map((member) => [member, unlessLacking(member)])),
  // A known day replaces "before 1992".
  is_pre_1992_appointment: until<Appointment>(
    ({ stored, incoming }) => stored.is_pre_1992_appointment === true && incoming.appointed_on !== undefined,
  ),
  // Complete: the type of appointment shows whether the officer has resigned.
  resigned_on: wholly,
};

/** The parts of a name in the line, each in the stored spelling, since the file has capitals. A body has none. */
function spelledAsStored(stored: unknown, incoming: unknown): unknown {
  if (!isMembers(incoming)) return undefined;
  const spellings = isMembers(stored) ? stored : {};
  const parts = Object.entries(incoming).map(([name, part]) => [name, richer(spellings[name], part)]);
  return richer(stored, Object.fromEntries(parts));
}

/** Removes the stored value if an officer of this kind cannot have the member. */
function unlessLacking(member: string) {
  return until<Appointment>(({ incoming }) => lackingOf(incoming).includes(member));
}

/** Members that a corporate body cannot have, or that the API never shows for the role. */
function lackingOf({ is_corporate, officer_role = "" }: Partial<Appointment>): readonly string[] {
  return is_corporate ? OF_PERSONS : hiddenMembersOf(officer_role);
}

/**
 * Members that are absent here, and for which a blank in a snapshot means nothing. Without members that an officer of
 * this kind cannot have: most corrected records of bodies and secretaries would keep a removal of these.
 */
export function blanksOf(data: Partial<Appointment>): string[] {
  const lacking = lackingOf(data);
  const members = ["address", ...OF_PERSONS] as const;
  return members.filter((member) => data[member] === undefined && !lacking.includes(member));
}

/** The file does not have it, and only corporate bodies do: a person's is removed. */
export const identification = until<Appointment>(({ incoming }) => incoming.is_corporate === false);

// Not in these files (bulk formats 3.2): partnerships, charitable bodies, societies and overseas entities.
const PREFIX = /^(\d|SC|SZ|ZC|SF|FC|NI|NF|OC|SO|NC|SE|R0)/;
const ROLES = new Set([...APPOINTMENT_TYPES.values()].map(({ role }) => role));

const { isTrailer, framed } = officersFrame("DDDDSNAP", {
  header: "DDDDUPDT",
  fault: (found) => `expected a snapshot, found ${found}: it is a daily update (Prod198, officers-update)`,
});

export const officersSnapshot = defineSource({
  name: "officers-snapshot",
  title: "officers snapshot (Prod195, Prod216)",
  fills: [appointmentRecord],
  fileNames: new RegExp(`^Prod(${PRODUCTS.join("|")})_`, "i"),
  ...framed,
  open: (first, fileName) => ({ ...framed.open(first, fileName), ...readSnapshotName(fileName) }),
  completeness: {
    records: [appointmentRecord],
    members: ["is_resigned", "company_number", "data"],
    covers: (record, { product }) => {
      const { company_number, is_resigned, data } = record as StoredAppointment; // records of this kind
      const isCovered = PREFIX.test(company_number) && ROLES.has(plainRoleOf(data.officer_role));
      return isCovered && (product === "216" || !is_resigned);
    },
    // Without the product: Prod216 also has the serving officers of Prod195.
    scopeOf: ({ region }) => region,
    requireWhole: requireAllRegions,
  },
  scattered: {
    keyOf: (text) => (text.charAt(8) === "2" ? personOf(text.slice(12, 24)) : undefined),
    documentOf: deriveOfficerId,
  },
  mergeRules: {
    // An edition replaces earlier daily updates, even if it changes nothing else.
    [OFFICERS_RULES]: {
      rules: { ...SNAPSHOT_RULES, identification },
      replaces: REPLACED,
      lasting: LASTING_MEMBERS,
      keepsDay: true,
    },
    // The casts: names of appointments.
    [LASTING]: {
      rules: {
        name_elements: (earlier, stated) => withPlainTitle(earlier as NameElements, stated as NameElements),
      },
      replaces: [],
    },
  },
  mapRows: (rows) =>
    cutGroups(rows, framed.groupKey).flatMap((group) =>
      mapCompany(group, {
        isTrailer,
        ofCompany: ({ text }, _company, warnings) => {
          if (!isCountRight(text, group)) warnings.push(WRONG_COUNT);
          return { kind: "skipped" };
        },
        ofPerson: ({ text }, company, warnings) => {
          const line = readPersonLine(text);
          const data = readAppointment(line, readAppointmentType(line.appointment_type), company, warnings);
          return { kind: "record", record: appointmentRecord, data, tells: OFFICERS_RULES };
        },
      }),
    ),
  series: snapshotSeries,
});

const WRONG_COUNT = "number_of_officers: the company line and the file differ; nothing is dropped";

/** The stated number counts serving officers; in a file with resigned ones it may count all. */
function isCountRight(companyLine: string, rows: readonly RawRow[]): boolean {
  const stated = companyLine.slice(32, 36);
  const persons = rows.filter(({ text }) => text.charAt(8) === "2");
  const isServing = ({ text }: RawRow) => APPOINTMENT_TYPES.get(text.slice(10, 12))?.isResigned === false;
  const serving = persons.filter(isServing);
  return !/^\d{4}$/.test(stated) || [serving.length, persons.length].includes(Number(stated));
}

function requireAllRegions(files: readonly SetFile[]): void {
  const lacking = REGIONS.filter((region) => !files.some(({ context }) => context.region === region));
  if (lacking.length > 0) {
    const words = REGIONS.map((region) => `_${region}_`).join(", ");
    throw new SourceError(`--complete: no file is named for ${lacking.join(", ")} (${words})`);
  }
  const editionOf = ({ context: { run, product } }: SetFile) => `${product} ${run}`;
  const [first, ...others] = files;
  const other = first && others.find((file) => editionOf(file) !== editionOf(first));
  if (other) throw new SourceError(`--complete: ${first.file} and ${other.file} belong to two editions`);
}

/** Builds stored records for search tests: companies and people of every kind, from a few members each. */
import type { Address } from "../../api/shared/values/address.ts";
import { deriveId } from "../../api/shared/values/identifiers.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { RecordDefinition, StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { DisqualifiedOfficer } from "../../api/resources/disqualified-officer/members.ts";
import {
  disqualifiedOfficerRecord,
  type StoredDisqualifiedOfficer,
} from "../../api/resources/disqualified-officer/record.ts";
import {
  appointmentRecord,
  type Appointment,
  type StoredAppointment,
} from "../../api/resources/officer-appointment/record.ts";
import { pscRecord, type StoredPsc } from "../../api/resources/person-with-significant-control/record.ts";

/** A company in a judgement file, with members of the company profile. */
export type CompanyLine = Partial<CompanyProfile> & { company_name: string; company_number: string };

/**
 * An officer in a judgement file. `disqualified_until` makes it a disqualified officer, `controls` a person with
 * significant control of that company.
 */
export interface OfficerLine {
  officer_id: string;
  forename?: string;
  other_forenames?: string;
  surname?: string;
  corporate_name?: string;
  title?: string;
  active_count?: number;
  resigned_count?: number;
  date_of_birth?: { month: number; year: number };
  former_names?: { forenames?: string; surname?: string }[];
  disqualified_until?: string;
  controls?: string;
  address?: Address;
}

/** A record as the store would hold it. */
export function toStored<Data, Keys extends Record<string, string | number | boolean>>(
  definition: RecordDefinition<Data, Keys>,
  data: Data,
): StoredRecord<Data, Keys> {
  return { ...definition.keysOf(data), _id: definition.identify(data), etag: "", revision: 1, data };
}

/** A company; by default an active private limited company. */
export function aCompany(line: CompanyLine): StoredRecord<CompanyProfile> {
  return toStored(companyRecord, { type: "ltd", company_status: "active", ...line });
}

/** Appointments of one officer: first the current ones, then the resigned ones. */
export function anOfficer(line: OfficerLine): StoredAppointment[] {
  const { active_count: active = 1, resigned_count: resigned = 0 } = line;
  return Array.from({ length: active + resigned }, (_, index) =>
    anAppointment(line, index, index >= active ? { resigned_on: "2015-03-01" } : {}),
  );
}

/** One appointment of an officer. */
export function anAppointment(
  line: OfficerLine,
  index = 0,
  changes: Partial<Appointment> = {},
): StoredAppointment {
  const { officer_id, corporate_name, forename, other_forenames, surname, title } = line;
  const elements = {
    title,
    forename,
    other_forenames: other_forenames === "" ? undefined : other_forenames,
    surname,
  };
  return toStored(appointmentRecord, {
    appointment_id: deriveId("appointment", officer_id, String(index)),
    officer_id,
    company_number: String(99000000 + index),
    officer_role: corporate_name ? "corporate-secretary" : "director",
    is_corporate: corporate_name !== undefined,
    appointed_on: `2010-01-${String(index + 1).padStart(2, "0")}`,
    ...(corporate_name
      ? { name: corporate_name }
      : { name_elements: withoutAbsent(elements) as { surname: string } }),
    ...withoutAbsent({
      former_names: line.former_names,
      date_of_birth: line.date_of_birth,
      address: line.address,
    }),
    ...changes,
  });
}

/** A disqualified officer with one disqualification. */
export function aDisqualifiedOfficer(line: OfficerLine): StoredDisqualifiedOfficer {
  const { officer_id, forename, other_forenames, surname, title, corporate_name: name } = line;
  const officer: DisqualifiedOfficer = {
    officer_id,
    kind: name ? "corporate-disqualification" : "natural-disqualification",
    ...withoutAbsent({ title, forename, other_forenames, surname, name, date_of_birth: birthDay(line) }),
    disqualifications: [
      {
        address: line.address ?? { address_line_1: "1 Invented Row", locality: "Tarnwick" },
        disqualification_type: "court-order",
        disqualified_from: "2005-05-02",
        disqualified_until: line.disqualified_until ?? "2099-01-01",
        reason: {
          description_identifier: "summary-conviction",
          act: "company-directors-disqualification-act-1986",
        },
      },
    ],
  };
  return toStored(disqualifiedOfficerRecord, officer);
}

/** A person or a corporate body with significant control. */
export function aPersonWithControl(line: OfficerLine): StoredPsc {
  const { officer_id, controls = "", forename, other_forenames, surname, corporate_name } = line;
  const elements = withoutAbsent({
    forename,
    middle_name: other_forenames === "" ? undefined : other_forenames,
    surname,
  });
  const kind = corporate_name ? "corporate-entity" : "individual";
  return toStored(pscRecord, {
    notification_id: officer_id,
    company_number: controls,
    kind: `${kind}-person-with-significant-control`,
    name: corporate_name ?? Object.values(elements).join(" "),
    ...(corporate_name ? {} : { name_elements: elements as { surname: string } }),
    ...withoutAbsent({ date_of_birth: line.date_of_birth, address: line.address }),
  });
}

/** The full date of birth, which is public for disqualified officers. */
function birthDay({ date_of_birth: birth }: OfficerLine): string | undefined {
  return birth && `${birth.year}-${String(birth.month).padStart(2, "0")}-12`;
}

function withoutAbsent<T extends Record<string, unknown>>(
  members: T,
): { [Member in keyof T]?: Exclude<T[Member], undefined> } {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Member in keyof T]?: Exclude<T[Member], undefined> };
}

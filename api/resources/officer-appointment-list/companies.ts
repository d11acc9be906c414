/** What a list of appointments shows of each company: name and status, from the register or else the officers file. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { companyRecord } from "../company-profile/record.ts";
import type { Filter, RecordReader } from "../../shared/definitions/record-reader.ts";
import { appointmentRecord, INACTIVE_STATUSES } from "../officer-appointment/record.ts";
import { pickMembers } from "../../shared/values/members.ts";
import { COMPANY_NUMBER, objectOf } from "../../shared/schemas/schemas.ts";

/** The facts of a company that are shown. */
interface CompanyStanding {
  company_name?: string | undefined;
  company_status?: string | undefined;
}

/** Companies of the register by number; unknown ones are absent. */
export type Standings = ReadonlyMap<string, CompanyStanding>;

/** JSON Schema of a company and its standing. */
export const standingSchema = objectOf(["company_number"], {
  company_number: COMPANY_NUMBER,
  company_name: { type: "string", minLength: 1 },
  company_status: enumerationSchema("company_status"),
});

// Limit: companies are fetched in groups of this size, and only name and status stay in memory. An agent with 50,000
// serving nominee appointments costs a hundred fetches.
const BATCH = 500;

/** Name and status of the companies in the register. */
export async function fetchStandings(
  records: Pick<RecordReader, "fetchByIds">,
  numbers: string[],
): Promise<Standings> {
  const standings = new Map<string, CompanyStanding>();
  const distinct = [...new Set(numbers)];
  for (let start = 0; start < distinct.length; start += BATCH) {
    const companies = await records.fetchByIds(companyRecord, distinct.slice(start, start + BATCH));
    for (const { _id, data } of companies) standings.set(_id, pickStanding(data));
  }
  return standings;
}

/** The register's facts about the company if it has them, else those of the officers file. */
export function standingOf(
  appointment: CompanyStanding & { company_number: string },
  standings: Standings,
): CompanyStanding {
  return standings.get(appointment.company_number) ?? pickStanding(appointment);
}

/** True when the company is dissolved, converted or closed, so that a serving officer is inactive. */
export function hasEnded(standing: CompanyStanding): boolean {
  return INACTIVE_STATUSES.has(standing.company_status ?? "");
}

function pickStanding(from: CompanyStanding): CompanyStanding {
  return pickMembers(from, ["company_name", "company_status"]);
}

/** How many of the appointments that match the filter are inactive. Reads all companies of the serving ones. */
export async function countInactive(
  records: Pick<RecordReader, "fetchKeys" | "fetchByIds">,
  filter: Filter,
): Promise<number> {
  const serving = { ...filter, is_resigned: false };
  const fetchNumbers = (is_company_ended: boolean) =>
    records.fetchKeys(appointmentRecord, { ...serving, is_company_ended }, "company_number");
  const [live, ended] = await Promise.all([fetchNumbers(false), fetchNumbers(true)]);
  const standings = await fetchStandings(records, [...live, ...ended]);
  const isInactive = (fileSaysEnded: boolean) => (number: string) => {
    const standing = standings.get(number);
    return standing ? hasEnded(standing) : fileSaysEnded;
  };
  return live.filter(isInactive(false)).length + ended.filter(isInactive(true)).length;
}

/** Owns which serving appointments are inactive: those in companies that have ended. */
import type { Filter, RecordReader } from "../define-resource.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { fetchStandings, hasEnded } from "./companies.ts";

/** How many of the appointments that match the filter are inactive; reads each of their companies. */
export async function countInactive(
  records: Pick<RecordReader, "fetchKeys" | "fetchByIds">,
  filter: Filter,
): Promise<number> {
  const fetchNumbers = (is_company_ended: boolean) =>
    records.fetchKeys(
      appointmentRecord,
      { ...filter, is_resigned: false, is_company_ended },
      "company_number",
    );
  const [live, ended] = await Promise.all([fetchNumbers(false), fetchNumbers(true)]);
  const standings = await fetchStandings(records, [...live, ...ended]);
  const isInactive = (number: string, fileSaysEnded: boolean) => {
    const standing = standings.get(number);
    return standing ? hasEnded(standing) : fileSaysEnded;
  };
  return (
    live.filter((number) => isInactive(number, false)).length +
    ended.filter((number) => isInactive(number, true)).length
  );
}

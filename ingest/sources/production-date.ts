/** Owns the day of production that a snapshot's file name tells, where its content does not. Pure. */
import { parseDate } from "../../api/core/dates.ts";

// `BasicCompanyData-2026-11-01-part1_7.csv`, `psc-snapshot-2026-11-01_1of31.txt`.
const DAY = /(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)/;

/** The day, as the member of a source's context; a name that tells none gives none. */
export function readProductionDate(fileName: string): { productionDate?: string } {
  const productionDate = parseDate(DAY.exec(fileName)?.[1] ?? "");
  return productionDate ? { productionDate } : {};
}

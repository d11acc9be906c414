/** Owns the comparison of the number of officers that a company line states with the persons that follow it. Pure. */
import type { RawRow } from "./define-source.ts";
import { isServingType } from "./officers-layout.ts";

const WARNING =
  "number_of_officers: the company line states another number than the file has, nothing is dropped";

/**
 * What is to be said of the company line of these rows, all of one company. The number is that of the serving ones;
 * where resigned ones stand beside them that of all has been seen, too.
 */
export function compareOfficerCount(companyLine: string, rows: readonly RawRow[]): string[] {
  const stated = companyLine.slice(32, 36);
  if (!/^\d{4}$/.test(stated)) return [];
  const persons = rows.filter(({ text }) => text.charAt(8) === "2");
  const serving = persons.filter(({ text }) => isServingType(text.slice(10, 12)));
  return [serving.length, persons.length].includes(Number(stated)) ? [] : [WARNING];
}

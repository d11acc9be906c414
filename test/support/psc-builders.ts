/** Builds records about control for tests: a test gives only the members that its case is about. */
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { pscRecord, type Psc } from "../../api/resources/person-with-significant-control/record.ts";
import { pscStatementRecord } from "../../api/resources/psc-statement/index.ts";
import { toStored } from "./stored.ts";

/** An id of 27 characters that ends in this sign. */
export function idOf(sign: string): string {
  return sign.padStart(27, "-");
}

/** A stored individual person with significant control. */
export function aPerson(company_number: string, sign: string, dates: Partial<Psc>) {
  const kind = "individual-person-with-significant-control";
  const data: Psc = { notification_id: idOf(sign), company_number, kind, name: `Mr ${sign}`, ...dates };
  return toStored(pscRecord, data, 1);
}

/** A stored statement. */
export function aStatement(
  company_number: string,
  sign: string,
  dates: { notified_on: string; ceased_on?: string },
) {
  const statement = "psc-exists-but-not-identified";
  return toStored(pscStatementRecord, { statement_id: idOf(sign), company_number, statement, ...dates }, 1);
}

/** A stored company. */
export function aCompany(company_number: string) {
  return toStored(companyRecord, { company_number, company_name: "SAMPLE LTD", type: "ltd" }, 1);
}

/** Builds a stored company for unit tests, which give only the members that their case is about. */
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { toStored } from "./stored.ts";

/** A stored private limited company. */
export function aCompany(company_number: string, members: Partial<CompanyProfile> = {}) {
  return toStored(companyRecord, { company_number, company_name: "SAMPLE LTD", type: "ltd", ...members }, 1);
}

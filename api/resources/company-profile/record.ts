/** Owns the stored company profile: its keys, and the mapping of an API-shaped one (`company-profile`). */
import { RecordError } from "../../shared/runtime/errors.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  companyNumberOf,
  locateByCompany,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import { companySchema, type CompanyProfile } from "./members.ts";
import { readCompany, settleCompany } from "./normalise.ts";

type AnnualReturn = NonNullable<CompanyProfile["annual_return"]>;

/** The stored profile, with the ETag that the source gave it. Throws RecordError. */
function normaliseIncomingCompany(resource: IncomingResource, warnings: string[]): CompanyProfile {
  const read = readCompany(resource.data, warnings);
  const data = settleCompany(read);
  // Stored under another number than its address names, later events of that address would not find it.
  if (data.company_number !== companyNumberOf(resource))
    throw new RecordError(`differs from the company in ${resource.uri}`, "company_number");
  warnings.push(...describeLateDays(read.annual_return, data.annual_return));
  return data;
}

/** A warning for each day of the annual return that is of a later time (specification 2.1). A CSV, full of them, has none. */
function describeLateDays(given: AnnualReturn = {}, kept: AnnualReturn = {}): string[] {
  const late = (["next_due", "next_made_up_to"] as const).filter((day) => given[day] && !kept[day]);
  return late.map((day) => `annual_return.${day} left out: the confirmation statement has taken its place`);
}

const STATUSES: ReadonlySet<string> = new Set(enumerationKeys("company_status"));

/** True for the profile of a UK establishment, of those that name a parent: it is open or closed, or its status is a new one. */
export function isEstablishment(
  company: CompanyProfile,
): company is CompanyProfile & { company_status: string } {
  const { company_status: status } = company;
  return status !== undefined && (status === "open" || status === "closed" || !STATUSES.has(status));
}

/** Companies, by their number. */
export const companyRecord = defineRecord({
  name: "company-profile",
  collection: "companies",
  schema: companySchema,
  identify: (company: CompanyProfile) => company.company_number,
  // A profile is read by its number, which is `_id`; UK establishments also by their parent.
  keysOf: ({ branch_company_details: branch }: CompanyProfile): { parent_company_number?: string } =>
    branch?.parent_company_number ? { parent_company_number: branch.parent_company_number } : {},
  indexes: [{ fields: ["parent_company_number"] }],
  incoming: {
    kinds: ["company-profile"],
    normalise: normaliseIncomingCompany,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({ kind: "company-profile", uri: `/company/${id}`, id }),
  },
});

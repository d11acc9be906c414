/** The stored company profile: its keys, and how an API-shaped one (`company-profile`) is mapped to it. */
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
  // Later events name this address. They would not find a company that is stored under another number.
  if (data.company_number !== companyNumberOf(resource))
    throw new RecordError(`differs from the company in ${resource.uri}`, "company_number");
  warnings.push(...describeLateDays(read.annual_return, data.annual_return));
  return data;
}

/** A warning for each day that is too late for an annual return. Rows of the CSV get none: very many have such days. */
function describeLateDays(given: AnnualReturn = {}, kept: AnnualReturn = {}): string[] {
  const late = (["next_due", "next_made_up_to"] as const).filter((day) => given[day] && !kept[day]);
  return late.map((day) => `annual_return.${day} left out: the confirmation statement has taken its place`);
}

const STATUSES: ReadonlySet<string> = new Set(enumerationKeys("company_status"));

/** Whether a company that names a parent is a UK establishment: it is open or closed, or its status is a new word. */
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

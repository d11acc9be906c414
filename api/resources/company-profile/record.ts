/** Owns the stored company profile: where it lives, and its keys. */
import { defineRecord } from "../define-record.ts";
import { locateByCompany } from "../incoming-resource.ts";
import { answerMembersSchema, normaliseIncomingCompany } from "./incoming.ts";
import { companySchema, type CompanyProfile } from "./members.ts";

/** Statuses of companies that no longer exist. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set([
  "dissolved",
  "closed",
  "converted-closed",
  "removed",
]);

/** The parent of a UK establishment; only establishments have the key. */
type ParentKey = { parent_company_number?: string };

/** Companies, by their number. */
export const companyRecord = defineRecord<CompanyProfile, ParentKey>({
  name: "company-profile",
  collection: "companies",
  schema: companySchema,
  identify: (company: CompanyProfile) => company.company_number,
  // A profile is read by its number, which is `_id`; UK establishments also by their parent.
  keysOf: ({ branch_company_details: branch }): ParentKey =>
    branch?.parent_company_number ? { parent_company_number: branch.parent_company_number } : {},
  indexes: [{ fields: ["parent_company_number"] }],
  incoming: {
    kinds: ["company-profile"],
    known: [companySchema, answerMembersSchema],
    normalise: normaliseIncomingCompany,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({ kind: "company-profile", uri: `/company/${id}`, id }),
  },
});

/** Owns the stored insolvency of a company: its status, and each case with its dates and practitioners. */
import { defineRecord } from "../define-record.ts";
import { locateByCompany } from "../incoming-resource.ts";
import { insolvencySchema, type CompanyInsolvency } from "./members.ts";
import { normaliseInsolvency } from "./normalise.ts";

/** Insolvencies, by company number. */
export const insolvencyRecord = defineRecord({
  name: "insolvency",
  collection: "insolvency",
  schema: insolvencySchema,
  identify: (insolvency: CompanyInsolvency) => insolvency.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  incoming: {
    kinds: ["company-insolvency"],
    known: [insolvencySchema],
    normalise: normaliseInsolvency,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({
      kind: "company-insolvency",
      uri: `/company/${id}/insolvency`,
      id,
    }),
  },
});

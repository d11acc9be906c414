/** Owns the stored exemptions of a company from keeping a register of persons with significant control. */
import { defineRecord } from "../define-record.ts";
import { locateByCompany, SELF_LINK } from "../incoming-resource.ts";
import { EXEMPTION_NAMES, exemptionsSchema, type CompanyExemptions } from "./members.ts";
import { normaliseExemptions } from "./normalise.ts";

/** Derived members. */
const derivedSchema = {
  properties: {
    kind: {},
    exemptions: {
      properties: Object.fromEntries(
        EXEMPTION_NAMES.map((name) => [name, { properties: { exemption_type: {} } }]),
      ),
    },
  },
};

/** Exemptions, by company number. */
export const exemptionsRecord = defineRecord({
  name: "exemptions",
  collection: "exemptions",
  schema: exemptionsSchema,
  identify: (exemptions: CompanyExemptions) => exemptions.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  // `exemptions` is the kind stated by the resource itself, also in lines of the PSC snapshot.
  incoming: {
    kinds: ["company-exemptions", "exemptions"],
    known: [exemptionsSchema, derivedSchema, SELF_LINK],
    normalise: normaliseExemptions,
    locate: locateByCompany,
    addressOf: ({ company_number: id }) => ({
      kind: "company-exemptions",
      uri: `/company/${id}/exemptions`,
      id,
    }),
  },
});

/** False for a resource without an exemption, which the stream sends for a deleted one. */
export function hasExemptions({ exemptions }: CompanyExemptions): boolean {
  return Object.keys(exemptions).length > 0;
}

/** Owns a company's exemptions: GET /company/:company_number/exemptions. */
import { defineResource } from "../define-resource.ts";
import { exemptionsRecord, hasExemptions } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const exemptions = defineResource({
  name: "exemptions",
  aliases: ["company-exemptions"],
  path: "/company/:company_number/exemptions",
  scope: "company.read",
  summary: "The exemptions of a company from keeping a register of persons with significant control.",
  record: exemptionsRecord,
  parameters: {},
  notFound: "company-exemptions-not-found",
  read: async (records, { company_number = "" }) => {
    const stored = await records.fetchOne(exemptionsRecord, { _id: company_number });
    return stored && hasExemptions(stored.data) ? stored : null;
  },
  versions: [version1],
  example,
});

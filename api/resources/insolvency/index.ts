/** Owns a company's insolvency: GET /company/:company_number/insolvency. */
import { defineResource } from "../define-resource.ts";
import { insolvencyRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const insolvency = defineResource({
  name: "insolvency",
  aliases: ["company-insolvency"],
  path: "/company/:company_number/insolvency",
  scope: "company.read",
  summary: "The insolvency of a company: status and cases.",
  record: insolvencyRecord,
  parameters: {},
  notFound: "company-insolvencies-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(insolvencyRecord, { _id: company_number }),
  versions: [version1],
  example,
  examplePath: { company_number: "99000045" },
});

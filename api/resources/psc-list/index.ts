/** Owns a company's persons with significant control: GET /company/:company_number/persons-with-significant-control. */
import { defineResource } from "../define-resource.ts";
import { etagOfList, listParameters } from "../person-with-significant-control/company-list.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { fetchPscList } from "./read.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const pscList = defineResource({
  name: "psc-list",
  aliases: ["list"],
  path: "/company/:company_number/persons-with-significant-control",
  scope: "company.read",
  summary: "The persons and bodies with significant control of a company, latest notification first.",
  record: pscRecord,
  parameters: listParameters,
  notFound: "company-psc-not-found",
  read: (records, { company_number = "" }, query) => fetchPscList(records, company_number, query),
  hasRecords: async ({ total, companyNumber: company_number }, records) =>
    total > 0 || (await records.count(pscRecord, { company_number })) > 0,
  etag: (list) => etagOfList(list, list.hasStatements),
  versions: [version1],
  example,
});

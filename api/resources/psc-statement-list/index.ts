/**
 * Owns a company's statements: GET /company/:company_number/persons-with-significant-control-statements.
 *
 * Specification 4.1 narrows the list in register view when this register keeps the company's register. It does not say
 * what happens when the register is kept elsewhere: here that is 404, as for the company's persons and officers.
 */
import { defineResource } from "../define-resource.ts";
import {
  etagOfList,
  fetchCompanyList,
  listParameters,
} from "../person-with-significant-control/company-list.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const pscStatementList = defineResource({
  name: "psc-statement-list",
  aliases: ["statement-list"],
  path: "/company/:company_number/persons-with-significant-control-statements",
  scope: "company.read",
  // Specification 4.1: authentication is not required.
  isOpen: true,
  summary: "The statements of a company about its persons with significant control, latest first.",
  record: pscStatementRecord,
  parameters: listParameters,
  notFound: "company-psc-statements-not-found",
  read: async (records, { company_number = "" }, query) => {
    const list = await fetchCompanyList(records, pscStatementRecord, company_number, query);
    return list && list.total > 0 ? list : null;
  },
  hasRecords: ({ total }) => total > 0,
  etag: (list) => etagOfList(list),
  versions: [version1],
  example,
});

/**
 * Owns a company's statements: GET /company/:company_number/persons-with-significant-control-statements.
 *
 * Specification 4.1 narrows the list in register view when this register keeps the company's register. It does not say
 * what happens when the register is kept elsewhere: here that is 404, as for the company's persons and officers.
 */
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import {
  etagOfList,
  fetchCompanyList,
  listEnvelope,
  listParameters,
  presentEnvelope,
  type CompanyList,
} from "../person-with-significant-control/company-list.ts";
import { presentStatement, pscStatementSchema } from "../psc-statement/index.ts";
import { pscStatementRecord, type StoredPscStatement } from "../psc-statement/record.ts";
import example from "./example.json" with { type: "json" };

const LIST = "persons-with-significant-control-statements";
const WORDS = {
  title: "statement-list",
  description: "A page of a company's statements about its persons with significant control, latest first.",
};
const PERSONS = "persons-with-significant-control";

const version1: ResourceVersion<CompanyList<StoredPscStatement>> = {
  version: 1,
  schema: listEnvelope(WORDS, LIST, pscStatementSchema, { persons_with_significant_control_list: PERSONS }),
  present: (list) => {
    const persons = `/company/${list.companyNumber}/${PERSONS}`;
    const links = { persons_with_significant_control_list: persons };
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentStatement) };
  },
};

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

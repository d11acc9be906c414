/** Owns a company's persons with significant control: GET /company/:company_number/persons-with-significant-control. */
import { companyRecord } from "../company-profile/record.ts";
import { defineResource } from "../define-resource.ts";
import {
  etagOfList,
  fetchCompanyList,
  listEnvelope,
  listParameters,
  presentEnvelope,
} from "../person-with-significant-control/company-list.ts";
import { listItemSchema, presentListItem } from "../person-with-significant-control/present.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/index.ts";
import example from "./example.json" with { type: "json" };

const LIST = "persons-with-significant-control";
const WORDS = {
  title: "psc-list",
  description: "A page of a company's persons with significant control, latest notified first.",
};
const STATEMENTS = "persons-with-significant-control-statements";

export const pscList = defineResource({
  name: "psc-list",
  aliases: ["list"],
  path: "/company/:company_number/persons-with-significant-control",
  scope: "company.read",
  summary: "The persons and bodies with significant control of a company, latest notification first.",
  record: pscRecord,
  parameters: listParameters,
  notFound: "company-psc-not-found",
  read: async (records, { company_number = "" }, query) => {
    const list = await fetchCompanyList(records, pscRecord, company_number, query);
    if (!list) return null;
    if (list.total === 0 && !(await records.fetchOne(companyRecord, { _id: company_number }))) return null;
    const statements = { filter: { company_number }, sort: [], skip: 0, limit: 1 };
    const [statement] = await records.fetchPage(pscStatementRecord, statements);
    return { ...list, hasStatements: statement !== undefined };
  },
  hasRecords: async ({ total, companyNumber: company_number }, records) =>
    total > 0 || (await records.count(pscRecord, { company_number })) > 0,
  etag: (list) => etagOfList(list, list.hasStatements),
  schema: listEnvelope(WORDS, LIST, listItemSchema, {
    persons_with_significant_control_statements: STATEMENTS,
  }),
  present: (list) => {
    const statements = `/company/${list.companyNumber}/${STATEMENTS}`;
    const links = list.hasStatements ? { persons_with_significant_control_statements: statements } : {};
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentListItem) };
  },
  example,
});

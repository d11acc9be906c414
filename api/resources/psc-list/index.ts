/** Owns a company's persons with significant control: GET /company/:company_number/persons-with-significant-control. */
import { companyRecord } from "../company-profile/record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import {
  etagOfList,
  fetchCompanyList,
  listEnvelope,
  listParameters,
  presentEnvelope,
  type CompanyList,
  type ListQuery,
} from "../person-with-significant-control/company-list.ts";
import { listItemSchema, presentListItem } from "../person-with-significant-control/present.ts";
import { pscRecord, type StoredPsc } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";
import example from "./example.json" with { type: "json" };

interface PscListRead extends CompanyList<StoredPsc> {
  /** True when statements about control are stored, so that the list links to theirs. */
  hasStatements: boolean;
}

/** The list, or null when the company is unknown and has nobody, or its register is not public in register view. */
async function fetchPscList(
  records: RecordReader,
  companyNumber: string,
  query: ListQuery,
): Promise<PscListRead | null> {
  const list = await fetchCompanyList(records, pscRecord, companyNumber, query);
  if (!list) return null;
  if (list.total === 0 && !(await records.fetchOne(companyRecord, { _id: companyNumber }))) return null;
  const filter = { company_number: companyNumber };
  const [statement] = await records.fetchPage(pscStatementRecord, { filter, sort: [], skip: 0, limit: 1 });
  return { ...list, hasStatements: statement !== undefined };
}

const LIST = "persons-with-significant-control";
const WORDS = {
  title: "psc-list",
  description: "A page of a company's persons with significant control, latest notified first.",
};
const STATEMENTS = "persons-with-significant-control-statements";

const version1: ResourceVersion<PscListRead> = {
  version: 1,
  schema: listEnvelope(WORDS, LIST, listItemSchema, {
    persons_with_significant_control_statements: STATEMENTS,
  }),
  present: (list) => {
    const statements = `/company/${list.companyNumber}/${STATEMENTS}`;
    const links = list.hasStatements ? { persons_with_significant_control_statements: statements } : {};
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentListItem) };
  },
};

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

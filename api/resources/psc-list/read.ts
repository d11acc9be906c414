/** Owns the reads behind a company's list of persons with significant control. */
import { companyRecord } from "../company-profile/record.ts";
import type { RecordReader } from "../define-resource.ts";
import {
  fetchCompanyList,
  type CompanyList,
  type ListQuery,
} from "../person-with-significant-control/company-list.ts";
import { pscRecord, type StoredPsc } from "../person-with-significant-control/record.ts";
import { pscStatementRecord } from "../psc-statement/record.ts";

export interface PscListRead extends CompanyList<StoredPsc> {
  /** True when statements about control are stored, so that the list links to theirs. */
  hasStatements: boolean;
}

/** The list, or null when the company is unknown and has nobody, or its register is not public in register view. */
export async function fetchPscList(
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

/** Owns version 1 of a company's list of statements (specification 2.4). */
import type { ResourceVersion } from "../define-resource.ts";
import type { CompanyList } from "../person-with-significant-control/company-list.ts";
import { listEnvelope, presentEnvelope } from "../person-with-significant-control/list-envelope.ts";
import type { StoredPscStatement } from "../psc-statement/record.ts";
import { presentStatement, pscStatementSchema } from "../psc-statement/v1.ts";

const LIST = "persons-with-significant-control-statements";
const WORDS = {
  title: "statement-list",
  description: "A page of a company's statements about its persons with significant control, latest first.",
};
const PERSONS = "persons-with-significant-control";

export const version1: ResourceVersion<CompanyList<StoredPscStatement>> = {
  version: 1,
  schema: listEnvelope(WORDS, LIST, pscStatementSchema, { persons_with_significant_control_list: PERSONS }),
  present: (list) => {
    const persons = `/company/${list.companyNumber}/${PERSONS}`;
    const links = { persons_with_significant_control_list: persons };
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentStatement) };
  },
};

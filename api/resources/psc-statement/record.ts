/** Owns the stored statement: what a company states about its control beside, or instead of, naming persons. */
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateById } from "../incoming-resource.ts";
import { buildListOrder, type CompanyListKeys } from "../person-with-significant-control/record.ts";
import { statementSchema, type PscStatement } from "./members.ts";
import { normaliseIncomingStatement } from "./normalise.ts";

export type StoredPscStatement = StoredRecord<PscStatement, CompanyListKeys>;

/** Found by the id alone, as persons are; reads name the company beside it. */
export const pscStatementRecord = defineRecord<PscStatement, CompanyListKeys>({
  name: "psc-statement",
  collection: "psc_statements",
  schema: statementSchema,
  identify: (statement) => statement.statement_id,
  keysOf: (statement) => ({
    company_number: statement.company_number,
    is_ceased: statement.ceased_on !== undefined,
    list_order: buildListOrder(statement, statement.statement_id),
  }),
  indexes: [{ fields: ["company_number", "list_order", "is_ceased"] }],
  incoming: {
    kinds: ["persons-with-significant-control-statement"],
    normalise: normaliseIncomingStatement,
    locate: locateById,
    addressOf: ({ company_number: company, statement_id: id }) => ({
      kind: "persons-with-significant-control-statement",
      uri: `/company/${company}/persons-with-significant-control-statements/${id}`,
      id,
    }),
  },
});

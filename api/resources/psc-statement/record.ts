/** Owns the stored statement: what a company states about its control beside, or instead of, naming persons. */
import { DATE, ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../core/enumerations.ts";
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateById } from "../incoming-resource.ts";
import { NOTIFICATION_ID } from "../person-with-significant-control/members.ts";
import { buildListOrder, type CompanyListKeys } from "../person-with-significant-control/record.ts";
import { normaliseIncomingStatement } from "./normalise.ts";

/** Members shown as they are stored. */
export const statementMemberSchemas = {
  statement: enumerationSchema("psc_statement"),
  notified_on: DATE,
  ceased_on: DATE,
  restrictions_notice_withdrawal_reason: enumerationSchema(
    "psc_statement_restrictions_notice_withdrawal_reason",
  ),
  linked_psc_name: { type: "string", minLength: 1, maxLength: 1000 },
  notification_id: NOTIFICATION_ID,
} as const;

/** Address of the person a statement is about. */
export const linkedPscSchema = {
  type: "string",
  pattern: "^/company/[A-Z0-9]{8}/persons-with-significant-control/[a-z-]{1,60}/[A-Za-z0-9_-]{27}$",
} as const;

export const statementSchema = {
  type: "object",
  additionalProperties: false,
  required: ["statement_id", "company_number", "statement"],
  properties: {
    ...statementMemberSchemas,
    statement_id: NOTIFICATION_ID,
    company_number: { type: "string", pattern: "^[A-Z0-9]{8}$" },
    etag: ETAG,
    person_with_significant_control: linkedPscSchema,
  },
} as const;

export type PscStatement = FromSchema<typeof statementSchema>;

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

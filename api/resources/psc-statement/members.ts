/** Owns the members of a statement, as stored and as shown. */
import { DATE, ETAG } from "../../core/schemas.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../core/enumerations.ts";
import { NOTIFICATION_ID } from "../person-with-significant-control/members.ts";

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

/** The stored statement. */
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

/** A statement as stored. */
export type PscStatement = FromSchema<typeof statementSchema>;

/** Owns the stored statement: what a company states about its control beside, or instead of, naming persons. */
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { isMembers } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import { companyNumberOf, locateById } from "../../shared/definitions/incoming-resource.ts";
import type { StoredOf } from "../define-resource.ts";
import { NOTIFICATION_ID } from "../person-with-significant-control/members.ts";
import {
  readAsIs,
  readDate,
  readEnd,
  readMembers,
  readOwnId,
  readText,
  requireWhole,
  rulesFor,
  type Losses,
  type RawRecord,
  type Rule,
  type Rules,
} from "../person-with-significant-control/raw-members.ts";
import { buildListOrder } from "../person-with-significant-control/record.ts";
import { COMPANY_NUMBER, objectOf, textUpTo } from "../schemas.ts";

/** Members shown as they are stored. */
export const statementMemberSchemas = {
  statement: enumerationSchema("psc_statement"),
  notified_on: DATE,
  ceased_on: DATE,
  restrictions_notice_withdrawal_reason: enumerationSchema(
    "psc_statement_restrictions_notice_withdrawal_reason",
  ),
  linked_psc_name: textUpTo(1000),
  notification_id: NOTIFICATION_ID,
} as const;

/** Address of the person a statement is about. */
export const linkedPscSchema = {
  type: "string",
  pattern: "^/company/[A-Z0-9]{8}/persons-with-significant-control/[a-z-]{1,60}/[A-Za-z0-9_-]{27}$",
} as const;

/** The stored statement. */
export const statementSchema = objectOf(["statement_id", "company_number", "statement"], {
  ...statementMemberSchemas,
  statement_id: NOTIFICATION_ID,
  company_number: COMPANY_NUMBER,
  etag: ETAG,
  person_with_significant_control: linkedPscSchema,
});

/** A statement as stored. */
export type PscStatement = FromSchema<typeof statementSchema>;

export const STATEMENT_KIND = "persons-with-significant-control-statement";

const SELF = /^\/company\/([^/]+)\/persons-with-significant-control-statements\/([^/]+)$/;
const LINK_RULES: Rules = new Map(rulesFor(["self", "person_with_significant_control"], readText));
const RULES: Rules = new Map<string, Rule>([
  ...rulesFor(["etag", "statement", "restrictions_notice_withdrawal_reason", "notification_id"], readAsIs),
  ["linked_psc_name", readText],
  ["notified_on", readDate],
  ["ceased_on", readEnd],
  // Checked or read separately.
  ...rulesFor(["kind", "links"], () => undefined),
]);

/** The stored statement, and the values that were dropped. Throws RecordError without an identity, or with two. */
export function normaliseStatement(raw: RawRecord): { statement: PscStatement; losses: Losses } {
  const { companyNumber, data } = raw;
  if (data.kind !== undefined && data.kind !== STATEMENT_KIND) throw new RecordError("is not known", "kind");
  const losses: Losses = { faults: [], leftOut: [] };
  const links = isMembers(data.links) ? readMembers(data.links, LINK_RULES, losses, "links.") : {};
  const statement_id = readOwnId(raw, links.self, SELF);
  const members = readMembers(data, RULES, losses);
  // The cast: the record's schema checks members that are only copied.
  const statement = { ...members, statement_id, company_number: companyNumber } as PscStatement;
  const { person_with_significant_control: person } = links;
  if (person !== undefined) statement.person_with_significant_control = person as string;
  return { statement, losses };
}

/** Found by the id alone, as persons are; reads name the company beside it. */
export const pscStatementRecord = defineRecord({
  name: "psc-statement",
  collection: "psc_statements",
  schema: statementSchema,
  identify: (statement: PscStatement) => statement.statement_id,
  keysOf: (statement: PscStatement) => ({
    company_number: statement.company_number,
    is_ceased: statement.ceased_on !== undefined,
    list_order: buildListOrder(statement, statement.statement_id),
  }),
  indexes: [{ fields: ["company_number", "list_order", "is_ceased"] }],
  incoming: {
    kinds: [STATEMENT_KIND],
    // API-shaped input: any fault is a refusal, as for persons.
    normalise: (resource, warn) => {
      const { uri, data } = resource;
      const { statement, losses } = normaliseStatement({
        companyNumber: companyNumberOf(resource),
        uri,
        data,
      });
      requireWhole(resource, statement.statement_id, losses, warn);
      return statement;
    },
    locate: locateById,
    addressOf: ({ company_number: company, statement_id: id }) => ({
      kind: STATEMENT_KIND,
      uri: `/company/${company}/persons-with-significant-control-statements/${id}`,
      id,
    }),
  },
});

export type StoredPscStatement = StoredOf<typeof pscStatementRecord>;

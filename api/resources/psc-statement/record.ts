/** Owns the stored statement: what a company states about its control beside, or instead of, naming persons. */
import type { FromSchema } from "json-schema-to-ts";
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { isMembers } from "../../shared/values/members.ts";
import { DATE, ETAG } from "../../shared/schemas/schemas.ts";
import { defineRecord, type StoredRecord } from "../../shared/definitions/define-record.ts";
import {
  companyNumberOf,
  locateById,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import { NOTIFICATION_ID } from "../person-with-significant-control/members.ts";
import {
  formatLoss,
  readAsIs,
  readDate,
  readEnd,
  readMembers,
  readText,
  refuseFaults,
  rulesFor,
  textOf,
  type Losses,
  type Rule,
  type Rules,
} from "../person-with-significant-control/raw-members.ts";
import { buildListOrder, type CompanyListKeys } from "../person-with-significant-control/record.ts";

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

/** A raw statement with its place. */
interface RawStatement {
  companyNumber: string;
  /** The address of the resource where `links.self` is absent. */
  uri?: string;
  data: Record<string, unknown>;
}

/** API-shaped input: any fault is a refusal, as for persons. Throws RecordError. */
function normaliseIncomingStatement(
  resource: IncomingResource,
  warn: (warning: string) => void,
): PscStatement {
  const { uri, id, data } = resource;
  const { statement, losses } = normaliseStatement({ companyNumber: companyNumberOf(resource), uri, data });
  refuseFaults(losses);
  for (const loss of losses.leftOut) warn(formatLoss(loss));
  if (id && id !== statement.statement_id) {
    throw new RecordError("differs from the id of the resource", "resource_id");
  }
  return statement;
}

/** The stored statement, and the values that were dropped. Throws RecordError without an identity, or with two. */
export function normaliseStatement(raw: RawStatement): { statement: PscStatement; losses: Losses } {
  const { companyNumber, uri, data } = raw;
  if (data.kind !== undefined && data.kind !== STATEMENT_KIND) throw new RecordError("is not known", "kind");
  const losses: Losses = { faults: [], leftOut: [] };
  const links = isMembers(data.links) ? readMembers(data.links, LINK_RULES, losses, "links.") : {};
  const [, company, id] = SELF.exec(textOf(links.self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  if (parseCompanyNumber(company) !== companyNumber) {
    throw new RecordError(`is of company ${company}, not of ${companyNumber}`, "links.self");
  }
  const members = readMembers(data, RULES, losses);
  // The cast: the record's schema checks members that are only copied.
  const statement = { ...members, statement_id: id, company_number: companyNumber } as PscStatement;
  const { person_with_significant_control: person } = links;
  if (person !== undefined) statement.person_with_significant_control = person as string;
  return { statement, losses };
}

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

/** Owns one statement: GET /company/:company_number/persons-with-significant-control-statements/:statement_id. It is also an item of a company's list of statements. */
import { ETAG } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import {
  linkedPscSchema,
  pscStatementRecord,
  STATEMENT_KIND,
  statementMemberSchemas,
  type PscStatement,
  type StoredPscStatement,
} from "./record.ts";
import example from "./example.json" with { type: "json" };

const STATEMENT_PATH = "^/company/[A-Z0-9]{8}/persons-with-significant-control-statements/[A-Za-z0-9_-]{27}$";

/** JSON Schema of a statement, alone and in the list. */
export const pscStatementSchema = {
  title: "statement",
  description: "One statement of a company about its persons with significant control.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "kind", "links", "statement"],
  properties: {
    ...statementMemberSchemas,
    etag: ETAG,
    kind: { const: STATEMENT_KIND },
    links: {
      type: "object",
      additionalProperties: false,
      required: ["self"],
      properties: {
        self: { type: "string", pattern: STATEMENT_PATH },
        person_with_significant_control: linkedPscSchema,
      },
    },
  },
};

const MEMBERS = Object.keys(statementMemberSchemas) as (keyof typeof statementMemberSchemas)[];

/** One statement. */
export function presentStatement(stored: StoredPscStatement): Record<string, unknown> {
  const { data: statement } = stored;
  const present = MEMBERS.filter((member) => statement[member] !== undefined);
  return {
    etag: etagOf(stored),
    kind: STATEMENT_KIND,
    ...Object.fromEntries(present.map((member) => [member, statement[member]])),
    links: presentLinks(statement),
  };
}

export const version1: ResourceVersion<StoredPscStatement> = {
  version: 1,
  schema: pscStatementSchema,
  present: presentStatement,
};

function presentLinks(statement: PscStatement): Record<string, string> {
  const { company_number, statement_id, person_with_significant_control: person } = statement;
  const self = `/company/${company_number}/persons-with-significant-control-statements/${statement_id}`;
  return { self, ...(person ? { person_with_significant_control: person } : {}) };
}

export const pscStatement = defineResource({
  name: "psc-statement",
  aliases: ["statement"],
  path: "/company/:company_number/persons-with-significant-control-statements/:statement_id",
  scope: "company.read",
  summary: "One statement of a company about its persons with significant control.",
  record: pscStatementRecord,
  parameters: {},
  notFound: "company-psc-statement-not-found",
  // The company is part of the filter: another company's statement is not found here.
  read: (records, { company_number = "", statement_id = "" }) =>
    records.fetchOne(pscStatementRecord, { _id: statement_id, company_number }),
  etag: etagOf,
  versions: [version1],
  example,
});

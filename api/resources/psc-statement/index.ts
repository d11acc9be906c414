/**
 * The statements of a company about its persons with significant control:
 * GET /company/:company_number/persons-with-significant-control-statements, and one statement below it, by its id.
 *
 * Specification 4.1 narrows the list in register view if the company's register is on the public register. Otherwise,
 * of which it says nothing, the answer is 404 here, as for persons and officers. An empty list is 404 in either view
 * (API reference 7.15).
 */
import { DERIVED } from "../../shared/schemas/read-members.ts";
import { DATE, ETAG, COMPANY_NUMBER, objectOf, textUpTo } from "../../shared/schemas/schemas.ts";
import { defineRecord, etagOf } from "../../shared/definitions/define-record.ts";
import type { FromSchema } from "json-schema-to-ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { RecordError } from "../../shared/runtime/errors.ts";
import { parseCompanyNumber } from "../../shared/values/company-number.ts";
import { pickMembers, type Members } from "../../shared/values/members.ts";
import type { RecordReader } from "../../shared/definitions/record-reader.ts";
import { companyNumberOf, idOf, locateById } from "../../shared/definitions/incoming-resource.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import {
  fetchCompanyList,
  listEnvelope,
  listParameters,
  presentEnvelope,
} from "../person-with-significant-control/company-list.ts";
import { NOTIFICATION_ID } from "../person-with-significant-control/members.ts";
import {
  compileRawReader,
  readOwnId,
  textOf,
  type RawRecord,
} from "../person-with-significant-control/raw-record.ts";
import { buildListOrder, pathOfPsc, pscRecord } from "../person-with-significant-control/record.ts";
import examples from "./examples.json" with { type: "json" };

/** Members shown as they are stored. */
const statementMemberSchemas = {
  statement: enumerationSchema("psc_statement"),
  notified_on: DATE,
  ceased_on: DATE,
  restrictions_notice_withdrawal_reason: enumerationSchema(
    "psc_statement_restrictions_notice_withdrawal_reason",
  ),
  linked_psc_name: textUpTo(1000),
  notification_id: NOTIFICATION_ID,
} as const;

/** Address of the person that a statement is about. */
const linkedPscSchema = {
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

export type PscStatement = FromSchema<typeof statementSchema>;

export const STATEMENT_KIND = "persons-with-significant-control-statement";

const SELF = /^\/?company\/([^/]+)\/persons-with-significant-control-statements\/([^/]+)$/;
const PERSON = /^\/?company\/([^/]+)\/(persons-with-significant-control\/[a-z-]{1,60}\/[A-Za-z0-9_-]{27})$/;
const { restrictions_notice_withdrawal_reason, linked_psc_name, notification_id } = statementMemberSchemas;
const readStatement = compileRawReader(
  {
    properties: {
      ...statementMemberSchemas,
      etag: {},
      kind: DERIVED,
      links: { properties: { self: {}, person_with_significant_control: {} } },
    },
  },
  [restrictions_notice_withdrawal_reason, linked_psc_name, notification_id],
);

function readPersonLink(
  { person_with_significant_control: link }: Members,
  warnings: string[],
): string | undefined {
  if (link === undefined) return undefined;
  const [, company = "", person] = PERSON.exec(textOf(link)) ?? [];
  const number = parseCompanyNumber(company);
  if (number && person) return `/company/${number}/${person}`;
  warnings.push("links.person_with_significant_control: is not a link of this kind, dropped");
  return undefined;
}

/** The stored statement. Throws RecordError if it has no id, or two different ones. */
export function normaliseStatement(raw: RawRecord, warnings: string[]): PscStatement {
  const { companyNumber, data } = raw;
  if (data.kind !== undefined && data.kind !== STATEMENT_KIND) throw new RecordError("is not known", "kind");
  const { links, members } = readStatement(raw, warnings);
  const statement_id = readOwnId(raw, links.self, SELF);
  // The cast: the record's schema checks members that are only copied.
  const statement = { ...members, statement_id, company_number: companyNumber } as PscStatement;
  const person = readPersonLink(links, warnings);
  if (person) statement.person_with_significant_control = person;
  return statement;
}

/** Statements, by their id alone, as persons are; reads filter by company as well. */
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
    normalise: (resource, warnings) => {
      const { uri, data } = resource;
      const [companyNumber, statedId] = [companyNumberOf(resource), idOf(resource)];
      return normaliseStatement({ companyNumber, uri, statedId, data }, warnings);
    },
    locate: locateById,
    addressOf: ({ company_number: company, statement_id: id }) => ({
      kind: STATEMENT_KIND,
      uri: `/company/${company}/persons-with-significant-control-statements/${id}`,
      id,
    }),
  },
});

type StoredPscStatement = StoredOf<typeof pscStatementRecord>;

const LIST = "persons-with-significant-control-statements";

const schema = {
  title: "statement",
  description: "One statement of a company about its persons with significant control.",
  ...objectOf(["etag", "kind", "links", "statement"], {
    ...statementMemberSchemas,
    etag: ETAG,
    kind: { const: STATEMENT_KIND },
    links: objectOf(["self"], {
      self: { type: "string", pattern: `^/company/[A-Z0-9]{8}/${LIST}/[A-Za-z0-9_-]{27}$` },
      person_with_significant_control: linkedPscSchema,
    }),
  }),
};

const MEMBERS = Object.keys(statementMemberSchemas) as (keyof typeof statementMemberSchemas)[];

/** One statement. */
export function presentStatement(stored: StoredPscStatement): Record<string, unknown> {
  const { company_number, statement_id, person_with_significant_control: person } = stored.data;
  const self = `/company/${company_number}/${LIST}/${statement_id}`;
  return {
    etag: etagOf(stored),
    kind: STATEMENT_KIND,
    ...pickMembers(stored.data, MEMBERS),
    links: { self, ...(person && { person_with_significant_control: person }) },
  };
}

/** The statements, each linked to the person's real path: files have legal persons under the path of individuals. */
export async function linkPersons(
  records: RecordReader,
  statements: StoredPscStatement[],
): Promise<StoredPscStatement[]> {
  const ids = statements.flatMap((statement) => personIdOf(statement) ?? []);
  if (ids.length === 0) return statements;
  const persons = await records.fetchByIds(pscRecord, ids);
  const paths = new Map(persons.map(({ _id, data }) => [_id, pathOfPsc(data)]));
  return statements.map((statement) => {
    const path = paths.get(personIdOf(statement) ?? "");
    if (!path) return statement;
    return { ...statement, data: { ...statement.data, person_with_significant_control: path } };
  });
}

function personIdOf({ data }: StoredPscStatement): string | undefined {
  return data.person_with_significant_control?.split("/").at(-1);
}

export const pscStatement = defineResource({
  name: "psc-statement",
  aliases: ["statement"],
  path: `/company/:company_number/${LIST}/:statement_id`,
  scope: "company.read",
  summary: "One statement of a company about its persons with significant control.",
  record: pscStatementRecord,
  notFound: "company-psc-statement-not-found",
  // The company is part of the filter: another company's statement is not found here.
  read: async (records, { company_number = "", statement_id = "" }) => {
    const statement = await records.fetchOne(pscStatementRecord, { _id: statement_id, company_number });
    const [linked] = statement ? await linkPersons(records, [statement]) : [];
    return linked ?? null;
  },
  hasEtag: true,
  schema,
  present: presentStatement,
  example: examples["psc-statement"],
});

const PERSONS = "persons-with-significant-control";
const WORDS = {
  title: "statement-list",
  description: "A page of a company's statements about its persons with significant control, latest first.",
};

export const pscStatementList = defineResource({
  name: "psc-statement-list",
  aliases: ["statement-list"],
  path: `/company/:company_number/${LIST}`,
  scope: "company.read",
  // Specification 4.1: authentication is not required.
  isOpen: true,
  summary: "The statements of a company about its persons with significant control, latest first.",
  record: pscStatementRecord,
  parameters: listParameters,
  notFound: "company-psc-statements-not-found",
  read: async (records, { company_number = "" }, query) => {
    const list = await fetchCompanyList(records, pscStatementRecord, company_number, query);
    return list && list.total > 0 ? { ...list, items: await linkPersons(records, list.items) } : null;
  },
  hasRecords: ({ total }) => total > 0,
  hasEtag: true,
  schema: listEnvelope(WORDS, LIST, schema, { persons_with_significant_control_list: PERSONS }),
  present: (list) => {
    const links = { persons_with_significant_control_list: `/company/${list.companyNumber}/${PERSONS}` };
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentStatement) };
  },
  example: examples["psc-statement-list"],
});

/**
 * Owns the statements of a company about its persons with significant control:
 * GET /company/:company_number/persons-with-significant-control-statements, and one of them below it by its id.
 *
 * Specification 4.1 narrows the list in register view when this register keeps the company's register. It does not say
 * what happens when the register is kept elsewhere: here that is 404, as for the company's persons and officers.
 */
import { ETAG } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource } from "../define-resource.ts";
import {
  etagOfList,
  fetchCompanyList,
  listEnvelope,
  listParameters,
  presentEnvelope,
} from "../person-with-significant-control/company-list.ts";
import { pickMembers } from "../pick-members.ts";
import { objectOf } from "../schemas.ts";
import {
  linkedPscSchema,
  pscStatementRecord,
  STATEMENT_KIND,
  statementMemberSchemas,
  type StoredPscStatement,
} from "./record.ts";
import example from "./example.json" with { type: "json" };
import listExample from "./list-example.json" with { type: "json" };

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

export const pscStatement = defineResource({
  name: "psc-statement",
  aliases: ["statement"],
  path: `/company/:company_number/${LIST}/:statement_id`,
  scope: "company.read",
  summary: "One statement of a company about its persons with significant control.",
  record: pscStatementRecord,
  notFound: "company-psc-statement-not-found",
  // The company is part of the filter: another company's statement is not found here.
  read: (records, { company_number = "", statement_id = "" }) =>
    records.fetchOne(pscStatementRecord, { _id: statement_id, company_number }),
  etag: etagOf,
  schema,
  present: presentStatement,
  example,
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
    return list && list.total > 0 ? list : null;
  },
  hasRecords: ({ total }) => total > 0,
  etag: (list) => etagOfList(list),
  schema: listEnvelope(WORDS, LIST, schema, { persons_with_significant_control_list: PERSONS }),
  present: (list) => {
    const links = { persons_with_significant_control_list: `/company/${list.companyNumber}/${PERSONS}` };
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentStatement) };
  },
  example: listExample,
});

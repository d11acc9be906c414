/**
 * Owns a company's persons with significant control: GET /company/:company_number/persons-with-significant-control, and one
 * person of each of the eight kinds below it, at /{kind}/{id}. Their paths, reads and answers are derived from the table of kinds.
 */
import { etagOf } from "../../shared/definitions/define-record.ts";
import { companyRecord } from "../company-profile/record.ts";
import { defineResource, type ResourceDefinition } from "../define-resource.ts";
import { pscStatementRecord } from "../psc-statement/index.ts";
import {
  etagOfList,
  fetchCompanyList,
  fetchPublicSince,
  listEnvelope,
  listParameters,
  presentEnvelope,
} from "./company-list.ts";
import { pscKinds, summariseKind, type PscKind } from "./kinds.ts";
import { listItemSchema, presentListItem, presentPsc, schemaOfKind } from "./present.ts";
import { pscRecord } from "./record.ts";
import examples from "./examples.json" with { type: "json" };
import listExample from "./list-example.json" with { type: "json" };

/** The register view of an individual shows the day of birth, where it is stored. The other kinds have none. */
const REGISTER_VIEW = {
  register_view: {
    kind: "boolean",
    description: "Shows the day of birth while the company's register is on the public register.",
  },
} as const;

export const pscResources: readonly ResourceDefinition[] = pscKinds.map(defineKind);

function defineKind(kind: PscKind): ResourceDefinition {
  const { segment, idParameter } = kind;
  const name = `psc-${segment}` as keyof typeof examples;
  return defineResource({
    name,
    // For a beneficial owner the specification names the resource of the ordinary kind; its own segment is accepted, too.
    aliases: [...new Set([kind.subject, segment])],
    path: `/company/:company_number/persons-with-significant-control/${segment}/:${idParameter}`,
    scope: "company.read",
    summary: summariseKind(kind),
    record: pscRecord,
    parameters: segment === "individual" ? REGISTER_VIEW : {},
    notFound: "company-psc-details-not-found",
    read: async (records, path, query) => {
      const { company_number = "", [idParameter]: id = "" } = path;
      // Null also for a person of another company or kind.
      const psc = await records.fetchOne(pscRecord, { _id: id, company_number, kind: kind.kind });
      if (!psc) return null;
      // In register view of a register that is public.
      const isRegisterView = "register_view" in query && query.register_view === true;
      return { psc, showsDay: isRegisterView && (await fetchPublicSince(records, company_number)) !== null };
    },
    etag: ({ psc }) => etagOf(psc),
    schema: schemaOfKind(kind),
    present: ({ psc, showsDay }) => {
      const { date_of_birth: month, birth_day: day } = psc.data;
      const shown = presentPsc(psc);
      return showsDay && month && day ? { ...shown, date_of_birth: { day, ...month } } : shown;
    },
    example: examples[name],
  });
}

const LIST = "persons-with-significant-control";
const WORDS = {
  title: "psc-list",
  description: "A page of a company's persons with significant control, latest notified first.",
};
const STATEMENTS = "persons-with-significant-control-statements";

export const pscList = defineResource({
  name: "psc-list",
  aliases: ["list"],
  path: "/company/:company_number/persons-with-significant-control",
  scope: "company.read",
  summary: "The persons and bodies with significant control of a company, latest notification first.",
  record: pscRecord,
  parameters: listParameters,
  notFound: "company-psc-not-found",
  read: async (records, { company_number = "" }, query) => {
    const list = await fetchCompanyList(records, pscRecord, company_number, query);
    if (!list) return null;
    if (list.total === 0 && !(await records.fetchOne(companyRecord, { _id: company_number }))) return null;
    const statements = { filter: { company_number }, sort: [], skip: 0, limit: 1 };
    const [statement] = await records.fetchPage(pscStatementRecord, statements);
    return { ...list, hasStatements: statement !== undefined };
  },
  hasRecords: async ({ total, companyNumber: company_number }, records) =>
    total > 0 || (await records.count(pscRecord, { company_number })) > 0,
  etag: (list) => etagOfList(list, list.hasStatements),
  schema: listEnvelope(WORDS, LIST, listItemSchema, {
    persons_with_significant_control_statements: STATEMENTS,
  }),
  present: (list) => {
    const statements = `/company/${list.companyNumber}/${STATEMENTS}`;
    const links = list.hasStatements ? { persons_with_significant_control_statements: statements } : {};
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentListItem) };
  },
  example: listExample,
});

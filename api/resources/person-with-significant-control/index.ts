/**
 * A company's persons with significant control: GET /company/:company_number/persons-with-significant-control, and
 * below it one person of any of the eight kinds, at /{kind}/{id}. Paths, reads and answers follow from `kinds.ts`.
 */
import { etagOf } from "../../shared/definitions/define-record.ts";
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { ETAG, objectOf } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { companyRecord } from "../company-profile/record.ts";
import { hasRecordOf } from "../define-company-record.ts";
import { defineResource, type ResourceDefinition } from "../define-resource.ts";
import { pscStatementRecord } from "../psc-statement/index.ts";
import { pickMembers } from "../../shared/values/members.ts";
import {
  fetchCompanyList,
  fetchPublicSince,
  isInRegisterView,
  listEnvelope,
  listParameters,
  presentEnvelope,
} from "./company-list.ts";
import { membersOfKind, pscKinds, summariseKind, type PscKind } from "./kinds.ts";
import { pathOfPsc, pscRecord, type StoredPsc } from "./record.ts";
import { birthMonthSchema, pscMemberSchemas, type Psc, type PscMember } from "./members.ts";
import examples from "./examples.json" with { type: "json" };

const ID = "[A-Za-z0-9_-]{27}";
const COMPANY = "^/company/[A-Z0-9]{8}";

const MEMBERS = Object.keys(pscMemberSchemas) as PscMember[];

/** Links of one person; the segments are those of the kinds shown. */
function linksSchema(segments: readonly string[]) {
  return {
    title: "psc-links",
    description: "Addresses of records of a person with significant control.",
    ...objectOf(["self"], {
      self: {
        type: "string",
        pattern: `${COMPANY}/persons-with-significant-control/(${segments.join("|")})/${ID}$`,
      },
      statement: {
        type: "string",
        pattern: `${COMPANY}/persons-with-significant-control-statements/${ID}$`,
      },
      persons_with_significant_control: {
        description: "Addresses of records of the person beyond this company.",
        ...objectOf(["notifications"], {
          notifications: {
            type: "string",
            pattern: `^/persons-with-significant-control/${ID}/notifications$`,
          },
        }),
      },
    }),
  };
}

/** JSON Schema of one person of a kind. */
function schemaOfKind(kind: PscKind): JsonSchema {
  const members = membersOfKind(kind);
  const schemas = { ...pscMemberSchemas, date_of_birth: birthSchema };
  return {
    title: kind.segment,
    description: summariseKind(kind),
    ...objectOf(["etag", "kind", "links", kind.subject === "super-secure" ? "description" : "name"], {
      ...pickMembers(
        schemas,
        MEMBERS.filter((member) => members.includes(member)),
      ),
      etag: ETAG,
      kind: { const: kind.kind },
      links: linksSchema([kind.segment]),
    }),
  };
}

const birthSchema = {
  ...birthMonthSchema,
  title: "psc-birth-date",
  description: "Month and year of birth; with the day only if a public register is shown.",
  properties: { ...birthMonthSchema.properties, day: { type: "integer", minimum: 1, maximum: 31 } },
};

/** JSON Schema of an item of a company's list: any kind. */
const listItemSchema = {
  title: "psc-list-item",
  description: "A person with significant control of any kind. Which members there are depends on `kind`.",
  ...objectOf(["etag", "kind", "links", "ceased"], {
    ...pscMemberSchemas,
    etag: ETAG,
    kind: enumerationSchema("psc_kind"),
    links: linksSchema(pscKinds.map(({ segment }) => segment)),
  }),
};

/** The members that every view shows as stored; absent ones stay absent. */
export function presentMembers(psc: Psc): Partial<Psc> {
  return pickMembers(psc, MEMBERS);
}

/** One person at its own path. */
export function presentPsc(stored: StoredPsc): Record<string, unknown> {
  const { data: psc } = stored;
  return { etag: etagOf(stored), kind: psc.kind, ...presentMembers(psc), links: presentLinks(stored) };
}

/** One person in the company's list, which shows `ceased` beside the date. */
function presentListItem(stored: StoredPsc): Record<string, unknown> {
  return { ...presentPsc(stored), ceased: stored.is_ceased };
}

function presentLinks({ data: psc, psc_id }: StoredPsc) {
  const statements = `/company/${psc.company_number}/persons-with-significant-control-statements`;
  const notifications = `/persons-with-significant-control/${psc_id}/notifications`;
  return {
    self: pathOfPsc(psc),
    ...(psc.statement_id && { statement: `${statements}/${psc.statement_id}` }),
    ...(psc_id && { persons_with_significant_control: { notifications } }),
  };
}

/** The register view of an individual shows the day of birth, where it is stored. The other kinds have none. */
const REGISTER_VIEW = {
  register_view: {
    kind: "boolean",
    description:
      "Shows the day of birth, if the company's register is on the public register and the list shows the person in this view.",
  },
} as const;

export const pscResources: readonly ResourceDefinition[] = pscKinds.map(defineKind);

function defineKind(kind: PscKind): ResourceDefinition {
  const { segment, idParameter } = kind;
  const name = `psc-${segment}` as keyof typeof examples;
  return defineResource({
    name,
    // For a beneficial owner the specification names the resource of the ordinary kind; the owner's own works as well.
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
      const isRegisterView = "register_view" in query && query.register_view === true;
      const since = isRegisterView ? await fetchPublicSince(records, company_number) : null;
      return { psc, showsDay: since !== null && isInRegisterView(psc, since) };
    },
    hasEtag: true,
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
    const hasStatements = await hasRecordOf(records, [pscStatementRecord], company_number);
    // A register view is answered only for a company whose register is here, so the company is known.
    const isKnown =
      query.register_view ||
      list.total > 0 ||
      list.isExempt ||
      hasStatements ||
      (await hasRecordOf(records, [companyRecord], company_number));
    return isKnown ? { ...list, hasStatements } : null;
  },
  hasRecords: async ({ total, companyNumber: company_number }, records) =>
    total > 0 || (await records.count(pscRecord, { company_number })) > 0,
  hasEtag: true,
  schema: listEnvelope(WORDS, LIST, listItemSchema, {
    persons_with_significant_control_statements: STATEMENTS,
  }),
  present: (list) => {
    const statements = `/company/${list.companyNumber}/${STATEMENTS}`;
    const links = list.hasStatements ? { persons_with_significant_control_statements: statements } : {};
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentListItem) };
  },
  example: examples["psc-list"],
});

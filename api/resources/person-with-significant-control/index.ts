/**
 * Owns GET /company/:company_number/persons-with-significant-control/{kind}/{id}: one person of each of the eight kinds.
 * Their paths, reads and answers are derived from the table of kinds.
 */
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceDefinition } from "../define-resource.ts";
import { fetchPublicSince } from "./company-list.ts";
import { pscKinds, summariseKind, type PscKind } from "./kinds.ts";
import { presentPsc, schemaOfKind } from "./present.ts";
import { pscRecord } from "./record.ts";
import examples from "./examples.json" with { type: "json" };

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

/**
 * The disqualifications of one officer: GET /disqualified-officers/natural/:officer_id for a natural person,
 * GET /disqualified-officers/corporate/:officer_id for a corporate body.
 */
import { ETAG, linkSchema, objectOf } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceDefinition } from "../define-resource.ts";
import { commonMemberSchemas, corporateMemberSchemas, naturalMemberSchemas } from "./members.ts";
import { disqualifiedOfficerRecord, segmentOf, type StoredDisqualifiedOfficer } from "./record.ts";
import examples from "./examples.json" with { type: "json" };

export const naturalDisqualification = defineKind("natural", naturalMemberSchemas, "surname");
export const corporateDisqualification = defineKind("corporate", corporateMemberSchemas, "name");

/** `members`: JSON Schemas of the members that only this kind has. `nameMember`: the one with the name. */
function defineKind(
  segment: "natural" | "corporate",
  members: JsonSchema,
  nameMember: string,
): ResourceDefinition {
  const kind = `${segment}-disqualification` as const;
  const subject = segment === "natural" ? "person" : "corporate body";
  const schema = {
    title: kind,
    description: `The disqualifications of one ${subject}.`,
    ...objectOf(["disqualifications", "etag", "kind", "links", nameMember], {
      ...commonMemberSchemas,
      ...members,
      etag: ETAG,
      kind: { const: kind },
      links: linkSchema("self", `^/disqualified-officers/${segment}/[A-Za-z0-9_-]+$`),
    }),
  };
  return defineResource({
    name: kind,
    path: `/disqualified-officers/${segment}/:officer_id`,
    scope: "disqualified-officers.read",
    summary: `The disqualifications of a ${subject}.`,
    record: disqualifiedOfficerRecord,
    notFound: "disqualified-officer-not-found",
    // The kind is part of the filter: an id of the other kind is not found here.
    read: (records, { officer_id = "" }) => records.fetchOne(disqualifiedOfficerRecord, { officer_id, kind }),
    hasEtag: true,
    schema,
    present: presentDisqualifiedOfficer,
    example: examples[kind],
  });
}

/** The answer of both kinds: the record as stored, with its ETag and its own address. */
function presentDisqualifiedOfficer(stored: StoredDisqualifiedOfficer): Record<string, unknown> {
  const { officer_id, ...officer } = stored.data;
  const links = { self: `/disqualified-officers/${segmentOf(officer)}/${officer_id}` };
  return { ...officer, etag: etagOf(stored), links };
}

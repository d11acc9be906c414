/** Owns the common parts of the answers about natural and corporate disqualified officers. */
import { ETAG, linkSchema } from "../../core/schemas.ts";
import type { JsonSchema } from "../../core/validate.ts";
import { etagOf } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { commonMemberSchemas, type DisqualifiedOfficerKind } from "./members.ts";
import type { StoredDisqualifiedOfficer } from "./record.ts";

/** How the two answers differ. */
export interface DisqualificationAnswer {
  kind: DisqualifiedOfficerKind;
  /** Path segment: `natural` or `corporate`. */
  segment: string;
  /** JSON Schemas of the members that only this kind has. */
  members: JsonSchema;
  /** The name; each kind has its own member for it. */
  nameMember: string;
}

/** Version 1 of either answer: the record as stored, with its ETag and its own address. */
export function buildVersion1(answer: DisqualificationAnswer): ResourceVersion<StoredDisqualifiedOfficer> {
  const { kind, segment, members, nameMember } = answer;
  return {
    version: 1,
    schema: {
      title: kind,
      description: `The disqualifications of one ${segment} officer.`,
      type: "object",
      additionalProperties: false,
      required: ["disqualifications", "etag", "kind", "links", nameMember],
      properties: {
        ...commonMemberSchemas,
        ...members,
        etag: ETAG,
        kind: { const: kind },
        links: linkSchema("self", `^/disqualified-officers/${segment}/[A-Za-z0-9_-]+$`),
      },
    },
    present: (stored) => {
      const { officer_id, ...officer } = stored.data;
      const links = { self: `/disqualified-officers/${segment}/${officer_id}` };
      return { ...officer, etag: etagOf(stored), links };
    },
  };
}

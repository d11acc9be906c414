/** Owns how a person with significant control is shown: the members of its kind, and its links. */
import { enumerationSchema } from "../../shared/values/enumerations.ts";
import { ETAG } from "../../shared/schemas/schemas.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { findPscKind, membersOfKind, pscKinds, summariseKind, type PscKind } from "./kinds.ts";
import { pickMembers } from "../pick-members.ts";
import { objectOf } from "../schemas.ts";
import { birthMonthSchema, pscMemberSchemas, type Psc, type PscMember } from "./members.ts";
import type { StoredPsc } from "./record.ts";

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
export function schemaOfKind(kind: PscKind): JsonSchema {
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
export const listItemSchema = {
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

/** One person in its company's list, which has `ceased` beside the date. */
export function presentListItem(stored: StoredPsc): Record<string, unknown> {
  return { ...presentPsc(stored), ceased: stored.is_ceased };
}

/** Address of a person; the kind determines the segment. */
export function pathOfPsc(psc: Pick<Psc, "kind" | "company_number" | "notification_id">): string {
  const segment = findPscKind(psc.kind)?.segment ?? "";
  return `/company/${psc.company_number}/persons-with-significant-control/${segment}/${psc.notification_id}`;
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

/** The stored person with significant control: one person's or body's control of one company, as notified. */
import { descendingKey } from "../../shared/values/dates.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import { locateById } from "../../shared/definitions/incoming-resource.ts";
import type { StoredOf } from "../define-resource.ts";
import { pscIdOf } from "./identity.ts";
import { findPscKind, membersOfKind, pscKinds, type PscKind } from "./kinds.ts";
import { pscSchema, type Psc } from "./members.ts";
import { normaliseIncomingPsc } from "./normalise.ts";

export type { Psc } from "./members.ts";

/** Keys of the lists that a company has: persons with significant control, and statements about them. */
export type CompanyListKeys = {
  company_number: string;
  is_ceased: boolean;
  /** Latest notification first, then latest cessation. The id at the end makes the order total. */
  list_order: string;
};

const ALL_MEMBERS = Object.keys(pscSchema.properties);
const KIND_MEMBERS: ReadonlySet<string> = new Set(pscKinds.flatMap(membersOfKind));

/**
 * Ids are hashes of the registrar's internal ids, and unique over all companies. The company is not in the key, so a
 * notification whose company is renumbered moves instead of being stored twice; reads filter by company as well.
 */
export const pscRecord = defineRecord({
  name: "person-with-significant-control",
  collection: "pscs",
  schema: { ...pscSchema, allOf: pscKinds.map(ruleOfKind) },
  identify: (psc: Psc) => psc.notification_id,
  keysOf: (psc: Psc) => ({
    company_number: psc.company_number,
    kind: psc.kind,
    is_ceased: psc.ceased ?? psc.ceased_on !== undefined,
    list_order: buildListOrder(psc, psc.notification_id),
    // Joins the notifications of one person; empty for the super-secure.
    psc_id: pscIdOf(psc),
  }),
  indexes: [
    { fields: ["company_number", "list_order", "is_ceased"] },
    { fields: ["psc_id", "is_ceased", "list_order"] },
  ],
  incoming: {
    kinds: pscKinds.map(({ resourceKind }) => resourceKind),
    normalise: normaliseIncomingPsc,
    locate: locateById,
    addressOf: (psc) => {
      const { resourceKind: kind = "" } = findPscKind(psc.kind) ?? {};
      return { kind, uri: pathOfPsc(psc), id: psc.notification_id };
    },
  },
});

export type StoredPsc = StoredOf<typeof pscRecord>;

/** Address of a person; the kind determines the segment. */
export function pathOfPsc(psc: Pick<Psc, "kind" | "company_number" | "notification_id">): string {
  const segment = findPscKind(psc.kind)?.segment ?? "";
  return `/company/${psc.company_number}/persons-with-significant-control/${segment}/${psc.notification_id}`;
}

/** The order of a company's list: notified_on and ceased_on, both descending (API reference 7.13 and 7.15). */
export function buildListOrder(dates: Pick<Psc, "notified_on" | "ceased_on">, id: string): string {
  return [descendingKey(dates.notified_on), descendingKey(dates.ceased_on), id].join("\t");
}

/** A kind has its own members and no others; all but the super-secure have a name. */
function ruleOfKind(kind: PscKind): JsonSchema {
  const members = membersOfKind(kind);
  const others = ALL_MEMBERS.filter((member) => KIND_MEMBERS.has(member) && !members.includes(member));
  const needed = members.includes("name") ? "name" : "description";
  return {
    if: { properties: { kind: { const: kind.kind } } },
    then: {
      required: [needed],
      properties: { ...Object.fromEntries(others.map((member) => [member, false])), [needed]: true },
    },
  };
}

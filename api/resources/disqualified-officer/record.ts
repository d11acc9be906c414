/** The stored disqualified officer, natural or corporate: the person, the disqualifications, the permissions to act. */
import { deriveId } from "../../shared/values/identifiers.ts";
import { isMembers } from "../../shared/values/members.ts";
import { compileReader, DERIVED } from "../../shared/schemas/read-members.ts";
import type { JsonSchema } from "../../shared/schemas/validate.ts";
import { defineRecord } from "../../shared/definitions/define-record.ts";
import {
  convert,
  idOf,
  SELF_LINK,
  type IncomingResource,
} from "../../shared/definitions/incoming-resource.ts";
import type { StoredOf } from "../define-resource.ts";
import { personOf } from "../officer-appointment/identity.ts";
import { deriveLikeness } from "./likeness.ts";
import {
  commonMemberSchemas,
  corporateMemberSchemas,
  disqualifiedOfficerSchema,
  naturalMemberSchemas,
  type DisqualifiedOfficer,
} from "./members.ts";

const readers = {
  natural: compileReader([answerSchema(naturalMemberSchemas), SELF_LINK]),
  corporate: compileReader([answerSchema(corporateMemberSchemas), SELF_LINK]),
};

/** JSON Schema of the answers of a kind. `own`: the members that only this kind has. */
function answerSchema(own: JsonSchema): JsonSchema {
  return { properties: { ...commonMemberSchemas, ...own, kind: DERIVED, etag: {} } };
}

/**
 * The key of a disqualified officer, and the id until a source states the real one. All twelve digits count, because a
 * file may contain two variants of one person, each with disqualifications of its own.
 */
export function deriveDisqualifiedId(personNumber: string): string {
  return deriveId("disqualified", personNumber);
}

/** The stored officer, under the id that the API gives it. Throws RecordError. */
function normaliseIncomingOfficer(resource: IncomingResource, warnings: string[]): DisqualifiedOfficer {
  const segment = resource.kind.endsWith("-corporate") ? "corporate" : "natural";
  const members = readers[segment](resource.data, (warning) => warnings.push(warning));
  // The cast: the record's schema checks members that are only copied.
  return {
    ...convert(members, "disqualifications", normaliseDisqualifications),
    officer_id: idOf(resource),
    kind: `${segment}-disqualification`,
  } as DisqualifiedOfficer;
}

/** Latest first, which is the order of the answers. */
function normaliseDisqualifications(value: unknown): unknown {
  const disqualifications = (value as unknown[]).map((item) =>
    isMembers(item)
      ? // A disqualification must have an address, which may be empty.
        convert({ ...item, address: item.address ?? {} }, "last_variation", (given) =>
          latestOf(given, "varied_on"),
        )
      : item,
  );
  return disqualifications.sort(byLatest("disqualified_from"));
}

/** The published schema has a list of variations, live answers have only the latest. */
function latestOf(value: unknown, member: string): unknown {
  return Array.isArray(value) ? [...(value as unknown[])].sort(byLatest(member))[0] : value;
}

function byLatest(member: string): (a: unknown, b: unknown) => number {
  const dayOf = (value: unknown) => (isMembers(value) ? textOf(value[member]) : "");
  return (a, b) => dayOf(b).localeCompare(dayOf(a));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export const disqualifiedOfficerRecord = defineRecord({
  name: "disqualified-officer",
  collection: "disqualified_officers",
  schema: {
    ...disqualifiedOfficerSchema,
    anyOf: [
      { properties: { kind: { const: "natural-disqualification" }, surname: true }, required: ["surname"] },
      { properties: { kind: { const: "corporate-disqualification" }, name: true }, required: ["name"] },
    ],
  },
  // The id that the API shows may become known later; the person number, if there is one, stays the same.
  identify: (officer: DisqualifiedOfficer) =>
    officer.person_number === undefined ? officer.officer_id : deriveDisqualifiedId(officer.person_number),
  keysOf: (officer: DisqualifiedOfficer) => ({
    officer_id: officer.officer_id,
    kind: officer.kind,
    // Equal for officers who may be the same person; empty where name or birth is unknown, and for a body.
    likeness: deriveLikeness(officer, birthOf(officer)),
    // Joins the officer with the same person in the officers files; empty where no source has stated a number.
    person: personOf(officer.person_number ?? ""),
  }),
  indexes: [{ fields: ["officer_id"] }, { fields: ["likeness"] }, { fields: ["person"] }],
  incoming: {
    kinds: ["disqualified-officer-natural", "disqualified-officer-corporate"],
    normalise: normaliseIncomingOfficer,
    locate: (resource) => ({ field: "officer_id", value: idOf(resource) }),
    addressOf: (officer) => {
      const { officer_id: id } = officer;
      const segment = segmentOf(officer);
      return { kind: `disqualified-officer-${segment}`, uri: `/disqualified-officers/${segment}/${id}`, id };
    },
  },
});

export type StoredDisqualifiedOfficer = StoredOf<typeof disqualifiedOfficerRecord>;

/** The segment of a path that names the kind of officer. */
export function segmentOf({ kind }: Pick<DisqualifiedOfficer, "kind">): "natural" | "corporate" {
  return kind === "natural-disqualification" ? "natural" : "corporate";
}

function birthOf({ date_of_birth: day }: DisqualifiedOfficer) {
  const [year, month] = day?.split("-").map(Number) ?? [];
  return year !== undefined && month !== undefined ? { year, month } : undefined;
}

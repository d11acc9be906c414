/** Owns the stored disqualified officer, natural or corporate: the person, the disqualifications, the permissions. */
import { ETAG } from "../../core/schemas.ts";
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { SELF_LINK } from "../incoming-resource.ts";
import { deriveDisqualifiedId } from "./identity.ts";
import { normaliseIncomingOfficer } from "./incoming.ts";
import { deriveLikeness, type LikenessBirth } from "./likeness.ts";
import {
  commonMemberSchemas,
  corporateMemberSchemas,
  naturalMemberSchemas,
  type DisqualifiedOfficer,
  type DisqualifiedOfficerKind,
} from "./members.ts";

/** A type and not an interface: only a type has the index signature that keys need. */
export type DisqualifiedOfficerKeys = {
  officer_id: string;
  kind: DisqualifiedOfficerKind;
  /** Equal for officers who may be the same person; empty where name or birth is unknown, and for a body. */
  likeness: string;
};

export type StoredDisqualifiedOfficer = StoredRecord<DisqualifiedOfficer, DisqualifiedOfficerKeys>;

const incomingSchema = {
  properties: {
    kind: {},
    etag: {},
    ...commonMemberSchemas,
    ...naturalMemberSchemas,
    ...corporateMemberSchemas,
  },
};

const MEMBERS_BY_KIND = {
  natural: Object.keys(naturalMemberSchemas),
  corporate: Object.keys(corporateMemberSchemas),
};

export const disqualifiedOfficerRecord = defineRecord<DisqualifiedOfficer, DisqualifiedOfficerKeys>({
  name: "disqualified-officer",
  collection: "disqualified_officers",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["officer_id", "kind", "disqualifications"],
    anyOf: [
      { properties: { kind: { const: "natural-disqualification" }, surname: true }, required: ["surname"] },
      { properties: { kind: { const: "corporate-disqualification" }, name: true }, required: ["name"] },
    ],
    properties: {
      officer_id: { type: "string", pattern: "^[A-Za-z0-9_-]{27}$" },
      kind: { enum: ["natural-disqualification", "corporate-disqualification"] },
      etag: ETAG,
      ...commonMemberSchemas,
      ...naturalMemberSchemas,
      ...corporateMemberSchemas,
    },
  },
  // The id that the API shows may become known later; the person number, if there is one, stays the same.
  identify: (officer) =>
    officer.person_number === undefined ? officer.officer_id : deriveDisqualifiedId(officer.person_number),
  keysOf: (officer) => ({
    officer_id: officer.officer_id,
    kind: officer.kind,
    likeness: deriveLikeness(officer, birthOf(officer)),
  }),
  indexes: [{ fields: ["officer_id"] }, { fields: ["likeness"] }],
  incoming: {
    kinds: ["disqualified-officer-natural", "disqualified-officer-corporate"],
    known: [incomingSchema, SELF_LINK],
    normalise: (resource, warn) => normaliseIncomingOfficer(resource, MEMBERS_BY_KIND, warn),
    locate: ({ id }) => ({ field: "officer_id", value: id }),
    addressOf: (officer) => {
      const { officer_id: id } = officer;
      const segment = segmentOf(officer);
      return { kind: `disqualified-officer-${segment}`, uri: `/disqualified-officers/${segment}/${id}`, id };
    },
  },
});

/** The segment of a path that names the kind of officer. */
export function segmentOf({ kind }: Pick<DisqualifiedOfficer, "kind">): "natural" | "corporate" {
  return kind === "natural-disqualification" ? "natural" : "corporate";
}

function birthOf({ date_of_birth: day }: DisqualifiedOfficer): LikenessBirth | undefined {
  const [year, month] = day?.split("-").map(Number) ?? [];
  return year !== undefined && month !== undefined ? { year, month } : undefined;
}

/** Owns the way from an API-shaped disqualification (`disqualified-officer-natural`, `-corporate`) to the stored one. */
import { refuseUnknownMembers, type IncomingResource } from "../incoming-resource.ts";
import type { DisqualifiedOfficer } from "./record.ts";

const DERIVED_MEMBERS = ["links"];

/** The stored officer, under the id that the API gives it. Throws RecordError. */
export function normaliseIncomingOfficer(
  resource: IncomingResource,
  knownMembers: ReadonlySet<string>,
): DisqualifiedOfficer {
  refuseUnknownMembers(resource, new Set([...knownMembers, ...DERIVED_MEMBERS]));
  const kept = Object.entries(resource.data).filter(([member]) => !DERIVED_MEMBERS.includes(member));
  const officer = {
    ...Object.fromEntries(kept),
    officer_id: resource.id,
    kind: resource.kind.endsWith("-corporate") ? "corporate-disqualification" : "natural-disqualification",
  } as DisqualifiedOfficer;
  // What is only copied is checked by the schema of the record; the order is that of the answers.
  const { disqualifications } = officer;
  return Array.isArray(disqualifications)
    ? { ...officer, disqualifications: latestFirst(disqualifications) }
    : officer;
}

function latestFirst(disqualifications: DisqualifiedOfficer["disqualifications"]) {
  return [...disqualifications].sort((a, b) => (a.disqualified_from < b.disqualified_from ? 1 : -1));
}

/** Owns version 1 of a corporate disqualified officer. */
import { corporateMemberSchemas } from "../disqualified-officer/members.ts";
import { buildVersion1 } from "../disqualified-officer/version.ts";

export const version1 = buildVersion1({
  kind: "corporate-disqualification",
  segment: "corporate",
  members: corporateMemberSchemas,
  nameMember: "name",
});

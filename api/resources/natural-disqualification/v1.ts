/** Owns version 1 of a natural disqualified officer. */
import { naturalMemberSchemas } from "../disqualified-officer/members.ts";
import { buildVersion1 } from "../disqualified-officer/version.ts";

export const version1 = buildVersion1({
  kind: "natural-disqualification",
  segment: "natural",
  members: naturalMemberSchemas,
  nameMember: "surname",
});

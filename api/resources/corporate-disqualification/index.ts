/** Owns a corporate body's disqualifications: GET /disqualified-officers/corporate/:officer_id. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { disqualifiedOfficerRecord } from "../disqualified-officer/record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const corporateDisqualification = defineResource({
  name: "corporate-disqualification",
  path: "/disqualified-officers/corporate/:officer_id",
  scope: "disqualified-officers.read",
  summary: "The disqualifications of a corporate officer.",
  record: disqualifiedOfficerRecord,
  parameters: {},
  notFound: "disqualified-officer-not-found",
  // The kind is part of the filter: an id of the other kind is not found here.
  read: (records, { officer_id = "" }) =>
    records.fetchOne(disqualifiedOfficerRecord, { officer_id, kind: "corporate-disqualification" }),
  etag: etagOf,
  versions: [version1],
  example,
});

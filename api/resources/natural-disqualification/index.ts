/** Owns a natural person's disqualifications: GET /disqualified-officers/natural/:officer_id. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { disqualifiedOfficerRecord } from "../disqualified-officer/record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const naturalDisqualification = defineResource({
  name: "natural-disqualification",
  path: "/disqualified-officers/natural/:officer_id",
  scope: "disqualified-officers.read",
  summary: "The disqualifications of a natural officer.",
  record: disqualifiedOfficerRecord,
  parameters: {},
  notFound: "disqualified-officer-not-found",
  // The kind is part of the filter: an id of the other kind is not found here.
  read: (records, { officer_id = "" }) =>
    records.fetchOne(disqualifiedOfficerRecord, { officer_id, kind: "natural-disqualification" }),
  etag: etagOf,
  versions: [version1],
  example,
});

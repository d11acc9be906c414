/** Owns one statement: GET /company/:company_number/persons-with-significant-control-statements/:statement_id. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { pscStatementRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const pscStatement = defineResource({
  name: "psc-statement",
  aliases: ["statement"],
  path: "/company/:company_number/persons-with-significant-control-statements/:statement_id",
  scope: "company.read",
  summary: "One statement of a company about its persons with significant control.",
  record: pscStatementRecord,
  parameters: {},
  notFound: "company-psc-statement-not-found",
  // The company is part of the filter: another company's statement is not found here.
  read: (records, { company_number = "", statement_id = "" }) =>
    records.fetchOne(pscStatementRecord, { _id: statement_id, company_number }),
  etag: etagOf,
  versions: [version1],
  example,
});

/** Owns a company's registers: GET /company/:company_number/registers. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { registersRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const registers = defineResource({
  name: "registers",
  aliases: ["company-registers", "company-register"],
  path: "/company/:company_number/registers",
  scope: "company.read",
  summary: "Where a company keeps its statutory registers.",
  record: registersRecord,
  parameters: {},
  notFound: "company-registers-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(registersRecord, { _id: company_number }),
  etag: etagOf,
  versions: [version1],
  example,
});

/** Owns a company's insolvency: GET /company/:company_number/insolvency. */
import { ETAG } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import { objectOf } from "../schemas.ts";
import { insolvencyMemberSchemas, insolvencyRecord } from "./record.ts";
import example from "./example.json" with { type: "json" };

const schema = {
  title: "company-insolvency",
  description: "The insolvency cases of a company.",
  ...objectOf(["etag", "cases"], { etag: ETAG, ...insolvencyMemberSchemas }),
};

export function presentInsolvency(stored: StoredOf<typeof insolvencyRecord>) {
  const { cases, status } = stored.data;
  return { etag: etagOf(stored), ...(status && { status }), cases };
}

export const insolvency = defineResource({
  name: "insolvency",
  aliases: ["company-insolvency"],
  path: "/company/:company_number/insolvency",
  scope: "company.read",
  summary: "The insolvency of a company: status and cases.",
  record: insolvencyRecord,
  notFound: "company-insolvencies-not-found",
  read: (records, { company_number = "" }) => records.fetchOne(insolvencyRecord, { _id: company_number }),
  schema,
  present: presentInsolvency,
  example,
  examplePath: { company_number: "99000045" },
});

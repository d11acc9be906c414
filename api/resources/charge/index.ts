/** Owns one charge: GET /company/:company_number/charges/:charge_id. It is also an item of a company's charge list. */
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../define-resource.ts";
import { chargeMemberSchemas } from "./members.ts";
import { chargeRecord, type StoredCharge } from "./record.ts";
import example from "./example.json" with { type: "json" };

/** JSON Schema of a charge as answers show it. */
export const shownChargeSchema = {
  title: "charge-details",
  description: "One charge on the assets of a company.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "id", "charge_number", "classification", "status", "links"],
  properties: {
    ...chargeMemberSchemas,
    etag: ETAG,
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/charges/[A-Za-z0-9_-]{27}=?$"),
  },
};

/** One charge as the API shows it. */
export function presentCharge(stored: StoredCharge): Record<string, unknown> {
  const { company_number: company, ...members } = stored.data;
  return { ...members, etag: etagOf(stored), links: { self: `/company/${company}/charges/${members.id}` } };
}

export const version1: ResourceVersion<StoredCharge> = {
  version: 1,
  schema: shownChargeSchema,
  present: presentCharge,
};

export const charge = defineResource({
  name: "charge",
  aliases: ["charge-details"],
  path: "/company/:company_number/charges/:charge_id",
  scope: "company.read",
  summary: "One charge on a company's assets.",
  record: chargeRecord,
  parameters: {},
  notFound: "company-mortgages-not-found",
  // The company is part of the filter: another company's charge is not found here.
  read: (records, { company_number = "", charge_id = "" }) =>
    records.fetchOne(chargeRecord, { _id: charge_id, company_number }),
  versions: [version1],
  example,
});

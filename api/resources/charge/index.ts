/** Owns one charge: GET /company/:company_number/charges/:charge_id. */
import { defineResource } from "../define-resource.ts";
import { chargeRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

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

/** Owns one appointment: GET /company/:company_number/appointments/:appointment_id. */
import { etagOf } from "../define-record.ts";
import { defineResource } from "../define-resource.ts";
import { showOfficers } from "./persons.ts";
import { appointmentRecord } from "./record.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const officerAppointment = defineResource({
  name: "officer-appointment",
  aliases: ["officer-summary"],
  path: "/company/:company_number/appointments/:appointment_id",
  scope: "company.read",
  summary: "One appointment of an officer to a company.",
  record: appointmentRecord,
  parameters: {},
  notFound: "company-appointment-not-found",
  // The company is part of the filter: another company's appointment is not found here.
  read: async (records, { company_number = "", appointment_id = "" }) => {
    const stored = await records.fetchOne(appointmentRecord, { appointment_id, company_number });
    const [shown = null] = await showOfficers(records, stored ? [stored] : []);
    return shown;
  },
  etag: etagOf,
  versions: [version1],
  example,
});

/** Owns a person's appointments over all companies: GET /officers/:officer_id/appointments. */
import { etagOf } from "../define-record.ts";
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { defineResource } from "../define-resource.ts";
import { appointmentRecord } from "../officer-appointment/record.ts";
import { fetchAppointmentList } from "./read.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const officerAppointmentList = defineResource({
  name: "officer-appointment-list",
  aliases: ["appointment-list"],
  path: "/officers/:officer_id/appointments",
  scope: "officers.read",
  summary: "All appointments of an officer, serving ones first.",
  record: appointmentRecord,
  parameters: {
    items_per_page: itemsPerPage({ default: 35, maximum: 50 }),
    start_index: startIndex(),
    filter: {
      kind: "choice",
      description: "`active` leaves out resigned appointments and those in companies that have ended.",
      values: ["active"],
    },
  },
  notFound: "officer-appointments-not-found",
  read: (records, { officer_id = "" }, query) => fetchAppointmentList(records, officer_id, query),
  // A person without appointments is a 404.
  hasRecords: () => true,
  etag: ({ head }) => etagOf(head),
  versions: [version1],
  example,
});

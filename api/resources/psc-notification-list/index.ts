/** Owns a person's notifications over all companies: GET /persons-with-significant-control/:psc_id/notifications. */
import { itemsPerPage, startIndex } from "../../core/paging.ts";
import { defineResource } from "../define-resource.ts";
import { pscRecord } from "../person-with-significant-control/record.ts";
import { fetchNotificationList } from "./read.ts";
import { version1 } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const pscNotificationList = defineResource({
  name: "psc-notification-list",
  aliases: ["notification-list"],
  path: "/persons-with-significant-control/:psc_id/notifications",
  scope: "persons-with-significant-control.read",
  summary: "All companies that a person or body has been notified to control, ceased notifications last.",
  record: pscRecord,
  parameters: {
    // Limit: the original has no known maximum; a page here has a hundred at most.
    items_per_page: itemsPerPage({ default: 35, maximum: 100 }),
    start_index: startIndex(),
    filter: {
      kind: "choice",
      description: "`active` leaves out ceased notifications and those to companies that have ended.",
      values: ["active"],
    },
  },
  notFound: "psc-notifications-not-found",
  read: (records, { psc_id = "" }, query) => fetchNotificationList(records, psc_id, query),
  // A person without notifications is a 404.
  hasRecords: () => true,
  versions: [version1],
  example,
});

/** Owns the index of officers: one document a person, over all appointments. */
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { defineIndex } from "../define-index.ts";
import { NAMES_VERSION } from "../names/version.ts";
import settings from "../settings.json" with { type: "json" };
import { officerBounds, officerDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const officersIndex = defineIndex({
  name: "officers",
  version: 3,
  mappings: { ...mapping, _meta: { names_version: NAMES_VERSION } },
  settings,
  record: appointmentRecord,
  groupBy: "officer_id",
  bounds: officerBounds,
  document: officerDocument,
});

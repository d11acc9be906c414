/** Owns the index of officers: one document a person, over all appointments. */
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { defineIndex } from "../define-index.ts";
import { personNames, withNames } from "../names/mapping.ts";
import settings from "../settings.json" with { type: "json" };
import { officerBounds, officerDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const officersIndex = defineIndex({
  name: "officers",
  version: 4,
  mappings: withNames(mapping, personNames),
  settings,
  record: appointmentRecord,
  groupBy: "officer_id",
  bounds: officerBounds,
  document: officerDocument,
});

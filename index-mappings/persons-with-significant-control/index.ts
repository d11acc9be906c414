/** Owns the index of persons with significant control: one document a notification. */
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { defineIndex } from "../define-index.ts";
import { personNames, withNames } from "../names/mapping.ts";
import settings from "../settings.json" with { type: "json" };
import { pscDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const personsWithSignificantControlIndex = defineIndex({
  name: "persons-with-significant-control",
  version: 1,
  mappings: withNames(mapping, personNames),
  settings,
  record: pscRecord,
  groupBy: "_id",
  document: pscDocument,
});

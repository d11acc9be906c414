/** Owns the index of disqualified officers, persons and bodies. */
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { defineIndex } from "../define-index.ts";
import { personNames, withNames } from "../names/mapping.ts";
import settings from "../settings.json" with { type: "json" };
import { disqualifiedOfficerDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const disqualifiedOfficersIndex = defineIndex({
  name: "disqualified-officers",
  version: 3,
  mappings: withNames(mapping, personNames),
  settings,
  record: disqualifiedOfficerRecord,
  groupBy: "_id",
  document: disqualifiedOfficerDocument,
});

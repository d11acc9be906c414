/** Owns the index of disqualified officers, persons and bodies. */
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { defineIndex } from "../define-index.ts";
import { NAMES_VERSION } from "../names/version.ts";
import settings from "../settings.json" with { type: "json" };
import { disqualifiedOfficerDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const disqualifiedOfficersIndex = defineIndex({
  name: "disqualified-officers",
  version: 2,
  mappings: { ...mapping, _meta: { names_version: NAMES_VERSION } },
  settings,
  record: disqualifiedOfficerRecord,
  groupBy: "_id",
  document: disqualifiedOfficerDocument,
});

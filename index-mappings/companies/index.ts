/** Owns the index of companies. */
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { defineIndex } from "../define-index.ts";
import { companyNames, withNames } from "../names/mapping.ts";
import settings from "../settings.json" with { type: "json" };
import { companyDocument } from "./document.ts";
import mapping from "./mapping.json" with { type: "json" };

export const companiesIndex = defineIndex({
  name: "companies",
  version: 3,
  mappings: withNames(mapping, companyNames),
  settings,
  record: companyRecord,
  groupBy: "_id",
  document: companyDocument,
});

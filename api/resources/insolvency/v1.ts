/** Owns version 1 of a company's insolvency. */
import { etagOf, type StoredRecord } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { insolvencyMemberSchemas, type CompanyInsolvency } from "./record.ts";

export const version1: ResourceVersion<StoredRecord<CompanyInsolvency>> = {
  version: 1,
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["etag", "cases"],
    properties: { etag: { type: "string", pattern: "^[0-9a-f]{40}$" }, ...insolvencyMemberSchemas },
  },
  present: (stored) => {
    const { cases, status } = stored.data;
    return { etag: etagOf(stored), ...(status ? { status } : {}), cases };
  },
};

/** Owns version 1 of a company's insolvency. */
import { ETAG } from "../../core/schemas.ts";
import { etagOf, type StoredRecord } from "../define-record.ts";
import type { ResourceVersion } from "../define-resource.ts";
import { insolvencyMemberSchemas, type CompanyInsolvency } from "./members.ts";

export const version1: ResourceVersion<StoredRecord<CompanyInsolvency>> = {
  version: 1,
  schema: {
    title: "company-insolvency",
    description: "The insolvency cases of a company.",
    type: "object",
    additionalProperties: false,
    required: ["etag", "cases"],
    properties: { etag: ETAG, ...insolvencyMemberSchemas },
  },
  present: (stored) => {
    const { cases, status } = stored.data;
    return { etag: etagOf(stored), ...(status ? { status } : {}), cases };
  },
};

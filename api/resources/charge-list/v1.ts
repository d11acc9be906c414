/** Owns version 1 of a company's charge list. */
import { COVERAGE, ETAG } from "../../core/schemas.ts";
import { contentHash } from "../../core/identifiers.ts";
import { presentCharge, shownChargeSchema } from "../charge/v1.ts";
import type { ResourceVersion } from "../define-resource.ts";
import type { ChargeListRead } from "./read.ts";

const COUNT = { type: "integer", minimum: 0 };

const schema = {
  title: "charge-list",
  description: "A page of a company's charges, and how many there are of each kind.",
  type: "object",
  additionalProperties: false,
  required: ["etag", "items", "part_satisfied_count", "satisfied_count", "total_count", "unfiltered_count"],
  properties: {
    coverage: COVERAGE,
    etag: ETAG,
    items: { type: "array", items: shownChargeSchema },
    part_satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in part." },
    satisfied_count: { ...COUNT, description: "Charges of the company that are satisfied in full." },
    total_count: { ...COUNT, description: "Number of charges in the filtered list." },
    // Compat: the published schema misspells it, live answers do not.
    unfiltered_count: { ...COUNT, description: "All charges of the company, whatever the filter." },
  },
};

export const version1: ResourceVersion<ChargeListRead> = {
  version: 1,
  schema,
  present: ({ companyNumber, charges, counts }) => ({
    etag: contentHash([companyNumber, counts, charges.map(({ etag }) => etag)]),
    items: charges.map(presentCharge),
    part_satisfied_count: counts.partSatisfied,
    satisfied_count: counts.satisfied,
    total_count: counts.listed,
    unfiltered_count: counts.all,
  }),
};

/** Owns GET /company/:company_number/persons-with-significant-control/individual-beneficial-owner/…: one person of this kind. */
import { defineResource } from "../define-resource.ts";
import { describeKind } from "../person-with-significant-control/describe-kind.ts";
import example from "./example.json" with { type: "json" };

export const pscIndividualBeneficialOwner = defineResource({
  ...describeKind("individual-beneficial-owner"),
  example,
});

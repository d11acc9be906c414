/** Owns GET /company/:company_number/persons-with-significant-control/super-secure/…: one person of this kind. */
import { defineResource } from "../define-resource.ts";
import { describeKind } from "../person-with-significant-control/describe-kind.ts";
import example from "./example.json" with { type: "json" };

export const pscSuperSecure = defineResource({ ...describeKind("super-secure"), example });

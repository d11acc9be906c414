/** Owns the stored UK establishments of an overseas company. */
import { defineRecord } from "../define-record.ts";
import { locateByCompany, SELF_LINK } from "../incoming-resource.ts";
import { ukEstablishmentsSchema, type UkEstablishments } from "./members.ts";
import { normaliseUkEstablishments } from "./normalise.ts";

/** Derived members. */
const derivedSchema = {
  properties: { kind: {}, items: { properties: { links: { properties: { company: {} } } } } },
};

/** Lists of establishments, by the number of the company they belong to. */
export const ukEstablishmentsRecord = defineRecord({
  name: "uk-establishments",
  collection: "uk_establishments",
  schema: ukEstablishmentsSchema,
  identify: (establishments: UkEstablishments) => establishments.company_number,
  // Every read is by company number, which is `_id`.
  keysOf: () => ({}),
  indexes: [],
  incoming: {
    kinds: ["uk-establishments", "uk_establishments"],
    known: [ukEstablishmentsSchema, derivedSchema, SELF_LINK],
    normalise: normaliseUkEstablishments,
    locate: locateByCompany,
  },
});

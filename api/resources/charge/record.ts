/** Owns the stored charge: one security that a company has given over its property. */
import { descendingKey } from "../../core/dates.ts";
import { defineRecord, type StoredRecord } from "../define-record.ts";
import { locateById, SELF_LINK } from "../incoming-resource.ts";
import { chargeSchema, type Charge } from "./members.ts";
import { chargeSpellings, normaliseCharge } from "./normalise.ts";

export type { Charge } from "./members.ts";

/** A type and not an interface: only a type has the index signature that keys need. */
export type ChargeKeys = {
  company_number: string;
  status: string;
  charge_order: string;
};

export type StoredCharge = StoredRecord<Charge, ChargeKeys>;

const SEPARATOR = "\t";

/** Charges, by their id. */
export const chargeRecord = defineRecord<Charge, ChargeKeys>({
  name: "charge",
  collection: "charges",
  schema: chargeSchema,
  identify: (charge) => charge.id,
  keysOf: (charge) => ({
    company_number: charge.company_number,
    status: charge.status,
    charge_order: buildChargeOrder(charge),
  }),
  // Sorted by the index, which also holds the status, so that filtering fetches no other charges.
  indexes: [{ fields: ["company_number", "charge_order", "status"] }],
  incoming: {
    kinds: ["company-charges"],
    known: [chargeSchema, chargeSpellings, SELF_LINK],
    normalise: normaliseCharge,
    locate: locateById,
    addressOf: ({ company_number: company, id }) => ({
      kind: "company-charges",
      uri: `/company/${company}/charges/${id}`,
      id,
    }),
  },
});

/** Latest first by creation, else delivery; then the highest number. Ends with the id, so that the order is total. */
function buildChargeOrder({ created_on, delivered_on, charge_number, id }: Charge): string {
  const number = descendingKey(String(charge_number).padStart(9, "0"));
  return [descendingKey(created_on ?? delivered_on), number, id].join(SEPARATOR);
}

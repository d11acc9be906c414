/** Owns the addresses of the bulk files about people: upper case, with members under the files' names, absent ones empty. */
import { normaliseAddress, type Address } from "../shared/values/address.ts";
import { toTitleCase } from "../shared/values/letter-case.ts";

export interface BulkAddress {
  care_of?: string;
  po_box?: string;
  address_line_1: string;
  address_line_2: string;
  post_town: string;
  county: string;
  country: string;
  postcode: string;
}

/** The address as it is stored; null when nothing of it is given. */
export function normaliseBulkAddress(raw: BulkAddress): Address | null {
  return normaliseAddress({
    care_of: toTitleCase(raw.care_of ?? ""),
    po_box: raw.po_box,
    address_line_1: toTitleCase(raw.address_line_1),
    address_line_2: toTitleCase(raw.address_line_2),
    locality: toTitleCase(raw.post_town),
    region: toTitleCase(raw.county),
    country: toTitleCase(raw.country),
    postal_code: raw.postcode,
  });
}

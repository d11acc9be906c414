/** Owns what the bulk files about people have in common: texts in upper case, dates as written, absent values empty. */
import { normaliseAddress, type Address } from "../shared/values/address.ts";
import { toTitleCase } from "../shared/values/letter-case.ts";

/** A person or a body. */
export interface BulkPerson {
  /** Twelve digits. */
  person_number: string;
  birth_date: string;
  title: string;
  forenames: string;
  /** A body's whole name. */
  surname: string;
  honours: string;
  nationality: string;
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
export function normaliseBulkAddress(raw: BulkPerson): Address | null {
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

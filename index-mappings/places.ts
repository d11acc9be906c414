/** Owns the fields for searches by place: the words of addresses, and postcodes. */
import { addressSnippet, type Address } from "../api/shared/values/address.ts";
import { wordsOf } from "./names/text.ts";

/** Limit: for a person at more than 100 addresses, with hundreds of appointments, only the first 100 can be found. */
const MOST_ADDRESSES = 100;

const SPACES = /\s+/g;

/** The words of an address, in the compared form. */
export function addressWords(address: Address): string {
  return wordsOf(addressSnippet(address)).join(" ");
}

/** `LS1 1ZZ` to `LS11ZZ`. */
export function squeezePostcode(postcode: string): string {
  return postcode.replace(SPACES, "").toUpperCase();
}

/** The fields of a person's addresses, each once, in the given order; none without an address. */
export function placeFields(addresses: (Address | undefined)[]): { address?: string[]; postcode?: string[] } {
  // Most appointments of a person repeat one address, which is parsed once.
  const bySnippet = new Map(
    addresses.flatMap((address) => (address ? [[addressSnippet(address), address] as const] : [])),
  );
  const distinct = [...bySnippet.values()].slice(0, MOST_ADDRESSES);
  const words = new Set(distinct.map(addressWords).filter(Boolean));
  const postcodes = new Set(distinct.flatMap(({ postal_code }) => postal_code ?? []).map(squeezePostcode));
  return {
    ...(words.size > 0 && { address: [...words] }),
    ...(postcodes.size > 0 && { postcode: [...postcodes] }),
  };
}

/** `YYYY-MM`, the form of `born`. */
export function birthMonthKey({ month, year }: { month: number; year: number }): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}

/** The fields for searches by place: the words of addresses, and postcodes. */
import { addressSnippet, type Address } from "../api/shared/values/address.ts";
import { wordsOf } from "./names/text.ts";

/** Limit: a person is found by the first 100 addresses; people with hundreds of appointments may have more. */
const MOST_ADDRESSES = 100;

const SPACES = /\s+/g;

/** The words of an address, in the form that is compared. */
export function addressWords(address: Address): string {
  return wordsOf(addressSnippet(address)).join(" ");
}

/** `LS1 1ZZ` to `LS11ZZ`. */
export function squeezePostcode(postcode: string): string {
  return postcode.replace(SPACES, "").toUpperCase();
}

/** The fields of a person's addresses, in the given order and without repeats; no fields without an address. */
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

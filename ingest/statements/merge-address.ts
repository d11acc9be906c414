/** Owns the merging of an address that is held with that of a bulk file. Pure. */
import type { Address } from "../../api/core/address.ts";
import { given } from "./merge.ts";

const FIRST_LINE = ["premises", "address_line_1"] as const;
// Not the country: sources call that of one address by different names (United Kingdom, England).
const COMPARED = ["care_of", "po_box", "address_line_2", "locality", "region", "postal_code"] as const;

/**
 * The held address stays where the incoming one is the same: bulk files have premises and street in one line, other
 * letter case and marks. What the incoming one has beyond it is added, if the first lines are alike. Otherwise the incoming
 * one takes its place whole.
 */
export const address = given(mergeAddresses);

/** As `address` does it, for two that are there. */
export function mergeAddresses(held: Address, incoming: Address): Address {
  const firstLine = firstLineOf(incoming);
  const isAlike = firstLine !== "" && firstLine === firstLineOf(held);
  if (firstLine !== "" && !isAlike) return incoming;
  const agrees = COMPARED.every((member) => {
    const [before, after] = [held[member], incoming[member]];
    return after === undefined || (before === undefined ? isAlike : squeeze(before) === squeeze(after));
  });
  if (!agrees) return incoming;
  const beyond = { ...incoming };
  for (const member of FIRST_LINE) delete beyond[member];
  return { ...beyond, ...held };
}

function firstLineOf({ premises = "", address_line_1 = "" }: Address): string {
  return squeeze(premises + address_line_1);
}

/** Letters and digits alone. */
function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Owns addresses: their nine members, how they are cleaned on the way in, and how they read as one line. */
import type { FromSchema } from "json-schema-to-ts";

const TEXT = { type: "string", minLength: 1, maxLength: 300 } as const;

/** Address-9 of the API: every member a text, every member optional. */
export const addressSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    care_of: TEXT,
    po_box: TEXT,
    premises: TEXT,
    address_line_1: TEXT,
    address_line_2: TEXT,
    locality: TEXT,
    region: TEXT,
    country: TEXT,
    postal_code: TEXT,
  },
} as const;

export type Address = FromSchema<typeof addressSchema>;

// Placeholders that forms left in real rows (bulk formats 1.8).
const PLACEHOLDER = /^county \(optional\)$/i;
const UK_POSTCODE = /^(GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/;

/**
 * A cleaned address: ends trimmed, trailing commas off, placeholders and empty members left out, the
 * postcode in its usual form. Null when nothing is left.
 */
export function normaliseAddress(raw: Partial<Record<keyof Address, string | undefined>>): Address | null {
  const address: Address = {};
  for (const member of Object.keys(addressSchema.properties) as (keyof Address)[]) {
    const text = cleanText(raw[member]);
    if (text) address[member] = member === "postal_code" ? normalisePostcode(text) : text;
  }
  return Object.keys(address).length > 0 ? address : null;
}

/**
 * `rg19zz`, `RG1  9ZZ` and `RG1 9ZZ.` to `RG1 9ZZ`. What is no British postcode (foreign codes, outward
 * parts) is only trimmed.
 */
export function normalisePostcode(text: string): string {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (!UK_POSTCODE.test(compact)) return text.trim();
  return `${compact.slice(0, -3)} ${compact.slice(-3)}`;
}

/**
 * The address on one line. Premises and street are joined by a space when the premises are a number,
 * else by a comma like everything else (API reference, part 6).
 */
export function addressSnippet(address: Address): string {
  const { premises, address_line_1: street } = address;
  const separator = premises && /^\d+$/.test(premises) ? " " : ", ";
  const first = [premises, street].filter(Boolean).join(separator);
  const parts = [address.care_of, address.po_box, first, address.address_line_2, address.locality];
  return [...parts, address.region, address.country, address.postal_code].filter(Boolean).join(", ");
}

function cleanText(text: string | undefined): string {
  const trimmed = (text ?? "").trim().replace(/[\s,]+$/, "");
  return PLACEHOLDER.test(trimmed) ? "" : trimmed;
}

/** Addresses: their nine members, how an incoming address is cleaned, and how an address is written on one line. */
import type { FromSchema } from "json-schema-to-ts";
import { enumerationKeys } from "./enumerations.ts";

const TEXT = { type: "string", minLength: 1, maxLength: 300 } as const;

/** The nine-member address of the API: every member is a text, and every member is optional. */
export const addressSchema = {
  title: "address",
  description: "An address. A member that is not known is left out.",
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

const MEMBERS = Object.keys(addressSchema.properties) as (keyof Address)[];
// Real rows contain this placeholder of a form (bulk formats 1.8).
const PLACEHOLDER = /^county \(optional\)$/i;
const UK_POSTCODE = /^(GIR(?=0AA)|[A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/;
// The areas of British postcodes, including the islands, Gibraltar (GX), the forces (BF) and the post itself (XX, GIR).
// They tell British postcodes from foreign ones of the same form: T12 AB is Irish.
const AREAS = new Set(
  (
    "AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY " +
    "G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP " +
    "NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS TW UB " +
    "W WA WC WD WF WN WR WS WV YO ZE GX BF BX XX GIR"
  ).split(" "),
);
const OUTWARD = /^(?:GIR|[A-Z]{1,2}\d[A-Z\d]?)$/;
// Countries that the specification lists are shown in its spelling, whatever letter case a source uses. Others stay as
// they are, because the API reference 7.1 allows any text.
const COUNTRIES = new Map(
  enumerationKeys("registered_office_country_documented").map((country) => [country.toUpperCase(), country]),
);
// The lookbehinds let a match begin only at the start of a run. Otherwise a text of a million spaces would be searched
// again from each of its spaces.
const TRAILING_NOISE = /(?<![\s,])[\s,]+$/;
const POSTCODE_NOISE = /^[\s.,\\]+|(?<![\s.,\\])[\s.,\\]+$/g;
const LINE_BREAKS = /(?<!\s)\s*[\r\n\t]\s*/g;

/** An incoming address: any member may be absent, null, a text or a number (`premises: 12`). */
type RawAddress = { readonly [Member in keyof Address]?: unknown };

/**
 * Cleans an address; null when nothing is left.
 * - Ends are trimmed, and trailing commas removed.
 * - Placeholders, empty members and a second line that repeats the first are left out.
 * - A British postcode takes its usual form. One in the town or the county moves to `postal_code`.
 * - A country that the specification lists takes its spelling.
 * Inner double spaces, and the letter case of everything else, stay as given.
 */
export function normaliseAddress(raw: RawAddress): Address | null {
  const address: Address = {};
  let isEmpty = true;
  for (const member of MEMBERS) {
    const cleaned = cleanText(raw[member]);
    const text = member === "postal_code" ? normalisePostcode(cleaned) : cleaned;
    if (text === "") continue;
    address[member] = text;
    isEmpty = false;
  }
  if (isEmpty) return null;
  if (address.address_line_2 === address.address_line_1) delete address.address_line_2;
  movePostcode(address);
  if (address.country) address.country = COUNTRIES.get(address.country.toUpperCase()) ?? address.country;
  return address;
}

/**
 * Writes `rg19zz`, `RG1  9ZZ` and `RG1 9ZZ.` as `RG1 9ZZ`. A text that is not a whole British postcode (a foreign code,
 * an outward code) only loses spaces, dots, commas and backslashes at its ends.
 */
export function normalisePostcode(text: string): string {
  return parsePostcode(text) ?? text.replace(POSTCODE_NOISE, "");
}

/** True for a text that may be the outward code (first half) of a British postcode, in capitals: `N1`, `EC1A`. */
export function isOutward(text: string): boolean {
  return OUTWARD.test(text);
}

/** An address on one line: commas between members, but a space after a house number (API reference, 6). */
export function addressSnippet(address: Address): string {
  const { premises, address_line_1: street } = address;
  const separator = premises && /^\d+$/.test(premises) ? " " : ", ";
  const first = [premises, street].filter(Boolean).join(separator);
  const parts = [address.care_of, address.po_box, first, address.address_line_2, address.locality];
  return [...parts, address.region, address.country, address.postal_code].filter(Boolean).join(", ");
}

function cleanText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value === "") return "";
  const text = value.replace(LINE_BREAKS, " ").replace(TRAILING_NOISE, "").trimStart();
  return PLACEHOLDER.test(text) ? "" : text;
}

/**
 * Some real rows have the postcode as the town or the county. It moves only if the member is a whole postcode, and
 * `postal_code` is absent or has the same one, so that nothing is lost.
 */
function movePostcode(address: Address): void {
  for (const member of ["locality", "region"] as const) {
    const postcode = address[member] && parsePostcode(address[member]);
    if (!postcode) continue;
    if (address.postal_code && parsePostcode(address.postal_code) !== postcode) continue;
    address.postal_code = postcode;
    delete address[member];
  }
}

function parsePostcode(text: string): string | null {
  // Most towns and counties have no digit.
  if (!/\d/.test(text)) return null;
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const parts = splitPostcode(compact);
  return parts && AREAS.has(parts[0].replace(/\d.*/, "")) ? parts.join(" ") : null;
}

/** Splits `RG19ZZ`, a whole British postcode in capitals without spaces, into `RG1` and `9ZZ`; null for other texts. */
export function splitPostcode(compact: string): [outward: string, inward: string] | null {
  const [, outward, inward] = UK_POSTCODE.exec(compact) ?? [];
  return outward && inward ? [outward, inward] : null;
}

/** Owns company numbers: their canonical form, and what their prefix says. */

const PREFIX_JURISDICTION: Record<string, string> = {
  SC: "scotland",
  SZ: "scotland",
  GS: "scotland",
  SL: "scotland",
  SO: "scotland",
  SG: "scotland",
  ES: "scotland",
  SA: "scotland",
  SP: "scotland",
  SR: "scotland",
  SI: "scotland",
  CS: "scotland",
  NI: "northern-ireland",
  NZ: "northern-ireland",
  GN: "northern-ireland",
  NL: "northern-ireland",
  NC: "northern-ireland",
  EN: "northern-ireland",
  NA: "northern-ireland",
  NP: "northern-ireland",
  NO: "northern-ireland",
  NR: "northern-ireland",
  NV: "northern-ireland",
  R0: "northern-ireland",
  // Entities of other countries, their establishments, and societies without a jurisdiction of their own: the
  // number does not say more (assumed, as the API reference does for FC, SF, NF and BR).
  FC: "united-kingdom",
  SF: "united-kingdom",
  NF: "united-kingdom",
  OE: "united-kingdom",
  BR: "united-kingdom",
  RS: "united-kingdom",
};

// Registers kept by others, of which only part is stored here (bulk formats 1.6).
const CONDUCT_AUTHORITY = "full-data-available-from-financial-conduct-authority";
const MUTUALS_REGISTER = "full-data-available-from-financial-conduct-authority-mutuals-public-register";
const THE_COMPANY = "full-data-available-from-the-company";
const PREFIX_PARTIAL_DATA: Record<string, string> = {
  IC: CONDUCT_AUTHORITY,
  SI: CONDUCT_AUTHORITY,
  NV: CONDUCT_AUTHORITY,
  AC: CONDUCT_AUTHORITY,
  SA: CONDUCT_AUTHORITY,
  NA: CONDUCT_AUTHORITY,
  PC: CONDUCT_AUTHORITY,
  RC: THE_COMPANY,
  SR: THE_COMPANY,
  NR: THE_COMPANY,
  NP: MUTUALS_REGISTER,
  NO: MUTUALS_REGISTER,
  IP: MUTUALS_REGISTER,
  SP: MUTUALS_REGISTER,
  RS: MUTUALS_REGISTER,
};

/**
 * The canonical number of eight characters, or null when the text cannot be one. Case and spaces are
 * forgiven, and leading zeros that a spreadsheet dropped are put back (`99061` is `00099061`, `SC1234`
 * is `SC001234`). Rule: bulk formats 1.6.
 */
export function parseCompanyNumber(text: string): string | null {
  const compact = text.replace(/\s+/g, "").toUpperCase();
  const padded = padZeros(compact);
  return /^[A-Z0-9]{8}$/.test(padded) && /\d/.test(padded) ? padded : null;
}

/**
 * The number in a path, where the register's own eight characters are asked for: only letter case is forgiven. Null when
 * the text is no such number. Zeros are put back where people search, not here: `/company/86` names no company.
 */
export function parsePathNumber(text: string): string | null {
  return /^[A-Za-z0-9]{8}$/.test(text) ? parseCompanyNumber(text) : null;
}

/** The two characters before the digits: `SC`, `R0`, or an empty text for the main register. */
export function companyPrefix(number: string): string {
  return /^[A-Z][A-Z0-9]/.test(number) ? number.slice(0, 2) : "";
}

/** Jurisdiction by prefix; companies registered in Wales cannot be recognised by the number. */
export function jurisdictionOf(number: string): string {
  return PREFIX_JURISDICTION[companyPrefix(number)] ?? "england-wales";
}

/** Who holds the full data of companies with this number, as the API says it; null for the register itself. */
export function partialDataOf(number: string): string | null {
  return PREFIX_PARTIAL_DATA[companyPrefix(number)] ?? null;
}

function padZeros(compact: string): string {
  if (/^\d{1,8}$/.test(compact)) return compact.padStart(8, "0");
  const match = /^(R(?=\d)|[A-Z]{2})(\d{1,7})$/.exec(compact);
  if (!match || compact.length > 8) return compact;
  const [, letters = "", digits = ""] = match;
  return letters + digits.padStart(8 - letters.length, "0");
}

/** Owns company numbers: their canonical form, and what their prefix says. */

// By the two characters before the digits. Of entities of other countries, their establishments, and societies without a
// jurisdiction of their own the number does not say more than `united-kingdom` (assumed, as the API reference does for FC,
// SF, NF and BR).
const JURISDICTIONS = byPrefix({
  scotland: "SC SZ GS SL SO SG ES SA SP SR SI CS",
  "northern-ireland": "NI NZ GN NL NC EN NA NP NO NR NV R0",
  "united-kingdom": "FC SF NF OE BR RS",
});

// Registers kept by others, of which only part is stored here (bulk formats 1.6).
const PARTIAL_DATA = byPrefix({
  "full-data-available-from-financial-conduct-authority": "IC SI NV AC SA NA PC",
  "full-data-available-from-the-company": "RC SR NR",
  "full-data-available-from-financial-conduct-authority-mutuals-public-register": "NP NO IP SP RS",
});

/** The value for each of the prefixes of companies that it is given for, with blanks between them. */
export function byPrefix(prefixes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(prefixes).flatMap(([value, list]) => list.split(" ").map((prefix) => [prefix, value])),
  );
}

/**
 * The canonical number of eight characters of a source, or null when the text cannot be one. Case and blanks at its ends
 * are forgiven, and leading zeros that a spreadsheet dropped are put back (`99061` is `00099061`, `SC1234` is `SC001234`).
 * A blank inside may be a lost digit, and the number that of another company. Rule: bulk formats 1.6.
 */
export function parseCompanyNumber(text: string): string | null {
  const padded = padZeros(text.trim().toUpperCase());
  return /^[A-Z0-9]{8}$/.test(padded) && /\d/.test(padded) ? padded : null;
}

/** The number in what people type, in searches and forms, who write `SC 123 456`. */
export function parseTypedNumber(text: string): string | null {
  return parseCompanyNumber(text.replace(/\s+/g, ""));
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
  return JURISDICTIONS.get(companyPrefix(number)) ?? "england-wales";
}

/** Who holds the full data of companies with this number, as the API says it; null for the register itself. */
export function partialDataOf(number: string): string | null {
  return PARTIAL_DATA.get(companyPrefix(number)) ?? null;
}

function padZeros(compact: string): string {
  if (/^\d{1,8}$/.test(compact)) return compact.padStart(8, "0");
  const match = /^(R(?=\d)|[A-Z]{2})(\d{1,7})$/.exec(compact);
  if (!match || compact.length > 8) return compact;
  const [, letters = "", digits = ""] = match;
  return letters + digits.padStart(8 - letters.length, "0");
}

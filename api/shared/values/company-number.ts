/** Company numbers: their canonical form, and what their prefix means. */

// By the two characters before the digits. The prefixes of overseas entities, of their establishments, and of societies
// without their own jurisdiction mean only `united-kingdom` (assumed, as the API reference does for FC, SF, NF and BR).
const JURISDICTIONS = byPrefix({
  scotland: "SC SZ GS SL SO SG ES SA SP SR SI CS",
  "northern-ireland": "NI NZ GN NL NC EN NA NP NO NR NV R0",
  "united-kingdom": "FC SF NF OE BR RS",
});

// Companies whose full data is held elsewhere; only part of it is stored here (bulk formats 1.6).
const PARTIAL_DATA = byPrefix({
  "full-data-available-from-financial-conduct-authority": "IC SI NV AC SA NA PC",
  "full-data-available-from-the-company": "RC SR NR",
  "full-data-available-from-financial-conduct-authority-mutuals-public-register": "NP NO IP SP RS",
});

/** Turns lists of prefixes by value, `{ scotland: "SC SZ" }`, into the value by prefix. Spaces separate prefixes. */
export function byPrefix(prefixes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(prefixes).flatMap(([value, list]) => list.split(" ").map((prefix) => [prefix, value])),
  );
}

/**
 * Reads a number from a source; returns the canonical eight characters, or null when the text cannot be a number.
 * Letter case and spaces at the ends do not matter. Leading zeros that a spreadsheet dropped are put back (`99061` is
 * `00099061`, `SC1234` is `SC001234`). An inner space is refused: it may stand for a lost digit, so that the rest would
 * be the number of another company. Rule: bulk formats 1.6.
 */
export function parseCompanyNumber(text: string): string | null {
  const padded = padZeros(text.trim().toUpperCase());
  return /^[A-Z0-9]{8}$/.test(padded) && /\d/.test(padded) ? padded : null;
}

/** Reads a number that a person typed into a search or a form: inner spaces are removed, as in `SC 123 456`. */
export function parseTypedNumber(text: string): string | null {
  return parseCompanyNumber(text.replace(/\s+/g, ""));
}

/**
 * Reads a number from a request path, which must have all eight characters, in any letter case; null for other texts.
 * Leading zeros are not put back here, as they are in sources and searches: `/company/86` names no company.
 */
export function parsePathNumber(text: string): string | null {
  return /^[A-Za-z0-9]{8}$/.test(text) ? parseCompanyNumber(text) : null;
}

/** The two characters before the digits: `SC`, `R0`; empty for a number of digits only. */
export function companyPrefix(number: string): string {
  return /^[A-Z][A-Z0-9]/.test(number) ? number.slice(0, 2) : "";
}

/** The jurisdiction that the prefix means. A number cannot tell Wales from England, so both are `england-wales`. */
export function jurisdictionOf(number: string): string {
  return JURISDICTIONS.get(companyPrefix(number)) ?? "england-wales";
}

/** The API's word for the body that has the full data of this company; null when the register itself has it. */
export function partialDataOf(number: string): string | null {
  return PARTIAL_DATA.get(companyPrefix(number)) ?? null;
}

function padZeros(compact: string): string {
  const [, letters = "", digits] = /^(R(?=\d)|[A-Z]{2})?(\d+)$/.exec(compact) ?? [];
  return digits ? letters + digits.padStart(8 - letters.length, "0") : compact;
}

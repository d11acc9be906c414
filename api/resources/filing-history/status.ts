/** Owns the filing history status: what the register has of a company's filings, derived from its number alone. */

type Status = string | ((number: number) => string);

const AVAILABLE = "filing-history-available";
const SOCIETY = "filing-history-not-available-industrial-and-provident-society";
const SCOTTISH_SOCIETY = "filing-history-not-available-scottish-industrial-and-provident-society";
const IRISH_SOCIETY = "filing-history-not-available-northern-ireland-industrial-and-provident-society";
const OTHER_SOCIETY = "filing-history-not-available-northern-ireland-other-industrial-and-provident-society";
const ROYAL_CHARTER = "filing-history-not-available-royal-charter";
const INVESTMENT = "filing-history-not-available-investment-company-with-variable-capital";
const PROTECTED_CELL = "filing-history-not-available-protected-cell-company";
const UNKNOWN_PREFIX = "filing-history-not-available-unknown-prefix";
const INVALID_FORMAT = "filing-history-not-available-invalid-format";

// SC and the others of part 6 of the API reference; ZC, SZ, NZ and RS are assumed to belong here.
const AVAILABLE_PREFIXES = "SC NI R0 OC SO NC SG FC SF NF BR OE GE GS GN SE ES EN FE CE CS ZC SZ NZ".split(
  " ",
);

const STATUS_BY_PREFIX: ReadonlyMap<string, Status> = new Map<string, Status>([
  ...AVAILABLE_PREFIXES.map((prefix) => [prefix, AVAILABLE] as const),
  ["LP", partnershipFrom(3370, 15997)],
  ["SL", partnershipFrom(1083, 16384)],
  ["NL", partnershipFrom(11, 76)],
  ["AC", assuranceFrom(1839)],
  ["SA", assuranceFrom(144518)],
  ["NA", assuranceFrom(0)],
  ["IP", SOCIETY],
  ["RS", SOCIETY],
  ["SP", SCOTTISH_SOCIETY],
  ["NP", IRISH_SOCIETY],
  ["NO", OTHER_SOCIETY],
  ["RC", ROYAL_CHARTER],
  ["SR", ROYAL_CHARTER],
  ["NR", ROYAL_CHARTER],
  ["IC", INVESTMENT],
  ["SI", INVESTMENT],
  ["NV", INVESTMENT],
  ["PC", PROTECTED_CELL],
]);

// A society's number may end in letters, an LLP's may begin with one: `IP12345R`, `OCP00001`.
const AFTER_PREFIX = /^[A-Z]?(\d{1,6})[A-Z]{0,3}$/;

/** The status of a company number in canonical form, known or not. */
export function filingHistoryStatusOf(companyNumber: string): string {
  if (/^\d{8}$/.test(companyNumber)) return AVAILABLE;
  const [, prefix = "", rest = ""] = /^(R0|[A-Z]{2})(.{6})$/.exec(companyNumber) ?? [];
  const digits = AFTER_PREFIX.exec(rest)?.[1];
  if (digits === undefined) return INVALID_FORMAT;
  const status = STATUS_BY_PREFIX.get(prefix) ?? UNKNOWN_PREFIX;
  return typeof status === "string" ? status : status(Number(digits));
}

/** Limited partnerships: their filings are on the register from 1988 on, and with images from 2014 on. */
function partnershipFrom(first1988: number, first2014: number): Status {
  return (number) => {
    if (number >= first2014) return "filing-history-available-limited-partnership-from-2014";
    if (number >= first1988) return "filing-history-available-no-images-limited-partnership-from-1988";
    return "filing-history-not-available-limited-partnership-before-1988";
  };
}

/** Assurance companies: another register has their filings from 2004 on. */
function assuranceFrom(first2004: number): Status {
  return (number) =>
    number >= first2004
      ? "filing-history-not-available-assurance-company-from-2004"
      : "filing-history-available-assurance-company-before-2004";
}

/** Owns the words of the company CSV: category, status and account category to the keys of the API. */
import { enumerationKeys } from "../../api/core/enumerations.ts";

/** Type of a category. */
export interface CategoryType {
  type: string;
  subtype?: string;
  /** A word for the types of which a company of the category may be, where that does not say which; `type` is then a guess. */
  oneOf?: keyof typeof UNCERTAIN_TYPES;
}

// Bulk formats 1.3, without spaces and in lower case, up to the bracket where the bracket only explains.
const CATEGORIES = squeezeKeys({
  "Private Limited Company": "ltd",
  "PRI/LTD BY GUAR/NSC": "private-limited-guarant-nsc",
  "Limited Partnership": "limited-partnership",
  "Limited Liability Partnership": "llp",
  "Charitable Incorporated Organisation": "charitable-incorporated-organisation",
  "PRI/LBG/NSC": "private-limited-guarant-nsc-limited-exemption",
  "Overseas Entity": "registered-overseas-entity",
  "Registered Society": "registered-society-non-jurisdictional",
  "Scottish Charitable Incorporated Organisation": "scottish-charitable-incorporated-organisation",
  "Private Unlimited Company": "private-unlimited",
  "Public Limited Company": "plc",
  "Royal Charter Company": "royal-charter",
  "Investment Company with Variable Capital": "investment-company-with-variable-capital",
  "Investment Company with Variable Capital(Umbrella)": "icvc-umbrella",
  "Investment Company with Variable Capital(Securities)": "icvc-securities",
  "Investment Company with Variable Capital(Warrant)": "icvc-warrant",
  "United Kingdom Economic Interest Grouping": "ukeig",
  "Scottish Partnership": "scottish-partnership",
  "Industrial and Provident Society": "industrial-and-provident-society",
  // Without "Company" the register means the kind without share capital (assumed there).
  "Private Unlimited": "private-unlimited-nsc",
  "Old Public Company": "old-public-company",
  "PRIV LTD SECT. 30": "private-limited-shares-section-30-exemption",
  "United Kingdom Societas": "united-kingdom-societas",
  "European Public Limited-Liability Company": "european-public-limited-liability-company-se",
  "Protected Cell Company": "protected-cell-company",
  "Further Education and Sixth Form College Corps": "further-education-or-sixth-form-college-corporation",
  "Converted/Closed": "converted-or-closed",
});

// Texts that say less than a type: those that a company under them may be of (bulk formats 1.3).
const UNLIMITED = squeeze("Private Unlimited");
/** The sets of them, by a word for each. */
export const UNCERTAIN_TYPES = {
  unlimited: new Set(["private-unlimited-nsc", "private-unlimited"]),
  "community-interest": new Set(["private-limited-guarant-nsc", "ltd", "plc"]),
  other: new Set(enumerationKeys("company_type").filter((type) => ![...CATEGORIES.values()].includes(type))),
};
const COMMUNITY_INTEREST_COMPANY = squeeze("Community Interest Company");
const OTHER_COMPANY_TYPE = squeeze("Other company type");

// What the number says of companies whose category says only "other".
const OTHER_BY_PREFIX: Record<string, string> = {
  ...{ FC: "oversea-company", SF: "oversea-company", NF: "oversea-company" },
  ...{ AC: "assurance-company", SA: "assurance-company", NA: "assurance-company" },
  ...{ ZC: "unregistered-company", SZ: "unregistered-company", NZ: "unregistered-company" },
  ...{ GE: "eeig", GS: "eeig", GN: "eeig" },
};

// Bulk formats 1.4. Combined procedures are insolvency-proceedings, as in the register's own code table.
const STATUSES = squeezeKeys({
  Active: "active",
  "Active - Proposal to Strike off": "active",
  Liquidation: "liquidation",
  "In Administration": "administration",
  "Administration Order": "administration",
  "Voluntary Arrangement": "voluntary-arrangement",
  Receivership: "receivership",
  "Administrative Receiver": "receivership",
  "Receiver Manager / Administrative Receiver": "receivership",
  "Live but Receiver Manager on at least one charge": "receivership",
  "In Administration/Administrative Receiver": "insolvency-proceedings",
  "In Administration/Receiver Manager": "insolvency-proceedings",
  "Voluntary Arrangement / Administrative Receiver": "insolvency-proceedings",
  "Voluntary Arrangement / Receiver Manager": "insolvency-proceedings",
  "Voluntary Arrangement / Receivership": "insolvency-proceedings",
  Dissolved: "dissolved",
  "Converted / Closed": "converted-closed",
});
const STRIKE_OFF = squeeze("Active - Proposal to Strike off");

// Bulk formats 1.5: the keys of the API in upper case and without hyphens, but for these. A company that has
// filed none has no last accounts, so nothing is said of their type.
const ACCOUNT_CATEGORIES = new Map<string, string | null>([
  ...enumerationKeys("account_type").map((key): [string, string] => [squeeze(key.replaceAll("-", " ")), key]),
  [squeeze("ACCOUNTS TYPE NOT AVAILABLE"), "no-accounts-type-available"],
  [squeeze("NO ACCOUNTS FILED"), null],
  // A slip of the edition of 2014.
  [squeeze("MEDUM"), "medium"],
]);

/** Type of a category, with the help of prefix and name where it says too little; null for an unknown one. */
export function companyTypeOf(
  category: string,
  company: { prefix: string; name: string },
): CategoryType | null {
  const key = squeeze(category);
  if (key === COMMUNITY_INTEREST_COMPANY) return communityInterestCompany(company.name);
  if (key === OTHER_COMPANY_TYPE) return { type: OTHER_BY_PREFIX[company.prefix] ?? "other", oneOf: "other" };
  const type = CATEGORIES.get(key) ?? CATEGORIES.get(key.replace(/\(.*$/, ""));
  if (type === undefined) return null;
  return key === UNLIMITED ? { type, oneOf: "unlimited" } : { type };
}

/** Status of a text, and its detail where the text tells it; null for an unknown one. Overseas entities are registered, not active. */
export function companyStandingOf(
  text: string,
  prefix: string,
): { company_status: string; company_status_detail?: string } | null {
  const key = squeeze(text);
  const company_status = STATUSES.get(key);
  if (company_status === undefined) return null;
  if (key === STRIKE_OFF) return { company_status, company_status_detail: "active-proposal-to-strike-off" };
  return { company_status: company_status === "active" && prefix === "OE" ? "registered" : company_status };
}

/** Type of the last accounts; null where none have been filed, undefined for an unknown category. */
export function accountTypeOf(category: string): string | null | undefined {
  return ACCOUNT_CATEGORIES.get(squeeze(category));
}

/** The category hides the form: a PLC says so in its name, of the others by far the most are guarantee companies. */
function communityInterestCompany(name: string): CategoryType {
  const subtype = "community-interest-company";
  if (/\bPLC\.?\s*$/i.test(name)) return { type: "plc", subtype };
  return { type: "private-limited-guarant-nsc", subtype, oneOf: "community-interest" };
}

function squeezeKeys(table: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(table).map(([text, value]) => [squeeze(text), value]));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "").toLowerCase();
}

/** Owns the words of the company CSV: texts of category, status and account category to keys of the API. */
import { enumerationKeys, enumerationLabel, type EnumerationName } from "../../api/core/enumerations.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/record.ts";

// Up to a bracket that only explains (bulk formats 1.3).
const CATEGORIES = wordsOf("company_type", {
  "PRI/LTD BY GUAR/NSC": "private-limited-guarant-nsc",
  "PRI/LBG/NSC": "private-limited-guarant-nsc-limited-exemption",
  "PRIV LTD SECT. 30": "private-limited-shares-section-30-exemption",
  // Without "Company" the register means the kind without share capital (assumed there).
  "Private Unlimited": "private-unlimited-nsc",
  "Investment Company with Variable Capital": "investment-company-with-variable-capital",
  "Investment Company with Variable Capital(Umbrella)": "icvc-umbrella",
  "Investment Company with Variable Capital(Securities)": "icvc-securities",
  "Investment Company with Variable Capital(Warrant)": "icvc-warrant",
  "Scottish Partnership": "scottish-partnership",
  "European Public Limited-Liability Company": "european-public-limited-liability-company-se",
  "Further Education and Sixth Form College Corps": "further-education-or-sixth-form-college-corporation",
});
const COMMUNITY_INTEREST = "community-interest-company";

// Types without a category of their own: the category of their companies says only "other", the number often more.
const OTHER_TYPES: Record<string, readonly string[]> = {
  ...{ "assurance-company": ["AC", "SA", "NA"], "oversea-company": ["FC", "SF", "NF"] },
  ...{ "unregistered-company": ["ZC", "SZ", "NZ"], eeig: ["GE", "GS", "GN"], "eeig-establishment": [] },
  ...{ "northern-ireland": [], "northern-ireland-other": [], "uk-establishment": [], other: [] },
};

// Bulk formats 1.4. Combined procedures are insolvency-proceedings, as in the register's own code table.
const STATUSES = wordsOf("company_status", {
  "Active - Proposal to Strike off": "active",
  "Administration Order": "administration",
  Receivership: "receivership",
  "Administrative Receiver": "receivership",
  "Receiver Manager / Administrative Receiver": "receivership",
  "Live but Receiver Manager on at least one charge": "receivership",
  "In Administration/Administrative Receiver": "insolvency-proceedings",
  "In Administration/Receiver Manager": "insolvency-proceedings",
  "Voluntary Arrangement / Administrative Receiver": "insolvency-proceedings",
  "Voluntary Arrangement / Receiver Manager": "insolvency-proceedings",
  "Voluntary Arrangement / Receivership": "insolvency-proceedings",
});

// Bulk formats 1.5. "Medum" is a slip of the edition of 2014.
const ACCOUNT_CATEGORIES = wordsOf("account_type", {
  "Accounts type not available": "no-accounts-type-available",
  Medum: "medium",
});

/** Type of a category, with the help of prefix and name where it says too little; null for an unknown one. */
export function companyTypeOf(
  category: string,
  company: { prefix: string; name: string },
): Pick<CompanyProfile, "type" | "subtype"> | null {
  const key = squeeze(category);
  if (key === "communityinterestcompany") {
    // A PLC says so in its name; of the others by far the most are guarantee companies.
    const isPublic = /\bPLC\.?\s*$/i.test(company.name);
    return { type: isPublic ? "plc" : "private-limited-guarant-nsc", subtype: COMMUNITY_INTEREST };
  }
  const type = CATEGORIES.get(key) ?? CATEGORIES.get(key.replace(/\(.*$/, ""));
  if (type === undefined) return null;
  if (type !== "other") return { type };
  const other = Object.entries(OTHER_TYPES).find(([, prefixes]) => prefixes.includes(company.prefix));
  return { type: other?.[0] ?? type };
}

/** True where a company of this type may stand under the category that gave this type and subtype: some say less than a type. */
export function mayBeOfType(type: string, given: Pick<Partial<CompanyProfile>, "type" | "subtype">): boolean {
  if (type === given.type) return true;
  if (given.type === "private-unlimited-nsc") return type === "private-unlimited";
  if (given.subtype === COMMUNITY_INTEREST && given.type !== "plc") return type === "ltd" || type === "plc";
  return given.type !== undefined && given.type in OTHER_TYPES && type in OTHER_TYPES;
}

/** Status of a text, and its detail where the text tells it; null for an unknown one. Overseas entities are registered, not active. */
export function companyStandingOf(
  text: string,
  prefix: string,
): { company_status: string; company_status_detail?: string } | null {
  const company_status = STATUSES.get(squeeze(text));
  if (company_status === undefined) return null;
  if (/strike/i.test(text)) return { company_status, company_status_detail: "active-proposal-to-strike-off" };
  return { company_status: company_status === "active" && prefix === "OE" ? "registered" : company_status };
}

/** Type of the last accounts; null where none have been filed, undefined for an unknown category. */
export function accountTypeOf(category: string): string | null | undefined {
  const key = squeeze(category);
  return key === "noaccountsfiled" ? null : ACCOUNT_CATEGORIES.get(key);
}

/** Keys of a list by the labels that the API has for them and by the texts for which the CSV has others. */
function wordsOf(list: EnumerationName, others: Record<string, string>): ReadonlyMap<string, string> {
  const labels = enumerationKeys(list).map((key) => [enumerationLabel(list, key) ?? key, key] as const);
  return new Map([...labels, ...Object.entries(others)].map(([text, key]) => [squeeze(text), key]));
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "").toLowerCase();
}

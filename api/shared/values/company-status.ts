/** Owns the words for the status of a company, as the API, the company CSV and lists of others have them. Pure. */
import { enumerationKeys, enumerationLabel } from "./enumerations.ts";

// Bulk formats 1.4. Combined procedures are insolvency-proceedings, as in the register's code table.
const WORDS_OF_FILES: Record<string, string> = {
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
};

const STATUSES = new Map(
  [
    ...enumerationKeys("company_status").flatMap((key) => [
      [key, key] as const,
      [enumerationLabel("company_status", key) ?? key, key] as const,
    ]),
    ...Object.entries(WORDS_OF_FILES),
  ].map(([text, key]) => [squeeze(text), key]),
);

/** The status of the API that the words mean, whatever their case and signs: `In Liquidation`; null for others. */
export function parseCompanyStatus(text: string): string | null {
  return STATUSES.get(squeeze(text)) ?? null;
}

/** `Liquidation`, `In Liquidation` and `LIQUIDATION.` are equal. */
function squeeze(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\s*in(?:\s+|(?=admin))/, "")
    .replace(/[^a-z]+/g, "");
}

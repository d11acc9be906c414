/**
 * Reads the status of a company: the words of the API, of the company CSV and of other people's lists, and codes. Pure.
 */
import { enumerationKeys, enumerationLabel } from "./enumerations.ts";

// Bulk formats 1.4. Two different procedures at once are insolvency-proceedings, as in the register's code table.
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

/** The API's status for a text such as `In Liquidation`, in any letter case and punctuation; null for unknown words. */
export function parseCompanyStatus(text: string): string | null {
  return STATUSES.get(squeeze(text)) ?? null;
}

// Bulk formats 1.4: the register's own codes.
const CODES = {
  active: "0 5 Q AA AB",
  ...{ dissolved: "1 R", liquidation: "2", receivership: "3 A F G", "converted-closed": "4 7 X Z" },
  ...{ open: "8", closed: "9", "voluntary-arrangement": "I", administration: "M T" },
  "insolvency-proceedings": "C E H J K L N O P S U V W",
  ...{ registered: "AC", removed: "AD" },
};
const CODE_DETAILS: Record<string, string> = {
  "5": "transferred-from-uk",
  Q: "active-proposal-to-strike-off",
  R: "petition-to-restore-dissolved",
  X: "transformed-to-se",
  Z: "converted-to-plc",
  AA: "converted-to-uk-societas",
  AB: "converted-to-ukeig",
};

const STANDINGS = new Map(
  Object.entries(CODES).flatMap(([company_status, codes]) =>
    codes.split(" ").map((code) => [code, { company_status, detail: CODE_DETAILS[code] }] as const),
  ),
);

/** The status, and its detail if it has one, for a status code of the register; undefined for other texts. */
export function findStatusCode(text: string) {
  return STANDINGS.get(text.trim().toUpperCase());
}

/** Makes `Liquidation`, `In Liquidation` and `LIQUIDATION.` equal. */
function squeeze(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\s*in(?:\s+|(?=admin))/, "")
    .replace(/[^a-z]+/g, "");
}

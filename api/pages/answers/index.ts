/** Owns the answers that pages are made from: by name of the definition, the members that pages read. */
import type { Charges, Company, Coverage, Establishments, Filings, Insolvency } from "./companies.ts";
import type {
  Appointments,
  Controllers,
  Disqualified,
  Exemptions,
  Notifications,
  Officers,
  Statements,
} from "./people.ts";
import type { AdvancedPage, Found, ListedCompany, SearchPage } from "./searches.ts";

export type * from "./companies.ts";
export type * from "./lists.ts";
export type * from "./people.ts";
export type * from "./searches.ts";

/** The answer of each definition that pages use. */
export interface Answers {
  "company-profile": Company;
  "officer-list": Officers;
  "officer-appointment-list": Appointments;
  "filing-history": Filings;
  "charge-list": Charges;
  insolvency: Insolvency;
  "uk-establishments": Establishments;
  exemptions: Exemptions;
  "psc-list": Controllers;
  "psc-statement-list": Statements;
  "psc-notification-list": Notifications;
  "natural-disqualification": Disqualified;
  "corporate-disqualification": Disqualified;
  coverage: Coverage;
  "search-all": SearchPage;
  "search-companies": SearchPage;
  "search-officers": SearchPage;
  "search-disqualified-officers": SearchPage;
  "search-persons-with-significant-control": SearchPage;
  "search-alphabetical-companies": { items: ListedCompany[]; top_hit?: ListedCompany };
  "search-advanced-companies": AdvancedPage;
  "suggest-companies": { items: Found[] };
}

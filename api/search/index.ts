/** Table of contents: every search, one line each. */
import { searchAdvancedCompanies } from "./advanced-companies.ts";
import { searchAll } from "./all.ts";
import { searchAlphabeticalCompanies } from "./alphabetical-companies.ts";
import { searchCompanies } from "./companies.ts";
import type { SearchDefinition } from "./define-search.ts";
import { searchDisqualifiedOfficers } from "./disqualified-officers.ts";
import { searchDissolvedCompanies } from "./dissolved-companies.ts";
import { searchOfficers } from "./officers.ts";

// Each search is written for its own parameters and meets only values checked against them.
export const searches = [
  searchAll,
  searchCompanies,
  searchOfficers,
  searchDisqualifiedOfficers,
  searchAlphabeticalCompanies,
  searchDissolvedCompanies,
  searchAdvancedCompanies,
] as unknown as SearchDefinition[];

/** Table of contents: every search, one line each. */
import { downloadCompanies, searchAdvancedCompanies } from "./advanced-companies.ts";
import { searchAll } from "./all.ts";
import { searchAlphabeticalCompanies } from "./alphabetical-companies.ts";
import { searchCompanies } from "./companies.ts";
import { checkNameAvailability } from "./name-availability.ts";
import type { DownloadDefinition, SearchDefinition } from "./define-search.ts";
import { searchDissolvedCompanies } from "./dissolved-companies.ts";
import { searchDisqualifiedOfficers, searchOfficers, searchPersonsWithSignificantControl } from "./people.ts";
import { suggestCompanies } from "./suggest-companies.ts";

// The cast: each search takes the type of its own parameters, and receives only values that were checked against them.
export const searches = [
  searchAll,
  searchCompanies,
  searchOfficers,
  searchDisqualifiedOfficers,
  searchPersonsWithSignificantControl,
  searchAlphabeticalCompanies,
  searchDissolvedCompanies,
  searchAdvancedCompanies,
  suggestCompanies,
  checkNameAvailability,
] as unknown as SearchDefinition[];

export const downloads = [downloadCompanies] as unknown as DownloadDefinition[];

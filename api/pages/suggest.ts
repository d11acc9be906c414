/** Owns suggestions while a visitor types: a few names of the kind that the search box is for. */
import type { Found } from "./answers.ts";
import { addressOfFound } from "./addresses.ts";
import type { Ask } from "./define-page.ts";
import type { Kind } from "./kinds.ts";
import { describeFound, wordsOf } from "./words.ts";

/** Suggestions; more would hide the page. */
const SIZE = 7;

export interface Suggestion {
  name: string;
  /** A few words that tell it from others of its name. */
  facts: string;
  /** Its page, relative to the root. */
  to: string;
}

/** Fetches suggestions. Of all kinds together they are companies, which have a search for names that are being typed. */
export async function fetchSuggestions(ask: Ask, { search }: Kind, q: string): Promise<Suggestion[]> {
  const isOfCompanies = search === "search-all" || search === "search-companies";
  const found = await ask(isOfCompanies ? "suggest-companies" : search, { q, items_per_page: String(SIZE) });
  return (found?.items ?? []).map(isOfCompanies ? suggestCompany : suggestPerson);
}

function suggestCompany(found: Found): Suggestion {
  const { title, snippet, company_number: number = "", company_status: status } = found;
  const standing = status && status !== "active" ? wordsOf("company_status", status) : "";
  return {
    name: snippet ? `${title} (${snippet})` : title,
    facts: [number, standing].filter(Boolean).join(" · "),
    to: addressOfFound(found).slice(1),
  };
}

function suggestPerson(found: Found): Suggestion {
  const facts = describeFound(found.description) || (found.address_snippet ?? "");
  return { name: found.title, facts, to: addressOfFound(found).slice(1) };
}

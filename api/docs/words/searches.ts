/** Owns the descriptions of the members of search answers, besides those of the resources they find. */

/** Descriptions by member. */
export const searchWords: Readonly<Record<string, string>> = {
  page_number: "Number of the page, counted from 1.",
  top_hit: "The best result, or the nearest in the alphabet.",
  address_snippet: "The address on one line.",
  appointment_count: "Number of appointments of the officer, past and present.",
  description_identifier: "Code of the words in `description`.",
  description_identifiers: "Codes of the words in `description`.",
  ordered_alpha_key_with_id:
    "Place of the company in the alphabet; send it as `search_above` or `search_below`.",
  matched_previous_company_name: "The previous name that answers the query.",
};

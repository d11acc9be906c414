/** The query in the spelling of the name that it nearly matched. */
import { expect, test } from "@jest/globals";
import { correctQuery } from "../../../api/search/answers/explain.ts";
import { companyQueryForms } from "../../../api/search/answers/name-forms.ts";
import { companyHit } from "../../support/company-searches.ts";

function suggest(q: string, name: string): string | undefined {
  return correctQuery(
    { phase: "tolerant", total: 1, hits: [companyHit({ company_name: name })] },
    () => ({ tier: 11, reason: "near-spelling", name, name_type: "current" }),
    () => companyQueryForms(q),
  );
}

test.each([
  ["12 Qerngate Mills", "12 QUERNGATE MILLS LTD", "12 QUERNGATE MILLS"],
  ["1 Querngate Mills", "QUERNGATE MILLS LTD", undefined],
  ["Quern gate Mills", "1 QUERNGATE MILLS LTD", undefined],
  ["Quern gate Mills", "QUERNGATE MILLS LTD", "QUERNGATE MILLS"],
])("suggests no name that lacks a number of %s, or adds one: %s", (q, name, suggestion) => {
  expect(suggest(q, name)).toBe(suggestion);
});

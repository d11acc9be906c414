/** The names that the specification (part 2.5) and the original's documents give to resources, in kebab form. */
import { describe, expect, it } from "@jest/globals";
import { resources } from "../../../api/resources/index.ts";
import { searches } from "../../../api/search/index.ts";

const COMPANY = "/company/:company_number";
const PSC = `${COMPANY}/persons-with-significant-control`;

const NAMES: Record<string, string[]> = {
  [COMPANY]: ["company-profile"],
  [`${COMPANY}/registered-office-address`]: ["registered-office-address"],
  [`${COMPANY}/officers`]: ["officer-list"],
  [`${COMPANY}/appointments/:appointment_id`]: ["officer-summary", "officer-appointment"],
  [`${COMPANY}/registers`]: ["registers", "company-register", "company-registers"],
  [`${COMPANY}/filing-history`]: ["filing-history-list"],
  [`${COMPANY}/filing-history/:transaction_id`]: ["filing-history-item"],
  [`${COMPANY}/exemptions`]: ["company-exemptions"],
  [`${COMPANY}/charges`]: ["charge-list"],
  [`${COMPANY}/charges/:charge_id`]: ["charge-details"],
  [`${COMPANY}/insolvency`]: ["company-insolvency"],
  [`${COMPANY}/uk-establishments`]: ["company-uk-establishments"],
  [PSC]: ["list"],
  [`${PSC}/individual/:notification_id`]: ["individual"],
  [`${PSC}/individual-beneficial-owner/:notification_id`]: ["individual", "individual-beneficial-owner"],
  [`${PSC}/corporate-entity/:notification_id`]: ["corporate-entity"],
  [`${PSC}/corporate-entity-beneficial-owner/:notification_id`]: [
    "corporate-entity",
    "corporate-entity-beneficial-owner",
  ],
  [`${PSC}/legal-person/:notification_id`]: ["legal-person"],
  [`${PSC}/legal-person-beneficial-owner/:notification_id`]: [
    "legal-person",
    "legal-person-beneficial-owner",
  ],
  [`${PSC}/super-secure/:super_secure_id`]: ["super-secure"],
  [`${PSC}/super-secure-beneficial-owner/:super_secure_id`]: [
    "super-secure",
    "super-secure-beneficial-owner",
  ],
  [`${PSC}-statements`]: ["statement-list"],
  [`${PSC}-statements/:statement_id`]: ["statement"],
  "/persons-with-significant-control/:psc_id/notifications": ["notification-list"],
  "/officers/:officer_id/appointments": ["appointment-list"],
  "/disqualified-officers/natural/:officer_id": ["natural-disqualification"],
  "/disqualified-officers/corporate/:officer_id": ["corporate-disqualification"],
  "/search": ["search"],
  "/search/companies": ["company-search"],
  "/search/officers": ["officer-search"],
  "/search/disqualified-officers": ["disqualified-officer-search"],
  "/dissolved-search/companies": ["search-result"],
  "/alphabetical-search/companies": ["search-result"],
  "/advanced-search/companies": ["search-result"],
};

describe.each(Object.entries(NAMES))("the media types of %s", (path, names) => {
  const definition = [...resources, ...searches].find((candidate) => candidate.path === path);

  it.each(names)("may name it %s", (name) => {
    expect([definition?.name, ...(definition?.aliases ?? [])]).toContain(name);
  });
});

it.each([...resources, ...searches].map((definition) => [definition.name, definition] as const))(
  "the aliases of %s are resource names other than its own, each once",
  (name, { aliases = [] }) => {
    const names = [name, ...aliases];
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((word) => !/^[a-z]+(-[a-z]+)*$/.test(word))).toEqual([]);
  },
);

/** Owns the life of a company: dated events, collected from its records. Pure. */
import type {
  Charge,
  Charges,
  Company,
  Controllers,
  Filing,
  Filings,
  Insolvency,
  Officers,
} from "../answers/index.ts";
import { pageOf } from "../addresses.ts";
import { describeFiling, showDate, wordsOf } from "../words.ts";

/** An event. */
export interface Happening {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Its kind, which decides its mark. */
  kind: "company" | "name" | "people" | "control" | "charge" | "insolvency" | "filing";
  words: string;
  /** The person, body or thing concerned. */
  who?: string | undefined;
  /** Their page. */
  to?: string | undefined;
}

/** The records that it is collected from; null when unknown. */
export interface Life {
  company: Company;
  officers: Officers | null;
  controllers: Controllers | null;
  charges: Charges | null;
  insolvency: Insolvency | null;
  filings: Filings | null;
}

/**
 * The categories of filings that are events of their own. Of the others, the events of people, charges, names and insolvency
 * are in their own records, and confirmation statements come every year.
 */
export const TOLD_FILINGS: readonly string[] = [
  "accounts",
  "address",
  "capital",
  "change-of-constitution",
  "court-order",
  "dissolution",
  "gazette",
  "reregistration",
  "resolution",
  "restoration",
];

/** Everything with a date, the latest first. */
export function gatherLife({
  company,
  officers,
  controllers,
  charges,
  insolvency,
  filings,
}: Life): Happening[] {
  const all = [
    ...ofCompany(company),
    ...(officers?.items ?? []).flatMap(({ name: who, officer_role, links, ...at }) => {
      const role = wordsOf("officer_role", officer_role).toLowerCase();
      const about = { kind: "people" as const, who, to: pageOf(links.officer?.appointments) };
      return [
        at.appointed_on && { day: at.appointed_on, words: `Appointed as ${role}`, ...about },
        at.resigned_on && { day: at.resigned_on, words: `Resigned as ${role}`, ...about },
      ];
    }),
    ...(controllers?.items ?? []).flatMap(({ name: who, links, notified_on: from, ceased_on: until }) => {
      const to = pageOf(links.persons_with_significant_control?.notifications);
      const about = { kind: "control" as const, who, to };
      return [
        from && { day: from, words: "Took control", ...about },
        until && { day: until, words: "Gave up control", ...about },
      ];
    }),
    ...(charges?.items ?? []).flatMap(ofCharge),
    ...(filings?.items ?? []).map(ofFiling),
    ...(insolvency?.cases ?? []).flatMap(({ type, dates }) =>
      dates.map(({ type: date, date: day }) => ({
        ...{ day, kind: "insolvency" as const, who: wordsOf("insolvency_case_type", type) },
        words: wordsOf("insolvency_case_date_type", date),
      })),
    ),
  ];
  const happened = all.filter((one): one is Happening => Boolean(one));
  return happened.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

function ofCompany({ company_status, ...company }: Company): (Happening | "" | undefined)[] {
  const { date_of_creation: born, date_of_cessation: ended, previous_company_names: names = [] } = company;
  return [
    born && { day: born, kind: "company", words: "Incorporated" },
    ended && {
      day: ended,
      kind: "company",
      words: company_status === "dissolved" ? "Dissolved" : "Ended",
    },
    ...names.map(({ name, ceased_on: day }): Happening | undefined =>
      day === undefined ? undefined : { day, kind: "name", words: "Gave up the name", who: name },
    ),
  ];
}

function ofCharge({
  classification,
  persons_entitled: persons = [],
  ...at
}: Charge): (Happening | "" | undefined)[] {
  const about = {
    kind: "charge" as const,
    who: persons.map(({ name }) => name).join("; ") || classification.description,
  };
  return [
    at.created_on && { day: at.created_on, words: "Charge created", ...about },
    at.satisfied_on && { day: at.satisfied_on, words: "Charge satisfied", ...about },
  ];
}

function ofFiling(filing: Filing): Happening | undefined {
  const { made_up_date: until, new_address: address } = filing.description_values ?? {};
  const to = typeof until === "string" ? `to ${showDate(until)}` : address;
  const about = { kind: "filing" as const, who: typeof to === "string" ? to : undefined };
  return filing.date === undefined
    ? undefined
    : { day: filing.date, words: describeFiling(filing), ...about };
}

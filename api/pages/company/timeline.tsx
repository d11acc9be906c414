/** Owns the timeline of a company: dated events from its records, by year, the latest first. */
import { Link } from "../layout.tsx";
import { Day } from "../parts/facts.tsx";
import { defineSection } from "./frame.tsx";
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

// Limit: records of each kind that are read; the lists of the API have no longer page.
const MOST = 100;

export const timelinePage = defineSection("timeline", async ({ ask }, company) => {
  const { company_number } = company;
  const page = { company_number, items_per_page: String(MOST) };
  const [officers, controllers, charges, filings, insolvency] = await Promise.all([
    ask("officer-list", page),
    ask("psc-list", page),
    ask("charge-list", page),
    ask("filing-history", { ...page, category: TOLD_FILINGS }),
    ask("insolvency", { company_number }),
  ]);
  const happenings = gatherLife({ company, officers, controllers, charges, filings, insolvency });
  const cut = describeCut({
    officers: officers?.total_results,
    controllers: controllers?.total_results,
    charges: charges?.total_count,
    filings: filings?.total_count,
  });
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">What happened, the latest first</h2>
      {cut === "" ? null : <p>Not everything is shown here: only {cut}.</p>}
      {happenings.length === 0 ? <p class="nothing">No dates are known of this company.</p> : null}
      {byYear(happenings).map(([year, ofYear]) => (
        <section class="year" aria-labelledby={`y${year}`}>
          <h3 id={`y${year}`}>{year}</h3>
          <ol>
            {ofYear.map((one) => (
              <Entry of={one} />
            ))}
          </ol>
        </section>
      ))}
    </section>
  );
});

/** The lists of which not all was read: `100 of 312 filings`. */
function describeCut(totals: Record<string, number | undefined>): string {
  return Object.entries(totals)
    .filter(([, total = 0]) => total > MOST)
    .map(([what, total]) => `${MOST} of ${total?.toLocaleString("en-GB")} ${what}`)
    .join(", ");
}

function Entry({ of: { day, kind, words, who, to } }: { of: Happening }) {
  return (
    <li class={kind}>
      <Day of={day} />
      <span>
        {words}
        {who ? ": " : ""}
        {who && to ? <Link to={to}>{who}</Link> : who}
      </span>
    </li>
  );
}

function byYear(happenings: readonly Happening[]): [string, Happening[]][] {
  const years = new Map<string, Happening[]>();
  for (const one of happenings) {
    const year = one.day.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), one]);
  }
  return [...years];
}

/** An event. */
interface Happening {
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
interface Life {
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
const TOLD_FILINGS: readonly string[] = [
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

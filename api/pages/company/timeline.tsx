/** The timeline of a company: dated events from its records, by year, latest first. */
import { Link } from "../layout.tsx";
import { Day, Section } from "../parts/facts.tsx";
import { defineSection } from "./frame.tsx";
import type { CompanyInsolvency } from "../../resources/insolvency/index.ts";
import type { Charges, Company, Controllers, Filing, Filings, Officers } from "../answers.ts";
import { isTooLate } from "../../shared/values/dates.ts";
import { pageOf } from "../addresses.ts";
import { describeFiling, showDate, wordsOf } from "../words.ts";

// Limit: most records read of each kind, which is the longest page of the API's lists.
const MOST = 100;

// The categories of filings that are events of their own. Others repeat records that are shown anyway (people, charges,
// names, insolvency), or are confirmation statements, which come every year.
const SHOWN_FILINGS = [
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

export const timelinePage = defineSection("timeline", async ({ ask }, company) => {
  const { company_number } = company;
  const page = { company_number, items_per_page: String(MOST) };
  const [officers, controllers, charges, filings, insolvency] = await Promise.all([
    ask("officer-list", page),
    ask("psc-list", page),
    ask("charge-list", page),
    ask("filing-history", { ...page, category: SHOWN_FILINGS }),
    ask("insolvency", { company_number }),
  ]);
  const events = gatherLife({ company, officers, controllers, charges, filings, insolvency });
  const years = new Set(events.map(({ day }) => day.slice(0, 4)));
  const cut = describeCut({
    officers: officers?.total_results,
    controllers: controllers?.total_results,
    charges: charges?.total_count,
    filings: filings?.total_count,
  });
  return (
    <Section id="timeline" title="What happened, the latest first">
      {cut === "" ? null : <p>Not everything is shown here: only {cut}.</p>}
      {events.length === 0 ? <p class="nothing">No dated events are known for this company.</p> : null}
      {[...years].map((year) => (
        <section class="year" aria-labelledby={`y${year}`}>
          <h3 id={`y${year}`}>{year}</h3>
          <ol>
            {events
              .filter(({ day }) => day.startsWith(year))
              .map((one) => (
                <Entry of={one} />
              ))}
          </ol>
        </section>
      ))}
    </Section>
  );
});

/** Names the lists that were read only in part: `100 of 312 filings`. */
function describeCut(totals: Record<string, number | undefined>): string {
  return Object.entries(totals)
    .filter(([, total = 0]) => total > MOST)
    .map(([what, total]) => `${MOST} of ${total?.toLocaleString("en-GB")} ${what}`)
    .join(", ");
}

function Entry({ of: { day, kind, words, who, to } }: { of: TimelineEvent }) {
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

interface TimelineEvent {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Decides the colour of the event's mark. */
  kind: "company" | "name" | "people" | "control" | "charge" | "insolvency" | "filing";
  words: string;
  /** The person, body or thing concerned. */
  who?: string | undefined;
  to?: string | undefined;
}

/** The records from which events are collected; null if unknown. */
interface Life {
  company: Company;
  officers: Officers | null;
  controllers: Controllers | null;
  charges: Charges | null;
  insolvency: CompanyInsolvency | null;
  filings: Filings | null;
}

/** All events with a date, latest first. */
export function gatherLife(life: Life): TimelineEvent[] {
  const all = [...ofCompany(life.company), ...ofPeople(life), ...ofRecords(life)];
  return all.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

function ofCompany({
  company_status,
  previous_company_names: names = [],
  ...company
}: Company): TimelineEvent[] {
  const end = company_status === "dissolved" ? "Dissolved" : "Ended";
  return [
    ...eventsOf(
      { kind: "company" },
      [company.date_of_creation, "Incorporated"],
      [company.date_of_cessation, end],
    ),
    ...names.flatMap(({ name: who, ceased_on }) =>
      eventsOf({ kind: "name", who }, [ceased_on, "Gave up the name"]),
    ),
  ];
}

function ofPeople({ officers, controllers }: Life): TimelineEvent[] {
  return [
    ...(officers?.items ?? []).flatMap(({ name: who, officer_role, links, appointed_on, resigned_on }) => {
      const role = wordsOf("officer_role", officer_role).toLowerCase();
      const about = { kind: "people", who, to: pageOf(links.officer?.appointments) } as const;
      return eventsOf(about, [appointed_on, `Appointed as ${role}`], [resigned_on, `Resigned as ${role}`]);
    }),
    ...(controllers?.items ?? []).flatMap(({ name: who, links, notified_on: from, ceased_on: until }) => {
      const to = pageOf(links.persons_with_significant_control?.notifications);
      return eventsOf({ kind: "control", who, to }, [from, "Control notified"], [until, "Control ceased"]);
    }),
  ];
}

function ofRecords({ charges, filings, insolvency }: Life): TimelineEvent[] {
  return [
    ...(charges?.items ?? []).flatMap(
      ({ classification, persons_entitled = [], created_on, delivered_on, satisfied_on }) => {
        const who = persons_entitled.map(({ name }) => name).join("; ") || classification?.description;
        return eventsOf(
          { kind: "charge", who },
          // Another company created a charge without a creation date; it came with a property that this one acquired.
          created_on ? [created_on, "Charge created"] : [delivered_on, "Charge registered"],
          [satisfied_on, "Charge satisfied"],
        );
      },
    ),
    ...(filings?.items ?? []).flatMap((filing) =>
      eventsOf({ kind: "filing", who: subjectOf(filing) }, [filing.date, describeFiling(filing)]),
    ),
    ...(insolvency?.cases ?? []).flatMap(({ type, dates }) => {
      const about = { kind: "insolvency", who: wordsOf("insolvency_case_type", type) } as const;
      return dates.flatMap((one) =>
        eventsOf(about, [one.date, wordsOf("insolvency_case_date_type", one.type)]),
      );
    }),
  ];
}

/** Makes the events of one subject. Events without a day, or with an impossible one such as 9999, are omitted. */
function eventsOf(
  about: Pick<TimelineEvent, "kind" | "who" | "to">,
  ...dated: [day: string | undefined, words: string][]
): TimelineEvent[] {
  return dated.flatMap(([day, words]) => (day && !isTooLate(day) ? [{ day, words, ...about }] : []));
}

function subjectOf({ description_values: values = {} }: Filing): string | undefined {
  const { made_up_date: until, new_address: address } = values;
  const subject = typeof until === "string" ? `to ${showDate(until)}` : address;
  return typeof subject === "string" ? subject : undefined;
}

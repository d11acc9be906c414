/** Owns the timeline of a company: its events by year, the latest first. */
import { Link } from "../layout.tsx";
import { Day } from "../parts/facts.tsx";
import { defineSection } from "./frame.tsx";
import { gatherLife, TOLD_FILINGS, type Happening } from "./life.ts";

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

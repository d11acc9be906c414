/** Owns the timeline of a company: its events by year, the latest first. */
import { Link } from "../layout.tsx";
import { Day } from "../parts/facts.tsx";
import { defineSection } from "./frame.tsx";
import { gatherLife, type Happening } from "./life.ts";

// Limit: records of each kind that are read; the lists of the API have no longer page.
const MOST = 100;

export const timelinePage = defineSection("timeline", async ({ ask }, company) => {
  const { company_number } = company;
  const page = { company_number, items_per_page: String(MOST) };
  const [officers, controllers, charges, insolvency] = await Promise.all([
    ask("officer-list", page),
    ask("psc-list", page),
    ask("charge-list", page),
    ask("insolvency", { company_number }),
  ]);
  const happenings = gatherLife({ company, officers, controllers, charges, insolvency });
  const isCut = [officers?.total_results, controllers?.total_results, charges?.total_count].some(
    (total = 0) => total > MOST,
  );
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">What happened, the latest first</h2>
      {isCut ? <p>Of people and charges the first {MOST} of each list are shown here.</p> : null}
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

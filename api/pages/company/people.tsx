/** Owns the people of a company: its officers, and those that control it, with its statements and exemptions. */
import type { Controllers, Officers } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { ControllerCard, OfficerCard } from "../parts/appointments.tsx";
import { AsOf, Cards, Day, Nothing, Section } from "../parts/facts.tsx";
import { Paged, Pager, rowsOf } from "../parts/pager.tsx";
import { countOf, spellOut, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

// Rows of a page.
const OFFICERS = 35;
const CONTROLLERS = 25;

export const peoplePage = defineSection("people", async ({ ask, query }, { company_number }) => {
  const list = await ask("officer-list", { company_number, ...rowsOf(query, OFFICERS) });
  if (!list || list.items.length === 0) return <Nothing what="officers" coverage={list?.coverage} />;
  const { total_results: total, coverage } = list;
  const pager = { path: companyAddress(company_number, "people"), query, size: OFFICERS, total };
  return (
    <Paged id="people" title={countOfficers(list)} {...pager} coverage={coverage}>
      <Cards of={list.items} show={OfficerCard} />
    </Paged>
  );
});

/** A company that has ended has no serving officers, but may have some who never resigned. */
function countOfficers(list: Officers): string {
  const { active_count: active, inactive_count: inactive = 0, resigned_count: resigned } = list;
  const serving =
    inactive > 0 ? `${countOf(inactive, "officer")} at its end` : countOf(active, "serving officer");
  return `${serving}, ${resigned.toLocaleString("en-GB")} resigned`;
}

export const controlPage = defineSection("control", async ({ ask, query }, { company_number }) => {
  const [list, statements, exemptions] = await Promise.all([
    ask("psc-list", { company_number, ...rowsOf(query, CONTROLLERS) }),
    ask("psc-statement-list", { company_number }),
    ask("exemptions", { company_number }),
  ]);
  const items = list?.items ?? [];
  const pager = { path: companyAddress(company_number, "control"), query, size: CONTROLLERS };
  const stated = (statements?.items ?? []).map(({ statement, notified_on, ceased_on }): Stated => ({
    words: wordsOf("psc_statement", statement),
    periods: [[notified_on, ceased_on]],
  }));
  const exempt = Object.values(exemptions?.exemptions ?? {}).map(
    ({ exemption_type, items: periods }): Stated => ({
      words: spellOut(exemption_type),
      periods: periods.map(({ exempt_from, exempt_to }) => [exempt_from, exempt_to]),
    }),
  );
  return (
    <>
      <Section id="control" title={countControllers(list)}>
        {items.length > 0 ? (
          <Cards of={items} show={ControllerCard} />
        ) : (
          <Nothing what="persons with significant control" coverage={list?.coverage} />
        )}
        <Pager {...pager} total={list?.total_results ?? 0} />
      </Section>
      <Statements id="statements" title="What the company has stated" of={stated} />
      <Statements id="exemptions" title="Exemptions" of={exempt} />
      <AsOf coverage={list?.coverage} />
    </>
  );
});

function countControllers(list: Controllers | null): string {
  if (!list || list.items.length === 0) return "Persons with significant control";
  const active = countOf(list.active_count, "person", "persons");
  return `${active} with significant control, ${list.ceased_count.toLocaleString("en-GB")} ceased`;
}

interface Stated {
  words: string;
  periods: [from: string | undefined, until: string | undefined][];
}

function Statements({ id, title, of }: { id: string; title: string; of: Stated[] }) {
  if (of.length === 0) return null;
  return (
    <Section id={id} title={title}>
      <ul class="plain">
        {of.map(({ words, periods }) => (
          <li>
            {words}
            {periods.map(([from, until]) => (
              <Period from={from} until={until} />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Period({ from, until }: { from: string | undefined; until: string | undefined }) {
  return (
    <>
      <br />
      <small>
        since <Day of={from} />
        {until ? (
          <>
            {" "}
            until <Day of={until} />
          </>
        ) : null}
      </small>
    </>
  );
}

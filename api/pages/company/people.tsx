/** The people of a company: its officers; and its persons with control, with statements and exemptions. */
import type { Answers, Controllers, Officers } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { AppointmentCard, ControlCard } from "../parts/appointments.tsx";
import { AsOf, Cards, Nothing, Period, Section } from "../parts/facts.tsx";
import { Paged, Pager, rowsOf } from "../parts/pager.tsx";
import { countOf, spellOut, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

// Rows per page.
const OFFICERS = 35;
const CONTROLLERS = 25;
// Limit: the longest page of the API's list. If there are more statements, the page says how many are not shown.
const STATEMENTS = 100;

export const peoplePage = defineSection("people", async ({ ask, query }, { company_number }) => {
  const list = await ask("officer-list", { company_number, ...rowsOf(query, OFFICERS) });
  if (!list || list.total_results === 0) return <Nothing what="officers" coverage={list?.coverage} />;
  const { total_results: total, coverage } = list;
  const pager = { path: companyAddress(company_number, "people"), query, size: OFFICERS, total };
  return (
    <Paged id="people" title={countOfficers(list)} {...pager} coverage={coverage}>
      <Cards of={list.items} show={AppointmentCard} />
    </Paged>
  );
});

/** Writes the counts of officers. An ended company has no serving officers, but may have some who never resigned. */
function countOfficers(list: Officers): string {
  const { active_count: active, inactive_count: inactive = 0, resigned_count: resigned } = list;
  const serving =
    inactive > 0
      ? `${countOf(inactive, "officer")} when the company ended`
      : countOf(active, "serving officer");
  return `${serving}, ${resigned.toLocaleString("en-GB")} resigned`;
}

export const controlPage = defineSection("control", async ({ ask, query }, { company_number }) => {
  const [list, statements, exemptions] = await Promise.all([
    ask("psc-list", { company_number, ...rowsOf(query, CONTROLLERS) }),
    ask("psc-statement-list", { company_number, items_per_page: String(STATEMENTS) }),
    ask("exemptions", { company_number }),
  ]);
  const { items = [], total_results: total = 0, coverage } = list ?? {};
  const pager = { path: companyAddress(company_number, "control"), query, size: CONTROLLERS, total };
  const stated = (statements?.items ?? []).map((of): Stated => ({
    words: describeStatement(of),
    periods: [[of.notified_on, of.ceased_on]],
  }));
  const further = (statements?.total_results ?? 0) - stated.length;
  const exempt = Object.values(exemptions?.exemptions ?? {}).map(
    ({ exemption_type, items: periods }): Stated => ({
      words: spellOut(exemption_type),
      periods: periods.map(({ exempt_from, exempt_to }) => [exempt_from, exempt_to]),
    }),
  );
  return (
    <>
      <Section id="control" title={countControllers(list)}>
        {total > 0 ? (
          <Cards of={items} show={ControlCard} />
        ) : (
          <Nothing what="persons with significant control" coverage={coverage} />
        )}
        <Pager {...pager} />
      </Section>
      <Statements id="statements" title="What the company has stated" of={stated} further={further} />
      <Statements id="exemptions" title="Exemptions" of={exempt} />
      <AsOf coverage={coverage} />
    </>
  );
});

function countControllers(list: Controllers | null): string {
  if (!list || list.total_results === 0) return "Persons with significant control";
  const active = countOf(list.active_count, "person", "persons");
  return `${active} with significant control, ${list.ceased_count.toLocaleString("en-GB")} ceased`;
}

/** A statement in words, with the person that it is about and the reason why a notice was withdrawn. */
function describeStatement(of: Answers["psc-statement-list"]["items"][number]): string {
  const { statement, linked_psc_name: name, restrictions_notice_withdrawal_reason: reason } = of;
  const words = wordsOf("psc_statement", statement) + (name ? `: ${name}` : "");
  return reason ? `${words} · ${spellOut(reason)}` : words;
}

interface Stated {
  words: string;
  periods: [from: string | undefined, until: string | undefined][];
}

interface StatementsProps {
  id: string;
  title: string;
  of: Stated[];
  /** How many are not shown. */
  further?: number;
}

function Statements({ id, title, of, further = 0 }: StatementsProps) {
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
      {further > 0 ? <p>Not shown: {further.toLocaleString("en-GB")} more.</p> : null}
    </Section>
  );
}

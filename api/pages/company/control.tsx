/** Owns the people and bodies that control a company, its statements and its exemptions. */
import type { Controllers } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { ControllerCard } from "../parts/appointments.tsx";
import { AsOf, Cards, Day, Nothing, Section } from "../parts/facts.tsx";
import { Pager, rowsOf } from "../parts/pager.tsx";
import { countOf, spellOut, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 25;

export const controlPage = defineSection("control", async ({ ask, query }, { company_number }) => {
  const [list, statements, exemptions] = await Promise.all([
    ask("psc-list", { company_number, ...rowsOf(query, SIZE) }),
    ask("psc-statement-list", { company_number }),
    ask("exemptions", { company_number }),
  ]);
  const items = list?.items ?? [];
  const stated = statements?.items ?? [];
  const exempt = Object.values(exemptions?.exemptions ?? {});
  const pager = { path: companyAddress(company_number, "control"), query, size: SIZE };
  return (
    <>
      <Section id="control" title={describeCounts(list)}>
        {items.length > 0 ? (
          <Cards of={items} show={ControllerCard} />
        ) : (
          <Nothing what="persons with significant control" coverage={list?.coverage} />
        )}
        <Pager {...pager} total={list?.total_results ?? 0} />
      </Section>
      {stated.length === 0 ? null : (
        <Section id="statements" title="What the company has stated">
          <ul class="plain">
            {stated.map(({ statement, notified_on: from, ceased_on: until }) => (
              <li>
                {wordsOf("psc_statement", statement)}
                <Period from={from} until={until} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {exempt.length === 0 ? null : (
        <Section id="exemptions" title="Exemptions">
          <ul class="plain">
            {exempt.map(({ exemption_type: type, items: periods }) => (
              <li>
                {spellOut(type)}
                {periods.map(({ exempt_from: from, exempt_to: until }) => (
                  <Period from={from} until={until} />
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <AsOf coverage={list?.coverage} />
    </>
  );
});

function describeCounts(list: Controllers | null): string {
  if (!list || list.items.length === 0) return "Persons with significant control";
  const active = countOf(list.active_count, "person", "persons");
  return `${active} with significant control, ${list.ceased_count.toLocaleString("en-GB")} ceased`;
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

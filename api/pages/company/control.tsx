/** Owns the people and bodies that control a company, its statements and its exemptions. */
import type { Controllers, Exemptions, Statements } from "../answers/index.ts";
import { companyAddress } from "../addresses.ts";
import { ControllerCard } from "../parts/appointments.tsx";
import { AsOf, Day, Nothing } from "../parts/facts.tsx";
import { Pager, startOf } from "../parts/pager.tsx";
import { countOf, spellOut, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 25;

export const controlPage = defineSection("control", async ({ ask, query }, { company_number }) => {
  const page = { items_per_page: String(SIZE), start_index: startOf(query, SIZE) };
  const [list, statements, exemptions] = await Promise.all([
    ask("psc-list", { company_number, ...page }),
    ask("psc-statement-list", { company_number }),
    ask("exemptions", { company_number }),
  ]);
  const total = list?.total_results ?? 0;
  const path = companyAddress(company_number, "control");
  return (
    <>
      <section aria-labelledby="control">
        <Persons list={list} />
        <Pager path={path} query={query} size={SIZE} total={total} reach={total} />
      </section>
      <Stated statements={statements} />
      <Exempt exemptions={exemptions} />
      <AsOf coverage={list?.coverage} />
    </>
  );
});

function Persons({ list }: { list: Controllers | null }) {
  if (!list || list.items.length === 0) {
    return (
      <>
        <h2 id="control">Persons with significant control</h2>
        <Nothing what="persons with significant control" coverage={list?.coverage} />
      </>
    );
  }
  const { items, active_count: active, ceased_count: ceased } = list;
  return (
    <>
      <h2 id="control">
        {countOf(active, "person", "persons")} with significant control, {ceased.toLocaleString("en-GB")}{" "}
        ceased
      </h2>
      <div class="cards">
        {items.map((controller) => (
          <ControllerCard of={controller} isOfCompany />
        ))}
      </div>
    </>
  );
}

function Stated({ statements }: { statements: Statements | null }) {
  if (!statements || statements.items.length === 0) return null;
  return (
    <section aria-labelledby="statements">
      <h2 id="statements">What the company has stated</h2>
      <ul class="plain">
        {statements.items.map(({ statement, notified_on: from, ceased_on: until }) => (
          <li>
            {wordsOf("psc_statement", statement)}
            <br />
            <Period from={from} until={until} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Exempt({ exemptions }: { exemptions: Exemptions | null }) {
  const kinds = Object.values(exemptions?.exemptions ?? {});
  if (kinds.length === 0) return null;
  return (
    <section aria-labelledby="exemptions">
      <h2 id="exemptions">Exemptions</h2>
      <ul class="plain">
        {kinds.map(({ exemption_type: type, items }) => (
          <li>
            {spellOut(type)}
            {items.map(({ exempt_from: from, exempt_to: until }) => (
              <>
                <br />
                <Period from={from} until={until} />
              </>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Period({ from, until }: { from: string; until: string | undefined }) {
  return (
    <small>
      since <Day of={from} />
      {until ? (
        <>
          {" "}
          until <Day of={until} />
        </>
      ) : null}
    </small>
  );
}

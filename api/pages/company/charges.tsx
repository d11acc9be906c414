/** Owns the charges over a company's property, latest first. */
import type { Charge } from "../answers/index.ts";
import { companyAddress } from "../addresses.ts";
import { AsOf, Day, Facts, Nothing } from "../parts/facts.tsx";
import { Pager, startOf } from "../parts/pager.tsx";
import { countOf, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 25;
// Satisfied charges have ended; the others are still in force.
const OVER = ["fully-satisfied", "satisfied"];

export const chargesPage = defineSection("charges", async ({ ask, query }, { company_number }) => {
  const page = { items_per_page: String(SIZE), start_index: startOf(query, SIZE) };
  const list = await ask("charge-list", { company_number, ...page });
  if (!list || list.items.length === 0) return <Nothing what="charges" coverage={list?.coverage} />;
  const { items, total_count: total, satisfied_count: satisfied, part_satisfied_count: partly } = list;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">
        {countOf(total, "charge")}, {satisfied} satisfied
        {partly > 0 ? `, ${partly} in part` : ""}
      </h2>
      <div class="cards">
        {items.map((charge) => (
          <ChargeCard of={charge} />
        ))}
      </div>
      <Pager
        path={companyAddress(company_number, "charges")}
        query={query}
        size={SIZE}
        total={total}
        reach={total}
      />
      <AsOf coverage={list.coverage} />
    </section>
  );
});

function ChargeCard({ of: charge }: { of: Charge }) {
  const { persons_entitled: persons = [], more_than_four_persons_entitled: areMore } = charge;
  const names = persons.map(({ name }) => name).join("; ");
  const isOver = OVER.includes(charge.status);
  return (
    <article class={isOver ? "card over" : "card"} id={charge.id}>
      <h3>{charge.classification.description}</h3>
      <p class="tags">
        <span class="number">{charge.charge_code ?? charge.charge_number}</span>
        <span class={isOver ? "status over" : "status trouble"}>
          {wordsOf("charge_status", charge.status)}
        </span>
      </p>
      <Facts
        class="short"
        of={[
          ["Entitled", names && `${names}${areMore ? " and others" : ""}`],
          ["Created", charge.created_on && <Day of={charge.created_on} />],
          ["Acquired", charge.acquired_on && <Day of={charge.acquired_on} />],
          ["Registered", charge.delivered_on && <Day of={charge.delivered_on} />],
          ["Satisfied", charge.satisfied_on && <Day of={charge.satisfied_on} />],
          ["Secures", charge.secured_details?.description],
          ["Covers", charge.particulars?.description],
        ]}
      />
    </article>
  );
}

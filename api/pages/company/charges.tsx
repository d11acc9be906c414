/** Owns the charges over a company's property, latest first. */
import type { Charge } from "../../resources/charge/members.ts";
import { companyAddress } from "../addresses.ts";
import { Cards, day, Facts, Nothing } from "../parts/facts.tsx";
import { Paged, rowsOf } from "../parts/pager.tsx";
import { countOf, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 25;
// Satisfied charges have ended; the others are still in force.
const OVER = ["fully-satisfied", "satisfied"];

export const chargesPage = defineSection("charges", async ({ ask, query }, { company_number }) => {
  const list = await ask("charge-list", { company_number, ...rowsOf(query, SIZE) });
  if (!list || list.items.length === 0) return <Nothing what="charges" coverage={list?.coverage} />;
  const { items, total_count: total, satisfied_count: satisfied, part_satisfied_count: partly } = list;
  const title = `${countOf(total, "charge")}, ${satisfied} satisfied${partly > 0 ? `, ${partly} in part` : ""}`;
  const pager = { path: companyAddress(company_number, "charges"), query, size: SIZE, total };
  return (
    <Paged id="charges" title={title} {...pager} coverage={list.coverage}>
      <Cards of={items} show={ChargeCard} />
    </Paged>
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
          ["Created", day(charge.created_on)],
          ["Acquired", day(charge.acquired_on)],
          ["Registered", day(charge.delivered_on)],
          ["Satisfied", day(charge.satisfied_on)],
          ["Secures", charge.secured_details?.description],
          ["Covers", charge.particulars?.description],
        ]}
      />
    </article>
  );
}

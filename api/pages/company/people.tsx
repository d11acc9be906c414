/** Owns the officers of a company, serving ones first. */
import { companyAddress } from "../addresses.ts";
import { OfficerCard } from "../parts/appointments.tsx";
import { AsOf, Nothing } from "../parts/facts.tsx";
import { Pager, startOf } from "../parts/pager.tsx";
import { countOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 35;

export const peoplePage = defineSection("people", async ({ ask, query }, { company_number }) => {
  const asked = { company_number, items_per_page: String(SIZE), start_index: startOf(query, SIZE) };
  const list = await ask("officer-list", asked);
  if (!list || list.items.length === 0) return <Nothing what="officers" coverage={list?.coverage} />;
  const { items, active_count: active, resigned_count: resigned, total_results: total } = list;
  const path = companyAddress(company_number, "people");
  return (
    <section aria-labelledby="people">
      <h2 id="people">
        {countOf(active, "serving officer")}, {resigned.toLocaleString("en-GB")} resigned
      </h2>
      <div class="cards">
        {items.map((officer) => (
          <OfficerCard of={officer} />
        ))}
      </div>
      <Pager path={path} query={query} size={SIZE} total={total} reach={total} />
      <AsOf coverage={list.coverage} />
    </section>
  );
});

/** Owns the officers of a company, serving ones first. */
import type { Officers } from "../answers/index.ts";
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
  const { items, total_results: total } = list;
  const path = companyAddress(company_number, "people");
  return (
    <section aria-labelledby="people">
      <h2 id="people">{describeCounts(list)}</h2>
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

/** A company that has ended has no serving officers, but may have some who never resigned. */
function describeCounts({
  active_count: active,
  inactive_count: inactive = 0,
  resigned_count: resigned,
}: Officers) {
  const serving =
    inactive > 0 ? `${countOf(inactive, "officer")} at its end` : countOf(active, "serving officer");
  return `${serving}, ${resigned.toLocaleString("en-GB")} resigned`;
}

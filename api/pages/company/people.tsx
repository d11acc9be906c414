/** Owns the officers of a company, serving ones first. */
import type { Officers } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { OfficerCard } from "../parts/appointments.tsx";
import { Cards, Nothing } from "../parts/facts.tsx";
import { Paged, rowsOf } from "../parts/pager.tsx";
import { countOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

const SIZE = 35;

export const peoplePage = defineSection("people", async ({ ask, query }, { company_number }) => {
  const list = await ask("officer-list", { company_number, ...rowsOf(query, SIZE) });
  if (!list || list.items.length === 0) return <Nothing what="officers" coverage={list?.coverage} />;
  const pager = { path: companyAddress(company_number, "people"), query, size: SIZE };
  return (
    <Paged
      id="people"
      title={describeCounts(list)}
      {...pager}
      total={list.total_results}
      coverage={list.coverage}
    >
      <Cards of={list.items} show={OfficerCard} />
    </Paged>
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

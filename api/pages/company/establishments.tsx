/** Owns the UK establishments of an overseas company. */
import { Companies } from "../parts/companies.tsx";
import { Nothing, Section } from "../parts/facts.tsx";
import { countOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

export const establishmentsPage = defineSection("establishments", async ({ ask }, { company_number }) => {
  const list = await ask("uk-establishments", { company_number });
  if (!list || list.items.length === 0) return <Nothing what="UK establishments" coverage={list?.coverage} />;
  return (
    <Section id="establishments" title={countOf(list.items.length, "establishment")}>
      <Companies of={list.items} isShort />
    </Section>
  );
});

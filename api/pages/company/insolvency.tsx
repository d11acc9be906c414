/** Owns the insolvency of a company: its cases, their dates and practitioners. */
import type { Child } from "hono/jsx";
import type { CompanyInsolvency } from "../../resources/insolvency/record.ts";
import { Address, Cards, day, Day, Facts, Section } from "../parts/facts.tsx";
import { countOf, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

export const insolvencyPage = defineSection("insolvency", async ({ ask }, { company_number }) => {
  const [insolvency, coverage] = await Promise.all([
    ask("insolvency", { company_number }),
    ask("coverage", {}),
  ]);
  if (!insolvency || insolvency.cases.length === 0) {
    const loaded = coverage?.items.find(({ record }) => record === "insolvency")?.loaded ?? "none";
    return <p class="nothing">{loaded === "none" ? NOT_LOADED : NONE}</p>;
  }
  return (
    <Section id="insolvency" title={countOf(insolvency.cases.length, "case")}>
      <Cards of={insolvency.cases} show={Case} />
    </Section>
  );
});

const NOT_LOADED = "No insolvency is known: none have been loaded into this register.";
const NONE = "No insolvency of this company is known.";

type Case = CompanyInsolvency["cases"][number];

function Case({ of: { type, number, dates, practitioners } }: { of: Case }) {
  return (
    <article class="card" id={number && `case-${number}`}>
      <h3>{wordsOf("insolvency_case_type", type)}</h3>
      <Facts
        class="short"
        of={[
          ["Case", number],
          ...dates.map((one): [string, Child] => [
            wordsOf("insolvency_case_date_type", one.type),
            <Day of={one.date} />,
          ]),
        ]}
      />
      {practitioners.map((practitioner) => (
        <Practitioner of={practitioner} />
      ))}
    </article>
  );
}

function Practitioner({ of }: { of: Case["practitioners"][number] }) {
  return (
    <>
      <h4>{of.name}</h4>
      <Facts
        class="short"
        of={[
          ["Role", of.role && wordsOf("insolvency_practitioner_role", of.role)],
          ["Appointed", day(of.appointed_on)],
          ["Ceased to act", day(of.ceased_to_act_on)],
          ["Address", <Address of={of.address} isLine />],
        ]}
      />
    </>
  );
}

/** The overview of a company: its facts, the picture of who controls and runs it, its former names. */
import { describeSic } from "../../shared/values/enumerations.ts";
import type { Company } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { Address, day, Day, facts, Period, Section } from "../parts/facts.tsx";
import { drawControl, Picture } from "./picture.tsx";
import { wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

export const overviewPage = defineSection("", async (visit, company) => {
  const picture = await drawControl(visit.ask, company);
  return (
    <div class="two">
      <div>
        <About company={company} />
        <Due company={company} />
        <FormerNames company={company} />
      </div>
      <Picture of={picture} company={company} />
    </div>
  );
});

function About({ company }: { company: Company }) {
  const { registered_office_address: address, jurisdiction, subtype, sic_codes: codes = [], links } = company;
  const doubts = [
    company.registered_office_is_in_dispute && "The registered office is in dispute.",
    company.undeliverable_registered_office_address && "Mail to the registered office does not arrive.",
  ].filter(Boolean);
  return (
    <Section id="about" title="About">
      {facts([
        ["Registered office", address && <Address of={address} />],
        ["Please note", doubts.join(" ")],
        ["Incorporated", day(company.date_of_creation)],
        [company.company_status === "dissolved" ? "Dissolved" : "Ended", day(company.date_of_cessation)],
        ["Subtype", subtype && wordsOf("company_subtype", subtype)],
        ["Registered in", jurisdiction && wordsOf("jurisdiction", jurisdiction)],
        ["Nature of business", codes.length > 0 && <Codes codes={codes} />],
        ["Parent company", links.overseas && <Parent link={links.overseas} />],
      ])}
    </Section>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <ul>
      {codes.map((code) => (
        <li>
          <span class="number">{code}</span> {describeSic(code)}
        </li>
      ))}
    </ul>
  );
}

function Parent({ link }: { link: string }) {
  const number = link.split("/").at(-1) ?? "";
  return <Link to={companyAddress(number)}>{number}</Link>;
}

/** The last accounts and confirmation, and when the next ones are due. */
function Due({ company }: { company: Company }) {
  const { last_accounts: last, next_accounts: next } = company.accounts ?? {};
  const confirmed = company.confirmation_statement ?? company.annual_return;
  if (!last?.period_end_on && !next?.due_on && !confirmed) return null;
  const type = last?.type && last.type !== "null" ? wordsOf("account_type", last.type) : "";
  return (
    <Section id="due" title="Accounts and confirmation">
      {facts([
        [
          "Last accounts",
          last?.period_end_on && (
            <>
              to <Day of={last.period_end_on} />
              {type && `, ${type.toLowerCase()}`}
            </>
          ),
        ],
        ["Next accounts", next?.due_on && <DueOn day={next.due_on} {...next} />],
        ["Last confirmed", day(confirmed?.last_made_up_to ?? company.annual_return?.last_made_up_to)],
        ["Next confirmation", confirmed?.next_due && <DueOn day={confirmed.next_due} {...confirmed} />],
      ])}
    </Section>
  );
}

function DueOn({ day, overdue = false }: { day: string; overdue?: boolean }) {
  return (
    <>
      due by <Day of={day} /> {overdue ? <span class="status trouble">Overdue</span> : null}
    </>
  );
}

function FormerNames({ company: { previous_company_names: names = [] } }: { company: Company }) {
  if (names.length === 0) return null;
  return (
    <Section id="names" title="Former names">
      <ul class="plain">
        {names.map(({ name, effective_from: from, ceased_on: until }) => (
          <li>
            {name}
            <Period from={from} until={until} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

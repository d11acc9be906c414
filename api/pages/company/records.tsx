/** The records of a company: filings and charges, latest first, insolvency cases, and UK establishments. */
import type { Child } from "hono/jsx";
import type { Charge } from "../../resources/charge/record.ts";
import type { CompanyInsolvency } from "../../resources/insolvency/index.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import type { Filing } from "../answers.ts";
import { companyAddress, pageOf } from "../addresses.ts";
import { valueOf } from "../define-page.ts";
import { Link, useAddress } from "../layout.tsx";
import { Companies } from "../parts/companies.tsx";
import { Address, Cards, day, Day, shortFacts, Nothing, Section } from "../parts/facts.tsx";
import { Paged, rowsOf } from "../parts/pager.tsx";
import { countOf, describeFiling, showDate, spellOut, wordsOf } from "../words.ts";
import { defineSection } from "./frame.tsx";

// Rows per page.
const SIZE = 25;

export const filingsPage = defineSection("filings", async ({ ask, query }, { company_number }) => {
  const category = valueOf(query, "category");
  const list = await ask("filing-history", { company_number, category, ...rowsOf(query, SIZE) });
  const { items = [], total_count: total = 0, coverage } = list ?? {};
  const path = companyAddress(company_number, "filings");
  const kind = category === "" ? "filings" : `filings of the kind “${spellOut(category).toLowerCase()}”`;
  return (
    <Paged id="filings" title={countOf(total, "filing")} {...{ path, query, size: SIZE, total, coverage }}>
      {total > 0 || category !== "" ? <Categories path={path} chosen={category} /> : null}
      {total === 0 ? <Nothing what={kind} coverage={coverage} /> : <Filings of={items} />}
    </Paged>
  );
});

function Categories({ path, chosen }: { path: string; chosen: string }) {
  return (
    <form action={useAddress(path)} method="get" class="line">
      <label for="category">Kind of filing</label>
      <select id="category" name="category">
        <option value="">All</option>
        {enumerationKeys("filing_history_category").map((category) => (
          <option value={category} selected={category === chosen}>
            {spellOut(category)}
          </option>
        ))}
      </select>
      <button type="submit">Show</button>
    </form>
  );
}

function Filings({ of }: { of: readonly Filing[] }) {
  return (
    <div class="scroll" role="region" aria-label="Filings" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Form</th>
            <th scope="col">What was filed</th>
            <th scope="col">Pages</th>
          </tr>
        </thead>
        <tbody>
          {of.map((filing) => (
            <tr>
              <td class="day">
                <Day of={filing.date} />
              </td>
              <td class="number" data-label="Form">
                {filing.type}
              </td>
              <td>
                {describeFiling(filing)}
                <ValuesOf filing={filing} />
                <PartsOf filing={filing} />
              </td>
              <td data-label={filing.pages && "Pages"}>{filing.pages}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The values of a description that are texts, such as dates and names. Lists (statements of capital) are not shown. */
function ValuesOf({ filing: { description_values: values = {} } }: { filing: Filing }) {
  const facts = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[0] !== "description" && typeof entry[1] === "string",
  );
  if (facts.length === 0) return null;
  const words = facts.map(([name, value]) => `${spellOut(name)}: ${showValue(value)}`);
  return (
    <>
      <br />
      <small>{words.join(" · ")}</small>
    </>
  );
}

/** The filings and resolutions that came with a filing, and its annotations. */
function PartsOf({ filing }: { filing: Filing }) {
  const { associated_filings: others = [], resolutions = [], annotations = [] } = filing;
  const words = [
    ...[...others, ...resolutions].map((part) => `${part.type}: ${describeFiling(part)}`),
    ...annotations.map((note) => note.annotation ?? describeFiling(note)),
  ];
  if (words.length === 0) return null;
  return (
    <>
      <br />
      <small>{words.join(" · ")}</small>
    </>
  );
}

function showValue(value: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? showDate(value) : value;
}

export const chargesPage = defineSection("charges", async ({ ask, query }, { company_number }) => {
  const list = await ask("charge-list", { company_number, ...rowsOf(query, SIZE) });
  if (!list || list.total_count === 0) return <Nothing what="charges" coverage={list?.coverage} />;
  const { items, total_count: total, satisfied_count: satisfied, part_satisfied_count: partly } = list;
  const title = `${countOf(total, "charge")}, ${satisfied} satisfied${partly > 0 ? `, ${partly} in part` : ""}`;
  const pager = { path: companyAddress(company_number, "charges"), query, size: SIZE, total };
  return (
    <Paged id="charges" title={title} {...pager} coverage={list.coverage}>
      <Cards of={items} show={ChargeCard} />
    </Paged>
  );
});

// Satisfied charges have ended; the others are still in force.
const OVER = ["fully-satisfied", "satisfied"];

function ChargeCard({ of: charge }: { of: Charge }) {
  const { persons_entitled: persons = [], more_than_four_persons_entitled: areMore } = charge;
  const names = persons.map(({ name }) => name).join("; ");
  const isOver = OVER.includes(charge.status);
  return (
    <article class={isOver ? "card over" : "card"} id={charge.id}>
      <h3>{charge.classification?.description ?? "Charge"}</h3>
      <p class="tags">
        <span class="number">{charge.charge_code ?? charge.charge_number}</span>
        <span class={isOver ? "status over" : "status trouble"}>
          {wordsOf("charge_status", charge.status)}
        </span>
      </p>
      {shortFacts([
        ["Entitled", names && `${names}${areMore ? " and others" : ""}`],
        ["Created", day(charge.created_on)],
        ["Acquired", day(charge.acquired_on)],
        ["Registered", day(charge.delivered_on)],
        ["Satisfied", day(charge.satisfied_on)],
        ["Secures", charge.secured_details?.description],
        ["Covers", charge.particulars?.description],
      ])}
    </article>
  );
}

export const insolvencyPage = defineSection("insolvency", async ({ ask }, { company_number }) => {
  const insolvency = await ask("insolvency", { company_number });
  // Without coverage: no source has the cases of all companies, so a missing case does not mean that there is none.
  if (!insolvency) return <Nothing what="insolvency cases" coverage={undefined} />;
  const { cases, status = [] } = insolvency;
  return (
    <Section id="insolvency" title={cases.length > 0 ? countOf(cases.length, "case") : "Status"}>
      <p class="tags">
        {status.map((one) => (
          <span class="status trouble">{wordsOf("insolvency_status", one)}</span>
        ))}
      </p>
      <Cards of={cases} show={Case} />
    </Section>
  );
});

type Case = CompanyInsolvency["cases"][number];

function Case({ of: { type, number, dates, practitioners, notes = [], links } }: { of: Case }) {
  const charge = pageOf(links?.charge);
  return (
    <article class="card" id={number && `case-${number}`}>
      <h3>{wordsOf("insolvency_case_type", type)}</h3>
      {shortFacts([
        ["Case", number],
        ...dates.map((one): [string, Child] => [
          wordsOf("insolvency_case_date_type", one.type),
          <Day of={one.date} />,
        ]),
        ["Charge", charge && <Link to={charge}>of this case</Link>],
        ["Notes", notes.map((note) => wordsOf("notes", note)).join(", ")],
      ])}
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
      {shortFacts([
        ["Role", of.role && wordsOf("insolvency_practitioner_role", of.role)],
        ["Appointed", day(of.appointed_on)],
        ["Ceased to act", day(of.ceased_to_act_on)],
        ["Address", <Address of={of.address} isLine />],
      ])}
    </>
  );
}

export const establishmentsPage = defineSection("establishments", async ({ ask }, { company_number }) => {
  const list = await ask("uk-establishments", { company_number });
  if (!list || list.items.length === 0) return <Nothing what="UK establishments" coverage={list?.coverage} />;
  return (
    <Section id="establishments" title={countOf(list.items.length, "establishment")}>
      <Companies of={list.items} isShort />
    </Section>
  );
});

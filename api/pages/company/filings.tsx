/** Owns the filings of a company, latest first. */
import type { Filing } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { enumerationKeys } from "../../shared/values/enumerations.ts";
import { valueOf } from "../define-page.ts";
import { useAddress } from "../layout.tsx";
import { Day, Nothing } from "../parts/facts.tsx";
import { Paged, rowsOf } from "../parts/pager.tsx";
import { countOf, describeFiling, showDate, spellOut } from "../words.ts";
import { defineSection } from "./frame.tsx";

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
      {items.length === 0 ? <Nothing what={kind} coverage={coverage} /> : <Filings of={items} />}
    </Paged>
  );
});

function Categories({ path, chosen }: { path: string; chosen: string }) {
  return (
    <form action={useAddress(path)} method="get" class="line">
      <label for="category">Kind of filing</label>
      <select id="category" name="category">
        <option value="">All</option>
        {enumerationKeys("filing_history_category_documented").map((category) => (
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
              </td>
              <td data-label={filing.pages && "Pages"}>{filing.pages}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Facts of the description: dates, names, numbers. Lists, such as statements of capital, are only in the document. */
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

function showValue(value: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? showDate(value) : value;
}

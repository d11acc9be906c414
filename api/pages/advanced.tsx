/** The advanced search: its form, its results, and the download. */
import type { RawQuery } from "../shared/schemas/query-parameters.ts";
import { filterParameters } from "../search/company-filters.ts";
import { RESULT_WINDOW } from "../search/answers/company-page.ts";
import type { AdvancedPage } from "./answers.ts";
import { ADVANCED, DOWNLOAD, withQuery } from "./addresses.ts";
import { valuesOf, type FilterName, type PageDefinition } from "./define-page.ts";
import { Title, useAddress } from "./layout.tsx";
import { Companies } from "./parts/companies.tsx";
import { Narrowed } from "./parts/facets.tsx";
import { Pager, startOf } from "./parts/pager.tsx";
import { countOf, wordsOf } from "./words.ts";

const SIZE = 25;

// Adds the words for codes, and the byte order mark by which Excel recognises UTF-8.
const FOR_SPREADSHEETS = { descriptions: "true", byte_order_mark: "true" };

type Filters = Record<string, string[]>;

export const advancedPage: PageDefinition = {
  name: "page-advanced",
  path: ADVANCED,
  show: async ({ ask, query }) => {
    const filters = filtersOf(query);
    const isAsked = Object.values(filters).some((values) => values.length > 0);
    const page = { size: String(SIZE), start_index: startOf(query, SIZE) };
    const facets = "status,type,sic_codes,location";
    const answer = isAsked ? await ask("search-advanced-companies", { ...filters, ...page, facets }) : null;
    return {
      title: "Advanced search",
      body: (
        <>
          <Title>Advanced search</Title>
          <details open={!answer || answer.hits === 0}>
            <summary>{isAsked ? "Change the search" : "What to look for"}</summary>
            <Form filters={filters} />
          </details>
          {isAsked || Object.keys(query).length === 0 ? null : (
            <p class="nothing">Fill in at least one field.</p>
          )}
          {isAsked ? <Found answer={answer ?? NOTHING} query={query} filters={filters} /> : null}
        </>
      ),
    };
  },
};

const NOTHING: AdvancedPage = { items: [], hits: 0 };

function filtersOf(query: RawQuery): Filters {
  return Object.fromEntries(FILTERS.map((name) => [name, valuesOf(query, name)]));
}

interface FormField {
  legend: (typeof LEGENDS)[number];
  label: string;
  hint?: string;
}

const LEGENDS = ["Name and place", "Kind of company", "Dates"] as const;

/** Every filter of the search, in the form's order. One without a field would be lost when the form is sent again. */
const FIELDS: Readonly<Record<FilterName, FormField>> = {
  company_name_includes: { legend: "Name and place", label: "Name has all of these words" },
  company_name_excludes: { legend: "Name and place", label: "Name has none of these words" },
  location: { legend: "Name and place", label: "Registered office (town, street or postcode)" },
  company_status: { legend: "Kind of company", label: "Status" },
  company_type: { legend: "Kind of company", label: "Type" },
  company_subtype: { legend: "Kind of company", label: "Subtype" },
  sic_codes: { legend: "Kind of company", label: "Nature of business (SIC codes)", hint: "62012, 62020" },
  incorporated_from: { legend: "Dates", label: "Incorporated from" },
  incorporated_to: { legend: "Dates", label: "Incorporated until" },
  dissolved_from: { legend: "Dates", label: "Dissolved from" },
  dissolved_to: { legend: "Dates", label: "Dissolved until" },
};

// The cast: FIELDS has no other keys.
const FILTERS = Object.keys(FIELDS) as FilterName[];

function Form({ filters }: { filters: Filters }) {
  return (
    <form action={useAddress(ADVANCED)} method="get" class="filters">
      {LEGENDS.map((legend) => (
        <fieldset>
          <legend>{legend}</legend>
          {FILTERS.filter((name) => FIELDS[name].legend === legend).map((name) =>
            isChoice(name) ? (
              <Choice name={name} filters={filters} />
            ) : (
              <Field name={name} filters={filters} />
            ),
          )}
        </fieldset>
      ))}
      <button type="submit">Search</button>
    </form>
  );
}

/** Names of the filters that have a list of values to choose from. */
type ChoiceName = {
  [Name in FilterName]: (typeof filterParameters)[Name] extends { values: unknown } ? Name : never;
}[FilterName];

function isChoice(name: FilterName): name is ChoiceName {
  return "values" in filterParameters[name];
}

const TEXT = { type: "text", maxLength: 160 };
const DAY = { type: "date", min: "1800-01-01", max: "2099-12-31" };

function Field({ name, filters }: { name: FilterName; filters: Filters }) {
  const { label, hint } = FIELDS[name];
  const kind = filterParameters[name].kind === "date" ? DAY : TEXT;
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} {...kind} value={filters[name]?.join(", ")} />
      {hint ? <small>For example {hint}</small> : null}
    </div>
  );
}

function Choice({ name, filters }: { name: ChoiceName; filters: Filters }) {
  const chosen = filters[name]?.join(",") ?? "";
  const codes = filterParameters[name].values;
  // An address may have several values. They become one more choice, so that the form keeps them when it is sent again.
  const choices = chosen.includes(",") ? [chosen, ...codes] : codes;
  return (
    <div>
      <label for={name}>{FIELDS[name].label}</label>
      <select id={name} name={name}>
        <option value="">Any</option>
        {choices.map((choice) => (
          <option value={choice} selected={choice === chosen}>
            {choice
              .split(",")
              .map((code) => wordsOf(name, code))
              .join(", ")}
          </option>
        ))}
      </select>
    </div>
  );
}

function Found({ answer, query, filters }: { answer: AdvancedPage; query: RawQuery; filters: Filters }) {
  const { items, hits, facets } = answer;
  if (hits === 0) {
    return <p class="nothing">No company matches. Remove a condition, or widen the dates.</p>;
  }
  return (
    <>
      <div class="heading">
        <h2>{countOf(hits, "company", "companies")}</h2>
        {/* Without the attribute `download`: the answer names its file, and an error has to be shown as a page. */}
        <a href={useAddress(withQuery(DOWNLOAD, { ...filters, ...FOR_SPREADSHEETS }))}>Download all as CSV</a>
      </div>
      <Narrowed facets={facets} path={ADVANCED} query={query}>
        <Companies of={items} />
        <Pager
          {...{ path: ADVANCED, query, size: SIZE, total: hits, reach: RESULT_WINDOW }}
          beyond="Narrow the search, or download all as CSV."
        />
      </Narrowed>
    </>
  );
}

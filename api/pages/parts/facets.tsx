/** Facets: how many results have each value. A click on a value narrows the search. */
import type { PropsWithChildren } from "hono/jsx";
import type { RawQuery } from "../../shared/schemas/query-parameters.ts";
import { describeSic, enumerationKeys, type EnumerationName } from "../../shared/values/enumerations.ts";
import type { Facet } from "../../shared/definitions/search-result.ts";
import { changeQuery } from "../addresses.ts";
import { valuesOf, type FilterName } from "../define-page.ts";
import { Link } from "../layout.tsx";
import { wordsOf } from "../words.ts";

interface Kind {
  /** Name of the facet, and of the parameter that takes its values. */
  facet: string;
  parameter: FilterName;
  title: string;
  show: (value: string) => string;
  /** False for a value that the parameter does not accept; absent: it accepts all. */
  takes?: (value: string) => boolean;
}

function listed(list: EnumerationName) {
  const keys = enumerationKeys(list);
  return { show: (value: string) => wordsOf(list, value), takes: (value: string) => keys.includes(value) };
}

const KINDS: readonly Kind[] = [
  { facet: "status", parameter: "company_status", title: "Status", ...listed("company_status") },
  { facet: "type", parameter: "company_type", title: "Type", ...listed("company_type") },
  {
    facet: "sic_codes",
    parameter: "sic_codes",
    title: "Nature of business",
    show: (code) => describeSic(code) || code,
  },
  { facet: "location", parameter: "location", title: "Town", show: (town) => town },
];

// More would push the results off a narrow screen.
const SHOWN = 6;

interface FacetProps {
  facets: Record<string, Facet[]> | undefined;
  path: string;
  query: RawQuery;
}

/** Results with their facets: beside the rows on a wide screen, else below them, with a link at the top. */
export function Narrowed({ facets = {}, path, query, children }: PropsWithChildren<FacetProps>) {
  // Only facets with several values, or with a chosen one.
  const open = KINDS.map((kind) => {
    const chosen = valuesOf(query, kind.parameter);
    return { ...kind, counts: facets[kind.facet] ?? [], chosen };
  }).filter(({ counts, chosen }) => counts.length > 1 || chosen.length > 0);
  return (
    <div class="beside">
      <div>
        {open.length > 0 ? (
          <p class="to-facets">
            <a href="#narrow">Narrow the results</a>
          </p>
        ) : null}
        {children}
      </div>
      {open.length > 0 ? (
        <aside class="facets" id="narrow" aria-label="Narrow the results">
          {open.map((kind) => (
            <section>
              <h2>{kind.title}</h2>
              {/* A changed filter leads to the first page of the new list. */}
              <Values
                {...kind}
                to={(values) => changeQuery(path, query, { page: "", [kind.parameter]: values })}
              />
            </section>
          ))}
        </aside>
      ) : null}
    </div>
  );
}

interface ValuesProps extends Pick<Kind, "show" | "takes"> {
  counts: readonly Facet[];
  chosen: readonly string[];
  /** Returns the address of the results with these values. */
  to: (values: string | string[]) => string;
}

/** The values of a facet with their counts. If values are chosen, only these, each with a link that removes it. */
function Values({ show, takes, counts, chosen, to }: ValuesProps) {
  return (
    <ul>
      {chosen.map((value) => (
        <li class="chosen">
          <Link to={to(chosen.filter((other) => other !== value))}>
            {show(value)}
            <span class="unseen">: remove this filter</span>
            <span aria-hidden="true"> ✕</span>
          </Link>
        </li>
      ))}
      {counts.slice(0, chosen.length > 0 ? 0 : SHOWN).map(({ value, count }) => (
        <li>
          {takes?.(value) === false ? show(value) : <Link to={to(value)}>{show(value)}</Link>}{" "}
          <span class="count">{count.toLocaleString("en-GB")}</span>
        </li>
      ))}
    </ul>
  );
}

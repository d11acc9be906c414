/** Owns facets: how many of the results have each value, each a link that narrows the search. */
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
  /** False for a value that the parameter does not take; absent: it takes all. */
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

/** Rows of results with their facets: beside them if there is room, else below, with a link to them above. */
export function Narrowed({ facets = {}, path, query, children }: PropsWithChildren<FacetProps>) {
  // Facets with a choice, and those with a chosen value.
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
              {/* The new list begins with its first page. */}
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
  /** The address of the results with these values. */
  to: (values: string | string[]) => string;
}

/** The values of a facet with their counts; a click removes a chosen one. */
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

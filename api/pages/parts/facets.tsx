/** Owns facets: how many of the results have each value, each a link that narrows the search. */
import type { PropsWithChildren } from "hono/jsx";
import type { RawQuery } from "../../shared/schemas/query-parameters.ts";
import { describeSic, type EnumerationName } from "../../shared/values/enumerations.ts";
import type { Facet } from "../../shared/definitions/search-result.ts";
import { changeQuery } from "../addresses.ts";
import { valuesOf } from "../define-page.ts";
import { Link } from "../layout.tsx";
import { wordsOf } from "../words.ts";

interface Kind {
  /** Name of the facet, and of the parameter that takes its values. */
  facet: string;
  parameter: string;
  title: string;
  show: (value: string) => string;
}

const listed = (list: EnumerationName) => (value: string) => wordsOf(list, value);

/** The facets that pages show. */
const KINDS: readonly Kind[] = [
  { facet: "status", parameter: "company_status", title: "Status", show: listed("company_status") },
  { facet: "type", parameter: "company_type", title: "Type", show: listed("company_type") },
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

export interface FacetProps {
  facets: Record<string, Facet[]> | undefined;
  path: string;
  query: RawQuery;
}

/** Rows of results with their facets: beside them if there is room, else below, with a link to them above. */
export function Narrowed({ children, ...props }: PropsWithChildren<FacetProps>) {
  return (
    <div class="beside">
      <div>
        {openFacets(props).length > 0 ? (
          <p class="to-facets">
            <a href="#narrow">Narrow the results</a>
          </p>
        ) : null}
        {children}
      </div>
      <Facets {...props} />
    </div>
  );
}

/** Facets with a choice, and those with a chosen value. */
function openFacets({ facets = {}, query }: FacetProps) {
  const groups = KINDS.map((kind) => ({ kind, counts: facets[kind.facet] ?? [] }));
  return groups.filter(({ kind, counts }) => counts.length > 1 || valuesOf(query, kind.parameter).length > 0);
}

/** Facets with their counts; a click removes a chosen value. */
function Facets(props: FacetProps) {
  const { path, query } = props;
  const open = openFacets(props);
  if (open.length === 0) return null;
  return (
    <aside class="facets" id="narrow" aria-label="Narrow the results">
      {open.map(({ kind, counts }) => (
        <section>
          <h2>{kind.title}</h2>
          <ul>{listValues({ kind, counts, path, query })}</ul>
        </section>
      ))}
    </aside>
  );
}

interface ValuesProps extends Omit<FacetProps, "facets"> {
  kind: Kind;
  counts: readonly Facet[];
}

function listValues({ kind: { parameter, show }, counts, path, query }: ValuesProps) {
  const chosen = valuesOf(query, parameter);
  // The new list begins with its first page.
  const to = (values: string | string[]) => changeQuery(path, query, { page: "", [parameter]: values });
  if (chosen.length > 0) {
    return chosen.map((value) => (
      <li class="chosen">
        <Link to={to(chosen.filter((other) => other !== value))}>
          {show(value)}
          <span class="unseen">: take this filter away</span>
          <span aria-hidden="true"> ✕</span>
        </Link>
      </li>
    ));
  }
  return counts.slice(0, SHOWN).map(({ value, count }) => (
    <li>
      <Link to={to(value)}>{show(value)}</Link> <span class="count">{count.toLocaleString("en-GB")}</span>
    </li>
  ));
}

/** The page of search results: what was found, the reason of each row, and the filters. */
import { INDEX_KINDS } from "../shared/definitions/define-index.ts";
import type { RawQuery } from "../shared/schemas/query-parameters.ts";
import type { SearchPage, Found } from "./answers.ts";
import { ADVANCED, ALPHABET, SEARCH, changeQuery, withQuery, addressOfFound } from "./addresses.ts";
import { valueOf, valuesOf, type PageDefinition, type Visit } from "./define-page.ts";
import { Link, SearchBox } from "./layout.tsx";
import { ALL, kindOf, KINDS, type Kind } from "./kinds.ts";
import { Narrowed } from "./parts/facets.tsx";
import { Pager, rowsOf } from "./parts/pager.tsx";
import { countOf, describeFound, reasonWords, spellOut, wordsOf } from "./words.ts";
import { Marked, Status } from "./parts/facts.tsx";

const SIZE = 20;

// By default the API leaves out persons with control, because clients of the original do not know this kind of result.
const EVERY_KIND = Object.values(INDEX_KINDS)
  .map(({ kind }) => kind)
  .join(",");

// The filters of a search for companies.
const FILTERS = ["company_status", "company_type", "sic_codes", "location"] as const;

export const searchPage: PageDefinition = {
  name: "page-search",
  path: SEARCH,
  show: async (visit) => {
    const q = valueOf(visit.query, "q");
    const kind = kindOf(valueOf(visit.query, "kind"));
    if (q === "") return { title: "Search", hasOwnSearch: true, body: <Unasked kind={kind} /> };
    const answer = (await fetchPage(visit, kind, q)) ?? EMPTY;
    return {
      title: `${q} · ${kind.title}`,
      sought: q,
      kind,
      body: <Page visit={visit} q={q} kind={kind} answer={answer} />,
    };
  },
};

const EMPTY: SearchPage = { items: [], total_results: 0 };

function fetchPage({ ask, query }: Visit, { search }: Kind, q: string): Promise<SearchPage | null> {
  const values = { q, explain: "true", ...rowsOf(query, SIZE) };
  if (search === "search-all") return ask(search, { ...values, kinds: EVERY_KIND });
  if (search !== "search-companies") return ask(search, values);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, valuesOf(query, name)]));
  return ask(search, { ...values, ...filters, facets: "status,type,sic_codes" });
}

interface PageProps {
  visit: Visit;
  q: string;
  kind: Kind;
  answer: SearchPage;
}

function Page({ visit: { query, reach }, q, kind, answer }: PageProps) {
  const { items, total_results: total, did_you_mean: meant, facets } = answer;
  return (
    <>
      <h1 class="small">
        {total > 0 ? countOf(total, kind.found[0], kind.found[1]) : `${nothingOf(kind)} found`} for “{q}”
      </h1>
      <Tabs chosen={kind} q={q} />
      {meant ? (
        <p class="meant">
          Did you mean <Link to={changeQuery(SEARCH, query, { q: meant, page: "" })}>{meant}</Link>?
        </p>
      ) : null}
      <Narrowed facets={facets} path={SEARCH} query={query}>
        {total > 0 ? (
          <ol class="results">
            {items.map((found) => (
              <li>
                <Row found={found} showsKind={kind === ALL} />
              </li>
            ))}
          </ol>
        ) : (
          <Hints q={q} kind={kind} query={query} />
        )}
        <Pager
          {...{ path: SEARCH, query, size: SIZE, total, reach }}
          beyond="Add a word to your search to find the others."
        />
      </Narrowed>
    </>
  );
}

function nothingOf(kind: Kind): string {
  return kind === ALL ? "Nothing" : `No ${kind.found[1]}`;
}

function Tabs({ chosen, q }: { chosen: Kind; q: string }) {
  return (
    <nav aria-label="Kinds of results" class="tabs">
      <ul>
        {KINDS.map((kind) => (
          <li>
            <Link to={withQuery(SEARCH, { q, kind: kind.word })} current={kind === chosen}>
              {kind.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What to do when nothing was found. */
function Hints({ q, kind, query }: { q: string; kind: Kind; query: RawQuery }) {
  const isNarrowed = kind.word === "company" && FILTERS.some((name) => valuesOf(query, name).length > 0);
  return (
    <article class="note">
      <p>
        The register has {nothingOf(kind).toLowerCase()} like this{isNarrowed ? " with these filters" : ""}.
        It may help to
      </p>
      <ul>
        {isNarrowed ? (
          <li>
            <Link to={withQuery(SEARCH, { q, kind: kind.word })}>search without the filters</Link>;
          </li>
        ) : null}
        {kind === ALL ? null : (
          <li>
            <Link to={withQuery(SEARCH, { q })}>search all kinds</Link>;
          </li>
        )}
        <li>leave words out: the most unusual one is often enough;</li>
        <li>
          <Link to={withQuery(ALPHABET, { from: q })}>look at the names near it in the alphabet</Link>;
        </li>
        <li>
          use the <Link to={ADVANCED}>advanced search</Link>.
        </li>
      </ul>
    </article>
  );
}

function Unasked({ kind }: { kind: Kind }) {
  return (
    <div class="start">
      <h1>{kind === ALL ? "Search the register" : `Search for ${kind.found[1]}`}</h1>
      <SearchBox isLarge kind={kind} />
      <Tabs chosen={kind} q="" />
    </div>
  );
}

function Row({ found, showsKind }: { found: Found; showsKind: boolean }) {
  const { kind, title, matches, snippet } = found;
  return (
    <article>
      <h2>
        <Link to={addressOfFound(found)}>
          <Marked text={title} places={matches?.title} />
        </Link>
      </h2>
      <p class="tags">
        {showsKind ? <span class="kind">{spellOut(kind.split("#")[1] ?? "")}</span> : null}
        <Status code={found.company_status} />
        {kind === "searchresults#disqualified-officer" ? (
          <span class="status over">Disqualification on record</span>
        ) : null}
        <Reason found={found} />
      </p>
      {snippet ? (
        <p>
          {found.match?.name_type === "previous" ? "Former name: " : "Also: "}
          <Marked text={snippet} places={matches?.snippet} />
        </p>
      ) : null}
      <p class="facts">{factsOf(found)}</p>
    </article>
  );
}

function Reason({ found: { match } }: { found: Found }) {
  if (!match) return null;
  const { reason, name_type: type } = match;
  return (
    <span class="reason" title="Why this is here">
      {reasonWords(reason)}
      {type === "previous" ? ", formerly" : ""}
    </span>
  );
}

function factsOf({ description, company_type: type, address_snippet: address }: Found): string {
  return [describeFound(description), type && wordsOf("company_type", type), address]
    .filter(Boolean)
    .join(" · ");
}

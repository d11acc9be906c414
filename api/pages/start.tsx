/** The start page, with a search box and what has been loaded, and the page that lists companies from A to Z. */
import type { Answers, ListedCompany } from "./answers.ts";
import { ADVANCED, ALPHABET, SEARCH, START, withQuery } from "./addresses.ts";
import { type Ask, nullIfRefused, type PageDefinition, valueOf } from "./define-page.ts";
import { Link, SearchBox, Title, useAddress } from "./layout.tsx";
import { showDate } from "./words.ts";
import { Companies } from "./parts/companies.tsx";

// The kinds of record in a visitor's words.
const KINDS: Record<string, string> = {
  "company-profile": "Companies",
  "officer-appointment": "Officers",
  "disqualified-officer": "Disqualified officers",
  "person-with-significant-control": "People with control",
  "filing-history-item": "Filings",
  charge: "Charges",
  insolvency: "Insolvencies",
};

export const startPage: PageDefinition = {
  name: "page-start",
  path: START,
  show: async ({ ask }) => {
    return { title: "", hasOwnSearch: true, body: <Start kinds={await fetchKinds(ask)} /> };
  },
};

type Kinds = Answers["coverage"]["items"];

/** What has been loaded of each kind of record; empty if the visitor's key has no permission to see it. */
async function fetchKinds(ask: Ask): Promise<Kinds> {
  return (await nullIfRefused(ask("coverage", {})))?.items ?? [];
}

/** True if nothing has been loaded; false if that is unknown. */
function isEmpty(kinds: Kinds): boolean {
  return kinds.length > 0 && kinds.every(({ loaded }) => loaded === "none");
}

function Start({ kinds }: { kinds: Kinds }) {
  return (
    <div class="start">
      <hgroup>
        <h1>Find a company, and who is behind it</h1>
        <p>Search by name, former name, number, person or postcode.</p>
      </hgroup>
      <SearchBox isLarge />
      {isEmpty(kinds) ? <Empty /> : <WaysIn />}
      <Loaded kinds={kinds} />
    </div>
  );
}

function Empty() {
  return (
    <article class="note">
      <h2>This register is empty</h2>
      <p>
        Nothing has been loaded yet, so every search finds nothing. Whoever runs the register loads files with{" "}
        <code>npm run cli -- load FILE</code>.
      </p>
    </article>
  );
}

function WaysIn() {
  return (
    <ul class="ways">
      <li>
        <Link to={ALPHABET}>Browse from A to Z</Link>
        <p>Find a name in the alphabet, and its neighbours.</p>
      </li>
      <li>
        <Link to={ADVANCED}>Advanced search</Link>
        <p>By status, type, place, business and dates. The results can be downloaded.</p>
      </li>
      <li>
        <Link to={withQuery(SEARCH, { kind: "disqualified" })}>Disqualified officers</Link>
        <p>Is somebody barred from running a company?</p>
      </li>
    </ul>
  );
}

/** What has been loaded, so that nobody takes "not loaded" for "none". */
function Loaded({ kinds }: { kinds: Kinds }) {
  const known = Object.keys(KINDS).flatMap((kind) => kinds.find(({ record }) => record === kind) ?? []);
  if (known.length === 0) return null;
  return (
    <section class="coverage" aria-labelledby="coverage">
      <h2 id="coverage">What this register holds</h2>
      <ul>
        {known.map(({ record, loaded, as_of: day }) => (
          <li class={loaded}>
            <strong>{KINDS[record]}</strong> <span>{describeCoverage(loaded, day)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LOADED: Record<string, string> = { all: "complete", some: "in part", none: "not loaded" };

function describeCoverage(loaded: Kinds[number]["loaded"], day: string | null): string {
  const words = LOADED[loaded] ?? "";
  return loaded !== "none" && day ? `${words}, as of ${showDate(day)}` : words;
}

const SIZE = 30;
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export const alphabetPage: PageDefinition = {
  name: "page-alphabet",
  path: ALPHABET,
  show: async ({ ask, query }) => {
    const from = valueOf(query, "from") || "A";
    const [above, below] = [valueOf(query, "above"), valueOf(query, "below")];
    const list = await ask("search-alphabetical-companies", {
      ...{ q: from, size: String(SIZE) },
      ...(above && { search_above: above }),
      ...(below && { search_below: below }),
    });
    const items = list?.items ?? [];
    return {
      title: "Companies from A to Z",
      body: (
        <>
          <Title>Companies from A to Z</Title>
          <Letters />
          <Jump from={from} />
          {items.length === 0 ? (
            <NoCompanies from={from} isEnd={Boolean(above || below)} kinds={await fetchKinds(ask)} />
          ) : (
            <>
              <Companies of={items} isShort />
              <Neighbours from={from} items={items} />
            </>
          )}
        </>
      ),
    };
  },
};

function NoCompanies({ from, isEnd, kinds }: { from: string; isEnd: boolean; kinds: Kinds }) {
  if (isEmpty(kinds)) return <Empty />;
  if (!isEnd)
    return <p class="nothing">No company’s name is near “{from}”. Try another letter, or more of a name.</p>;
  return (
    <p class="nothing">
      The list has ended. <Link to={withQuery(ALPHABET, { from })}>Back to “{from}”</Link>
    </p>
  );
}

function Letters() {
  return (
    <nav aria-label="Letters" class="letters">
      <ul>
        {LETTERS.map((letter) => (
          <li>
            <Link to={withQuery(ALPHABET, { from: letter })}>{letter}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Jump({ from }: { from: string }) {
  return (
    <form action={useAddress(ALPHABET)} method="get" class="line">
      <label for="from">Start near</label>
      <input id="from" name="from" type="text" value={from} maxLength={160} />
      <button type="submit">Go</button>
    </form>
  );
}

/** Links to the neighbouring pages, whose cursors are the keys of the first and the last row. */
function Neighbours({ from, items }: { from: string; items: readonly ListedCompany[] }) {
  const [first, last] = [items[0], items.at(-1)].map((item) => item?.ordered_alpha_key_with_id ?? "");
  return (
    <nav aria-label="Pages" class="pager">
      <Link to={withQuery(ALPHABET, { from, above: first ?? "" })} rel="prev">
        ← Before
      </Link>
      <span></span>
      <Link to={withQuery(ALPHABET, { from, below: last ?? "" })} rel="next">
        After →
      </Link>
    </nav>
  );
}

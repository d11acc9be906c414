/** Owns the start page: the search box, what has been loaded, and other ways in. */
import type { Answers } from "./answers.ts";
import { ADVANCED, ALPHABET, SEARCH, START, withQuery } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Link, SearchBox } from "./layout.tsx";
import { showDate } from "./words.ts";

// The kinds of record in a visitor's words, and the tab of the search that finds them.
const KINDS: Record<string, string> = {
  "company-profile": "Companies",
  "officer-appointment": "Officers",
  "person-with-significant-control": "People with control",
  "disqualified-officer": "Disqualified officers",
  "filing-history-item": "Filings",
  charge: "Charges",
  insolvency: "Insolvencies",
};

export const startPage: PageDefinition = {
  name: "page-start",
  path: START,
  show: async ({ ask }) => {
    const { items } = (await ask("coverage", {})) ?? { items: [] };
    return { title: "", hasOwnSearch: true, body: <Start kinds={items} /> };
  },
};

type Kinds = Answers["coverage"]["items"];

function Start({ kinds }: { kinds: Kinds }) {
  const isEmpty = kinds.every(({ loaded }) => loaded === "none");
  return (
    <div class="start">
      <hgroup>
        <h1>Find a company, and who is behind it</h1>
        <p>Search by name, former name, number, person or postcode.</p>
      </hgroup>
      <SearchBox isLarge />
      {isEmpty ? <Empty /> : <WaysIn />}
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
        <p>Where a name stands, and its neighbours.</p>
      </li>
      <li>
        <Link to={ADVANCED}>Advanced search</Link>
        <p>By status, type, place, business and dates, with the list as a file.</p>
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
  const known = kinds.filter(({ record }) => KINDS[record]);
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

function describeCoverage(loaded: Kinds[number]["loaded"], day: string | null): string {
  if (loaded === "none") return "not loaded";
  return day ? `${loaded}, as of ${showDate(day)}` : loaded;
}

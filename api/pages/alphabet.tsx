/** Owns browsing from A to Z: the place of a name in the alphabet, and its neighbours. */
import type { ListedCompany } from "./answers.ts";
import { ALPHABET, withQuery } from "./addresses.ts";
import { valueOf, type PageDefinition } from "./define-page.ts";
import { Link, Title, useAddress } from "./layout.tsx";
import { Companies } from "./parts/companies.tsx";

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
            <p class="nothing">There is no company here: none have been loaded yet, or the list has ended.</p>
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

/** The keys of the first and last row are the cursors of the neighbouring pages. */
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

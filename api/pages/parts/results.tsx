/** Owns the rows of search results: name, status, and the reason of each. */
import type { Child } from "hono/jsx";
import type { Found } from "../answers/index.ts";
import { addressOfFound } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { describeFound, reasonWords, wordsOf } from "../words.ts";
import { Marked, Status } from "./facts.tsx";

const KINDS: Record<string, string> = {
  "searchresults#company": "Company",
  "searchresults#officer": "Officer",
  "searchresults#disqualified-officer": "Disqualified",
  "searchresults#person-with-significant-control": "Control",
};

/** The results, the best first. `showsKind`: rows are of several kinds. */
export function Results({ of, showsKind = false }: { of: readonly Found[]; showsKind?: boolean }) {
  return (
    <ol class="results">
      {of.map((found) => (
        <li>
          <Row found={found} showsKind={showsKind} />
        </li>
      ))}
    </ol>
  );
}

function Row({ found, showsKind }: { found: Found; showsKind: boolean }) {
  const { kind, title, matches, snippet } = found;
  const kindWord = KINDS[kind] ?? "";
  return (
    <article>
      <h2>
        <Link to={addressOfFound(found)}>
          <Marked text={title} places={matches?.title} />
        </Link>
      </h2>
      <p class="tags">
        {showsKind ? <span class="kind">{kindWord}</span> : null}
        <Status code={found.company_status} />
        {kind === "searchresults#disqualified-officer" ? (
          <span class="status trouble">Disqualified</span>
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

/** The reason of the row. */
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

function factsOf({ description, company_type: type, address_snippet: address }: Found): Child {
  return [describeFound(description), type && wordsOf("company_type", type), address]
    .filter(Boolean)
    .join(" · ");
}

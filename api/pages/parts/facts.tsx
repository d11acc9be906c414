/** Small parts of pages: lists of facts, statuses, dates, addresses, and texts for empty lists. */
import type { Child, PropsWithChildren } from "hono/jsx";
import type { Address as AddressMembers } from "../../shared/values/address.ts";
import { ACTIVE_STATUSES, ENDED_STATUSES, enumerationLabel } from "../../shared/values/enumerations.ts";
import type { Coverage } from "../../shared/stores/collections/loaded-sources.ts";
import { addressLines, showDate, wordsOf } from "../words.ts";

/** A section of a page, with its heading. */
export function Section({ id, title, children }: PropsWithChildren<{ id: string; title: string }>) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A list of cards, one for each item. */
export function Cards<Item>({
  of,
  show: Show,
}: {
  of: readonly Item[];
  show: (props: { of: Item }) => Child;
}) {
  return (
    <div class="cards">
      {of.map((item) => (
        <Show of={item} />
      ))}
    </div>
  );
}

/** A name and its value; a fact without a value is omitted. */
type Fact = [name: string, value: Child];

/** A list of facts; null if none of them has a value. */
export function facts(of: Fact[], kind?: string): Child {
  const there = of.filter(([, value]) => Boolean(value));
  if (there.length === 0) return null;
  return (
    <dl class={kind}>
      {there.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A list of facts in the compact style of cards. */
export function shortFacts(of: Fact[]): Child {
  return facts(of, "short");
}

/** The status of a company, by colour as well as in words. */
export function Status({ code, detail }: { code: string | null | undefined; detail?: string | undefined }) {
  if (!code) return null;
  const words = wordsOf("company_status", code);
  // The enumeration has no label for details that only repeat the status.
  const more = detail && enumerationLabel("company_status_detail", detail);
  const tone = ACTIVE_STATUSES.has(code) ? "good" : ENDED_STATUSES.has(code) ? "over" : "trouble";
  return <span class={`status ${tone}`}>{more ? `${words}: ${more}` : words}</span>;
}

/** A date in words, in a `time` element that programs can read. */
export function Day({ of }: { of: string | undefined }) {
  const words = showDate(of);
  return words === "" ? null : <time datetime={of ?? ""}>{words}</time>;
}

/** A date as the value of a fact; empty without a date, so that the fact is omitted. */
export function day(of: string | undefined): Child {
  return showDate(of) && <Day of={of} />;
}

/** The end of a period: `until 2 May 2003`, `with no end date`. */
export function Until({ of }: { of: string }) {
  return of >= "9999" ? (
    <>with no end date</>
  ) : (
    <>
      until <Day of={of} />
    </>
  );
}

/** A period on a line of its own: `from 1 May 2001 until 2 May 2003`. An unknown day is omitted with its word. */
export function Period({ from, until }: { from: string | undefined; until: string | undefined }) {
  if (!from && !until) return null;
  return (
    <>
      <br />
      <small>
        {from ? (
          <>
            from <Day of={from} />{" "}
          </>
        ) : null}
        {until ? <Until of={until} /> : null}
      </small>
    </>
  );
}

/** An address in several lines, or in one. */
export function Address({ of, isLine = false }: { of: AddressMembers | undefined; isLine?: boolean }) {
  if (!of) return null;
  const lines = addressLines(of);
  if (isLine) return <>{lines.join(", ")}</>;
  return (
    <address>
      {lines.map((line, index) => (
        <>
          {index > 0 ? <br /> : null}
          {line}
        </>
      ))}
    </address>
  );
}

/** The text for an empty list: there are no items, or none have been loaded. */
export function Nothing({ what, coverage }: { what: string; coverage: Coverage | undefined }) {
  const isLoaded = coverage?.loaded ?? false;
  return (
    <p class="nothing">
      {isLoaded
        ? `There are no ${what}.`
        : `No ${what} are known: none have been loaded into this register for this company.`}
    </p>
  );
}

/** The date of a list's data. */
export function AsOf({ coverage }: { coverage: Coverage | undefined }) {
  if (!coverage?.as_of) return null;
  return (
    <p class="as-of">
      <small>
        As of <Day of={coverage.as_of} />.
      </small>
    </p>
  );
}

/** Text with marked parts. `places`: pairs of start and end, counted from 1, both inclusive, as in search answers. */
export function Marked({ text, places = [] }: { text: string; places?: readonly number[] | undefined }) {
  const parts: Child[] = [];
  let at = 0;
  for (let i = 0; i + 1 < places.length; i += 2) {
    const [start = 1, end = 0] = [places[i], places[i + 1]];
    parts.push(text.slice(at, start - 1), <mark>{text.slice(start - 1, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

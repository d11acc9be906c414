/** Paging of long lists: which rows a page shows, and the links to the other pages. */
import type { PropsWithChildren } from "hono/jsx";
import type { Coverage } from "../../shared/stores/collections/loaded-sources.ts";
import type { RawQuery } from "../../shared/schemas/query-parameters.ts";
import { changeQuery } from "../addresses.ts";
import { valueOf } from "../define-page.ts";
import { Link } from "../layout.tsx";
import { countOf } from "../words.ts";
import { AsOf, Section } from "./facts.tsx";

/** The page number in a query, from 1. */
function pageNumber(query: RawQuery): number {
  const number = Number(valueOf(query, "page"));
  return Number.isInteger(number) && number > 0 ? number : 1;
}

/** The offset of the first row of the query's page. */
export function startOf(query: RawQuery, size: number): string {
  return String((pageNumber(query) - 1) * size);
}

/** The API's parameters for the rows of the query's page. */
export function rowsOf(query: RawQuery, size: number) {
  return { items_per_page: String(size), start_index: startOf(query, size) };
}

interface PagerProps {
  path: string;
  query: RawQuery;
  /** Rows per page. */
  size: number;
  /** Rows of all pages together. */
  total: number;
  /** Rows that pages can reach; default: all. */
  reach?: number;
  /** A sentence that says how to find the rows after these. */
  beyond?: string;
}

/**
 * Links to the previous and the next page. On the last page it says if more rows exist than pages can reach. Past the
 * last page it links to that page.
 */
export function Pager({ path, query, size, total, reach = total, beyond }: PagerProps) {
  const page = pageNumber(query);
  const last = Math.max(1, Math.ceil(Math.min(total, reach) / size));
  if (total === 0 || (total <= size && page === 1)) return null;
  const to = (number: number) => changeQuery(path, query, { page: number === 1 ? "" : String(number) });
  if (page > last) return <PastEnd last={last} to={to(last)} />;
  return (
    <>
      {page === last && last * size < total ? (
        <p class="note">
          This list ends at the first {(last * size).toLocaleString("en-GB")} of{" "}
          {total.toLocaleString("en-GB")}. {beyond}
        </p>
      ) : null}
      <nav aria-label="Pages" class="pager">
        {page > 1 ? (
          <Link to={to(page - 1)} rel="prev">
            ← Previous
          </Link>
        ) : (
          <span></span>
        )}
        <span>
          Page {page.toLocaleString("en-GB")} of {last.toLocaleString("en-GB")}
        </span>
        {page < last ? (
          <Link to={to(page + 1)} rel="next">
            Next →
          </Link>
        ) : (
          <span></span>
        )}
      </nav>
    </>
  );
}

function PastEnd({ last, to }: { last: number; to: string }) {
  return (
    <>
      <p class="nothing">There are no rows on this page: the list has {countOf(last, "page")}.</p>
      <nav aria-label="Pages" class="pager">
        <Link to={to} rel="prev">
          ← Page {last.toLocaleString("en-GB")}
        </Link>
      </nav>
    </>
  );
}

interface PagedProps extends PagerProps {
  id: string;
  title: string;
  coverage?: Coverage | undefined;
}

/** A section with a list, its pager, and the date of its data. */
export function Paged({ id, title, coverage, children, ...pager }: PropsWithChildren<PagedProps>) {
  return (
    <Section id={id} title={title}>
      {children}
      <Pager {...pager} />
      <AsOf coverage={coverage} />
    </Section>
  );
}

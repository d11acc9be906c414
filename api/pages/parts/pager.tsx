/** Owns the links between the pages of a list. */
import type { RawQuery } from "../../shared/schemas/query-parameters.ts";
import { changeQuery } from "../addresses.ts";
import { valueOf } from "../define-page.ts";
import { Link } from "../layout.tsx";

/** The page number in a query, from 1. */
export function pageNumber(query: RawQuery): number {
  const number = Number(valueOf(query, "page"));
  return Number.isInteger(number) && number > 0 ? number : 1;
}

/** Offset of the first row of that page. */
export function startOf(query: RawQuery, size: number): string {
  return String((pageNumber(query) - 1) * size);
}

export interface PagerProps {
  path: string;
  query: RawQuery;
  /** Rows of a page, and of all pages together. */
  size: number;
  total: number;
  /** Rows that can be paged. */
  reach: number;
}

/** Links to the pages before and after. */
export function Pager({ path, query, size, total, reach }: PagerProps) {
  const page = pageNumber(query);
  const last = Math.max(1, Math.ceil(Math.min(total, reach) / size));
  if (last === 1 && page === 1) return null;
  const to = (number: number) => changeQuery(path, query, { page: number === 1 ? "" : String(number) });
  return (
    <nav aria-label="Pages" class="pager">
      {page > 1 ? (
        <Link to={to(Math.min(page - 1, last))} rel="prev">
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
  );
}

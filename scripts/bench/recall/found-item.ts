/** Reads the items of an answer of any search. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { formatBirth } from "../search/people.ts";

/** One item of a page. */
export interface FoundItem {
  title: string;
  /** The title and, if another name matched, that name. */
  names: string[];
  /** Segments of the item's own link; one of them is its number or id. */
  path: string[];
  address: Address;
  /** `YYYY-MM`, or the whole date. */
  birth: string | undefined;
  /** Why it was found, if the search says so. */
  match?: { tier: number; reason: string };
}

/** The members of an item that are read. */
interface Item {
  title: string;
  snippet?: string;
  address?: Address | null;
  date_of_birth?: string | { month: number; year: number };
  links: { self: string };
  match?: { tier: number; reason: string };
}

/** The items of an answer's body. */
export function readItems(body: Record<string, unknown>): FoundItem[] {
  const items = body.items as Item[]; // the searches of all suites answer with items
  return items.map(({ title, snippet, address, date_of_birth, links, match }) => ({
    title,
    names: snippet ? [title, snippet] : [title],
    path: links.self.split("/"),
    address: address ?? {},
    birth: formatBirth(date_of_birth),
    ...(match && { match }),
  }));
}

/** Owns what is read of an item of an answer, whichever search gave it. Pure. */
import type { Address } from "../../../api/shared/values/address.ts";
import { formatBirth } from "../search/people.ts";

/** One item of a page. */
export interface FoundItem {
  title: string;
  /** Title, and the other name that matched, where one did. */
  names: string[];
  /** Segments of the item's own link: number or id is among them. */
  path: string[];
  address: Address;
  /** `YYYY-MM`, or the whole date. */
  birth: string | undefined;
  /** Why it is there, where the search says so. */
  match?: { tier: number; reason: string };
}

/** The members that are read. */
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
  const items = body.items as Item[]; // every search that is asked has them
  return items.map(({ title, snippet, address, date_of_birth, links, match }) => ({
    title,
    names: snippet ? [title, snippet] : [title],
    path: links.self.split("/"),
    address: address ?? {},
    birth: formatBirth(date_of_birth),
    ...(match && { match }),
  }));
}

/** Owns the addresses of pages: what stands where, and how answers of the API lead there. Pure. */

import type { RawQuery } from "../core/query-parameters.ts";

/** All pages but the start stand below this, where no path of the API is. */
export const FOLDER = "/pages";

export const START = "/";
export const SEARCH = `${FOLDER}/search`;
export const ADVANCED = `${FOLDER}/advanced`;
export const DOWNLOAD = `${FOLDER}/advanced.csv`;
export const ALPHABET = `${FOLDER}/alphabet`;
export const SUGGEST = `${FOLDER}/suggest`;

/** True for the address of a page, or of what pages load. */
export function isPage(path: string): boolean {
  return path === START || path === FOLDER || path.startsWith(`${FOLDER}/`);
}

/** A section of a company's page; empty: the overview. */
export function companyAddress(number: string, section = ""): string {
  return `${FOLDER}/company/${encodeURIComponent(number)}${section && `/${section}`}`;
}

// What the API links to, and the page that shows it; `$1` and so on are the parts in brackets.
const PAGES: [RegExp, string][] = [
  [/^\/company\/([^/]+)$/, `${FOLDER}/company/$1`],
  [/^\/company\/([^/]+)\/persons-with-significant-control\/.*$/, `${FOLDER}/company/$1/control`],
  [/^\/officers\/([^/]+)\/appointments$/, `${FOLDER}/officer/$1`],
  [/^\/disqualified-officers\/(natural|corporate)\/([^/]+)$/, `${FOLDER}/disqualified/$1/$2`],
  [/^\/persons-with-significant-control\/([^/]+)\/notifications$/, `${FOLDER}/controller/$1`],
];

/** The page of what the API has a link to; undefined where no page shows it. */
export function pageOf(link: string | undefined): string | undefined {
  const found = PAGES.find(([pattern]) => link !== undefined && pattern.test(link));
  return found && link?.replace(found[0], found[1]);
}

/** An address with these parameters; empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const text = new URLSearchParams(pairs.filter(([, value]) => value !== "")).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The same page with some parameters changed. */
export function changeQuery(
  path: string,
  query: RawQuery,
  changes: Readonly<Record<string, string | readonly string[]>>,
): string {
  const kept = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value ?? ""]));
  return withQuery(path, { ...kept, ...changes });
}

/** What leads from a page to the root, so that links hold below any prefix: `../../` from `/pages/company/1`. */
export function wayToRoot(path: string): string {
  return "../".repeat(Math.max(0, path.split("/").length - 2)) || "./";
}

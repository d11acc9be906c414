/** The addresses of pages, and the page for each link of the API. Pure. */
import type { RawQuery } from "../shared/schemas/query-parameters.ts";
import type { Found } from "./answers.ts";

/** All pages except the start page are below this path, which the API does not use. */
export const FOLDER = "/pages";

export const START = "/";
export const SEARCH = `${FOLDER}/search`;
export const ADVANCED = `${FOLDER}/advanced`;
export const DOWNLOAD = `${FOLDER}/advanced.csv`;
export const ALPHABET = `${FOLDER}/alphabet`;
export const SUGGEST = `${FOLDER}/suggest`;
/** Receives the form with a visitor's key. */
export const KEY = `${FOLDER}/key`;

/** True for the path of a page, or of a file that pages load. */
export function isPage(path: string): boolean {
  return path === START || path === FOLDER || path.startsWith(`${FOLDER}/`);
}

/** The address of a section of a company's page; `section` empty: the overview. */
export function companyAddress(number: string, section = ""): string {
  return `${FOLDER}/company/${encodeURIComponent(number)}${section && `/${section}`}`;
}

// Links of the API, and the page for each; `$1` and so on are the parts in brackets.
const PAGES: [RegExp, string][] = [
  [/^\/company\/([^/]+)$/, `${FOLDER}/company/$1`],
  [/^\/company\/([^/]+)\/persons-with-significant-control\/.*$/, `${FOLDER}/company/$1/control`],
  [/^\/company\/([^/]+)\/charges\/([^/]+)$/, `${FOLDER}/company/$1/charges#$2`],
  [/^\/officers\/([^/]+)\/appointments$/, `${FOLDER}/officer/$1`],
  [/^\/disqualified-officers\/(natural|corporate)\/([^/]+)$/, `${FOLDER}/disqualified/$1/$2`],
  [/^\/persons-with-significant-control\/([^/]+)\/notifications$/, `${FOLDER}/controller/$1`],
];

/** The page for a link of the API; undefined if no page shows it. */
export function pageOf(link: string | undefined): string | undefined {
  const found = PAGES.find(([pattern]) => link !== undefined && pattern.test(link));
  return found && link?.replace(found[0], found[1]);
}

/** The page of a search result. */
export function addressOfFound({ links, company_number: number = "" }: Found): string {
  return pageOf(links.self) ?? companyAddress(number);
}

/** A path with these query parameters; empty ones are omitted. */
export function withQuery(path: string, query: Readonly<Record<string, string | readonly string[]>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const text = new URLSearchParams(pairs.filter(([, value]) => value !== "")).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** A path with its query, in which some parameters are changed. */
export function changeQuery(
  path: string,
  query: RawQuery,
  changes: Readonly<Record<string, string | readonly string[]>>,
): string {
  const kept = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value ?? ""]));
  return withQuery(path, { ...kept, ...changes });
}

/** The relative path from a page to the root, so that links work below any prefix: `../../` from `/pages/company/1`. */
export function pathToRoot(path: string): string {
  return "../".repeat(Math.max(0, path.split("/").length - 2)) || "./";
}

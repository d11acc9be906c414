/** Owns the requests that a company file gives: a search by name and a lookup of each company. */
import { readFileSync } from "node:fs";

// Many more than are under way at once, so that answers do not come from one page of memory.
const ROWS = 2_000;

/** Paths of searches by name and of profiles, of the first companies of this file. */
export function readPaths(csv: string): { searches: string[]; lookups: string[] } {
  const [, ...rows] = readFileSync(csv, "utf8").split("\n").slice(0, ROWS);
  const named = rows.flatMap((row) => {
    const [, name = "", number = ""] = /^"([^"]*)","?([A-Z0-9]{8})"?,/.exec(row.trim()) ?? [];
    return name === "" ? [] : [{ name, number }];
  });
  return {
    searches: named.map(({ name }) => `/search/companies?q=${encodeURIComponent(name)}`),
    lookups: named.map(({ number }) => `/company/${number}`),
  };
}

/** Makes requests from a company file: a search by name and a lookup for each company. */
import { readFileSync } from "node:fs";

// Many more than run at the same time, so that the answers do not all come from a cache.
const ROWS = 2_000;

/** The paths of searches and of profiles for the first companies of the file. */
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

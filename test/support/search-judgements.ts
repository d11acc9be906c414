/** Reads relevance judgements: which result must be first for a query among a few documents. */
import { readFileSync } from "node:fs";
import type { RegisterLine } from "./search-register.ts";

/** One judgement; `params` are further query parameters. */
export interface Judgement {
  id: string;
  search: string;
  class: string;
  q?: string;
  params?: Record<string, string>;
  docs: RegisterLine[];
  expect_first: string;
  why: string;
}

const PATHS: Record<string, string> = {
  all: "/search",
  companies: "/search/companies",
  officers: "/search/officers",
  "disqualified-officers": "/search/disqualified-officers",
  alphabetical: "/alphabetical-search/companies",
  dissolved: "/dissolved-search/companies",
  advanced: "/advanced-search/companies",
};

/** Reads judgements from a file of JSON lines, each with the path of its search. */
export function readJudgements(file: URL): (Judgement & { path: string })[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Judgement)
    .flatMap((judgement) => {
      const path = PATHS[judgement.search];
      return path ? [{ ...judgement, path }] : [];
    });
}

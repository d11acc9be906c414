/** Matching on the relevance judgements: of all their documents, only the one that a judgement names is its match. */
import { beforeAll, expect, it } from "@jest/globals";
import type { MatchType } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { readJudgements, type Judgement } from "../support/search-judgements.ts";
import { openRegister } from "../support/search-register.ts";

const TYPES: Record<string, MatchType> = {
  companies: "company",
  alphabetical: "company",
  dissolved: "company",
  officers: "officer",
  "disqualified-officers": "disqualified-officer",
};
const FIRST = 3;

// Judgements of the class peel-back expect an alphabetical neighbour, whose name is a different one.
const judgements = readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url)).filter(
  ({ search, q, class: kind }) => q !== undefined && search in TYPES && kind !== "peel-back",
);

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(judgements.flatMap(({ docs }) => docs));
});

/** Matches one judgement; one that is restricted to active companies asks for these alone. */
async function matchOne({ search, q = "", params = {} }: Judgement) {
  const status = params.restrictions?.includes("active-companies") ? "active" : undefined;
  const question = { type: TYPES[search] ?? "company", name: q, status };
  const [result] = await matchAll(register.elasticsearch, [question]);
  return result?.candidates ?? [];
}

/** The judgements with a right match, with a wrong one, and those whose document is not among the first three. */
async function judgeAll() {
  const [right, wrong, lost]: [string[], string[], string[]] = [[], [], []];
  for (const judgement of judgements) {
    const candidates = await matchOne(judgement);
    const match = candidates.find((candidate) => candidate.match);
    if (match) (match.id === judgement.expect_first ? right : wrong).push(judgement.id);
    const isFound = candidates.slice(0, FIRST).some(({ id }) => id === judgement.expect_first);
    if (!isFound) lost.push(`${judgement.id} ${judgement.q}`);
  }
  return { right, wrong, lost };
}

it("calls no wrong document a match, and has the right one among the first three", async () => {
  const { right, wrong, lost } = await judgeAll();
  expect(wrong).toEqual([]);
  expect(right.length).toBeGreaterThan(30);
  expect(lost).toEqual([]);
}, 60_000);

it("finds a company by its number alone, even without its leading zeros", async () => {
  const [result] = await matchAll(register.elasticsearch, [{ type: "company", name: "", number: "912345" }]);
  expect(result?.candidates).toMatchObject([{ id: "00912345", match: true, score: 100 }]);
});

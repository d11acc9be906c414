/** Matching on the relevance judgements: what is called a match is what the judgement names, among the documents of all others. */
import { beforeAll, expect, it } from "@jest/globals";
import type { MatchType } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { readJudgements, type Judgement } from "../support/search-judgements.ts";
import { idOf, openRegister } from "../support/search-register.ts";

const TYPES: Record<string, MatchType> = {
  companies: "company",
  alphabetical: "company",
  dissolved: "company",
  officers: "officer",
  "disqualified-officers": "disqualified-officer",
};
const FIRST = 3;

// Peeling back finds a neighbour in the alphabet, whose name is another one.
const judgements = readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url)).filter(
  ({ search, q, class: kind }) => q !== undefined && search in TYPES && kind !== "peel-back",
);

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(judgements.flatMap(({ docs }) => docs));
});

/** A judgement among active companies alone is one of a list that says so. */
async function matchOne({ search, q = "", params = {} }: Judgement) {
  const status = params.restrictions?.includes("active-companies") ? "active" : undefined;
  const question = { type: TYPES[search] ?? "company", name: q, status };
  const [result] = await matchAll(register.elasticsearch, [question]);
  return result?.candidates ?? [];
}

/** Matches of the judgements, right and wrong, and judgements whose document is not among the first three. */
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

it("calls nothing a match that is not the one, and finds the one among the first three", async () => {
  const { right, wrong, lost } = await judgeAll();
  expect(wrong).toEqual([]);
  expect(right.length).toBeGreaterThan(30);
  expect(lost).toEqual([]);
}, 60_000);

it("finds a company by its number alone, whatever is missing of it", async () => {
  const [result] = await matchAll(register.elasticsearch, [{ type: "company", name: "", number: "912345" }]);
  expect(result?.candidates).toMatchObject([{ id: "00912345", match: true, score: 100 }]);
});

it("knows the documents of each judgement by one id", () => {
  expect(judgements.every(({ docs, expect_first }) => docs.map(idOf).includes(expect_first))).toBe(true);
});

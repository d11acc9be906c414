/** A customer list matched with a register of similar names: matches are right, and other companies are found. */
import { beforeAll, expect, it } from "@jest/globals";
import { drawList, FORMS, listRegister } from "../../scripts/bench/match/customer-list.ts";
import { measureMatches, type MatchOutcome } from "../../scripts/bench/match/measure.ts";
import { createRandom } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { listedCompanies, otherNames } from "../support/listed-companies.ts";
import { openRegister } from "../support/search-register.ts";

const companies = listedCompanies(3_000, 5);
const rows = drawList(listRegister(companies, otherNames(2_000, 6)), createRandom(7), 400);

const register = forAllTests(openRegister);
let outcome: MatchOutcome;
beforeAll(async () => {
  await register.add(companies.map(({ number, ...company }) => ({ ...company, company_number: number })));
  outcome = await measureMatches(register.elasticsearch, rows);
});

it("has rows of every form", () => {
  for (const form of FORMS) expect(rows.filter((row) => row.form === form).length).toBeGreaterThan(25);
});

it("has no wrong match", () => {
  expect(outcome.examples.filter((example) => example.startsWith("WRONG"))).toEqual([]);
});

it("has 95 of 100 existing companies among the first three, matched or not", () => {
  const all = outcome.forms.find(({ form }) => form === "all");
  expect(all && all.found / all.existing).toBeGreaterThanOrEqual(0.95);
  expect(outcome.recall).toBeGreaterThanOrEqual(0.95);
});

it("decides on most rows that only lack a legal ending", () => {
  const dropped = outcome.forms.find(({ form }) => form === "ending dropped");
  expect(dropped && dropped.matched / dropped.rows).toBeGreaterThan(0.6);
});

it("matches no company in another town, unless no other one has the name there", () => {
  const wrong = outcome.forms.find(({ form }) => form === "wrong town");
  expect(wrong && wrong.matched - wrong.right).toBe(0);
  expect(wrong?.matched).toBeLessThan((wrong?.rows ?? 0) / 20);
});

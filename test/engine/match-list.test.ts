/** A customer list matched with a register of crowded names: what is called a match is right, the others are found. */
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

it("is right in 99 of 100 matches at least", () => {
  expect(outcome.examples.filter((example) => example.startsWith("WRONG"))).toEqual([]);
  expect(outcome.precision).toBeGreaterThanOrEqual(0.99);
});

it("has 95 of 100 companies that exist among the first three, matched or not", () => {
  const all = outcome.forms.find(({ form }) => form === "all");
  expect(all && all.found / all.existing).toBeGreaterThanOrEqual(0.95);
  expect(outcome.recall).toBeGreaterThanOrEqual(0.95);
});

it("decides by itself about most rows with nothing but an ending dropped", () => {
  const dropped = outcome.forms.find(({ form }) => form === "ending dropped");
  expect(dropped && dropped.matched / dropped.rows).toBeGreaterThan(0.6);
});

it("calls nothing a match whose town is another one, unless no other company has the name there", () => {
  const wrong = outcome.forms.find(({ form }) => form === "wrong town");
  expect(wrong && wrong.matched - wrong.right).toBe(0);
  expect(wrong?.matched).toBeLessThan((wrong?.rows ?? 0) / 20);
});

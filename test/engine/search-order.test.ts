/**
 * Relevance: the complete order of further judgements, among the documents of all others and of the reference, which is
 * harder than among their own documents.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { furtherJudgements } from "../support/search-further-judgements.ts";
import { readJudgements } from "../support/search-judgements.ts";
import type { OrderJudgement } from "../support/search-order-judgement.ts";
import { idOf, idsOf, nameOf, openRegister } from "../support/search-register.ts";

const judgements = furtherJudgements.map((judgement) => [judgement.rule, judgement] as const);

function linesOf({ inOrder, absent = [] }: OrderJudgement) {
  return [...inOrder, ...absent];
}

/** The judgement's own documents as expected and as found, each with name and tier, and the first or top item. */
async function ask(judgement: OrderJudgement): Promise<{ expected: Listed; found: Listed }> {
  const { path, q, params, inOrder, top = 0 } = judgement;
  const size = path.startsWith("/search") ? { items_per_page: "100" } : { size: "100" };
  const { answer, tiers } = await register.askWithTiers(path, { q, ...size, ...params });
  const own = new Map(linesOf(judgement).map((line) => [idOf(line), nameOf(line)]));
  const show = (id = "") =>
    `${tiers.get(id) ?? "not found"}: ${own.get(id) ?? "of another judgement"}, ${id}`;
  const query = `${path}?${String(new URLSearchParams({ q: q ?? "", ...params }))}`;
  const ids = [...new Set(idsOf(answer))];
  const listed = ids.filter((id) => own.has(id));
  return {
    expected: { query, listed: inOrder.map(idOf).map(show), first: show(inOrder.map(idOf)[top]) },
    found: { query, listed: listed.map(show), first: show(answer.top_hit?.company_number ?? ids[0]) },
  };
}

/** An answer as texts, which show what is wrong where they differ. */
interface Listed {
  query: string;
  listed: string[];
  first: string;
}

const register = forAllTests(openRegister);
beforeAll(async () => {
  const given = readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url));
  await register.add(given.flatMap(({ docs }) => docs));
  await register.add(furtherJudgements.flatMap(linesOf));
});

test("no judgement is listed twice, and there are at least ninety", () => {
  const rules = furtherJudgements.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThanOrEqual(90);
});

test.each(judgements)("%s", async (_rule, judgement) => {
  const { expected, found } = await ask(judgement);
  expect(found).toEqual(expected);
});

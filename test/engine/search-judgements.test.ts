/**
 * Relevance: which result must be first for a query, and for further queries the complete order of the results. Each is
 * judged among the documents of all judgements, which is harder than among its own documents.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { furtherJudgements } from "../support/search-further-judgements.ts";
import { readJudgements, type Judgement } from "../support/search-judgements.ts";
import type { OrderJudgement } from "../support/search-order-judgement.ts";
import { idOf, idOfItem, idsOf, nameOf, openRegister } from "../support/search-register.ts";

const judgements = [...readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url))].map(
  (judgement) =>
    [`${judgement.id} ${judgement.search} ${judgement.class}: ${judgement.q}`, judgement] as const,
);
const orders = furtherJudgements.map((judgement) => [judgement.rule, judgement] as const);

const register = forAllTests(openRegister);

async function firstOf({ path, q, params }: Judgement & { path: string }) {
  const answer = await register.ask(path, { q, ...params });
  const first = answer.top_hit ?? answer.items[0];
  return first && idOfItem(first);
}

describe("among its own documents, the right result is first", () => {
  let stored: Judgement["docs"] = [];

  test.each(judgements)("%s", async (_title, judgement) => {
    await register.exchange(stored, judgement.docs);
    stored = judgement.docs;
    expect(await firstOf(judgement)).toBe(judgement.expect_first);
  });
});

describe("among the documents of all judgements", () => {
  beforeAll(() => register.add(judgements.flatMap(([, judgement]) => judgement.docs)));

  test("answers are the same when words are looked up in advance", async () => {
    for (const [, { path, q, params }] of judgements) {
      const query = { q, ...params };
      expect(await register.ask(path, query, true)).toEqual(await register.ask(path, query));
    }
  }, 120_000);

  test.each(judgements)("the right result is first: %s", async (_title, judgement) => {
    expect(await firstOf(judgement)).toBe(judgement.expect_first);
  });
});

// After the others, since it adds documents.
describe("among the documents of all judgements, the whole order is right", () => {
  beforeAll(() => register.add(furtherJudgements.flatMap(linesOf)));

  test.each(orders)("%s", async (_rule, judgement) => {
    const { expected, found } = await ask(judgement);
    expect(found).toEqual(expected);
  });
});

test("no judgement of an order is listed twice, and there are at least ninety", () => {
  const rules = furtherJudgements.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThanOrEqual(90);
});

function linesOf({ inOrder, absent = [] }: OrderJudgement) {
  return [...inOrder, ...absent];
}

/** An answer as texts, which show what is wrong where they differ. */
interface Listed {
  query: string;
  listed: string[];
  first: string;
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

/** Relevance: every judgement holds among its own documents alone, and among the documents of all judgements. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { readJudgements, type Judgement } from "../support/search-judgements.ts";
import { idOfItem, openRegister } from "../support/search-register.ts";

const judgements = [...readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url))].map(
  (judgement) =>
    [`${judgement.id} ${judgement.search} ${judgement.class}: ${judgement.q}`, judgement] as const,
);

async function firstOf({ path, q, params }: Judgement & { path: string }) {
  const answer = await register.ask(path, { q, ...params });
  const first = answer.top_hit ?? answer.items[0];
  return first && idOfItem(first);
}

const register = forAllTests(openRegister);

describe("each judgement alone", () => {
  let held: Judgement["docs"] = [];

  test.each(judgements)("%s", async (_title, judgement) => {
    const former = held;
    held = judgement.docs;
    await register.exchange(former, held);
    expect(await firstOf(judgement)).toBe(judgement.expect_first);
  });
});

describe("all judgements in one register", () => {
  beforeAll(() => register.add(judgements.flatMap(([, judgement]) => judgement.docs)));

  test("gets the same answers when words are looked up in advance", async () => {
    for (const [, { path, q, params }] of judgements) {
      const query = { q, ...params };
      expect(await register.ask(path, query, true)).toEqual(await register.ask(path, query));
    }
  }, 120_000);

  test.each(judgements)("%s", async (_title, judgement) => {
    expect(await firstOf(judgement)).toBe(judgement.expect_first);
  });
});

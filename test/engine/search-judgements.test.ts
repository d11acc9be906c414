/** Relevance: every judgement holds with its documents alone and with the documents of all together. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readJudgements, type Judgement } from "../support/search-judgements.ts";
import { findSearch, idsOf, openRegister, type SearchRegister } from "../support/search-register.ts";

const judgements = [...readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url))].map(
  (judgement) =>
    [`${judgement.id} ${judgement.search} ${judgement.class}: ${judgement.q}`, judgement] as const,
);

async function firstOf(register: SearchRegister, { path, q, params }: Judgement & { path: string }) {
  return idsOf(await register.ask(path, { q, ...params }))[0];
}

describe("each judgement alone", () => {
  test.each(judgements)("%s", async (_title, judgement) => {
    const register = await openRegister(findSearch(judgement.path).indices);
    try {
      await register.add(judgement.docs);
      expect(await firstOf(register, judgement)).toBe(judgement.expect_first);
    } finally {
      await register.close();
    }
  });
});

describe("all judgements in one register", () => {
  let register: SearchRegister;
  beforeAll(async () => {
    register = await openRegister();
    await register.add(judgements.flatMap(([, judgement]) => judgement.docs));
  });
  afterAll(() => register.close());

  test.each(judgements)("%s", async (_title, judgement) => {
    expect(await firstOf(register, judgement)).toBe(judgement.expect_first);
  });
});

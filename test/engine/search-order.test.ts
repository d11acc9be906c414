/** Relevance: the whole order of further judgements, each with its own documents and with all together. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { furtherJudgements, type OrderJudgement } from "../support/search-further-judgements.ts";
import { findSearch, idOf, idsOf, openRegister, type SearchRegister } from "../support/search-register.ts";

const judgements = furtherJudgements.map((judgement) => [judgement.rule, judgement] as const);

async function ask(register: SearchRegister, { path, q, restrictions }: OrderJudgement): Promise<string[]> {
  return idsOf(await register.ask(path, { q, restrictions, items_per_page: "100" }));
}

function linesOf({ inOrder, absent = [] }: OrderJudgement) {
  return [...inOrder, ...absent];
}

describe("each alone", () => {
  test.each(judgements)("%s", async (_rule, judgement) => {
    const register = await openRegister(findSearch(judgement.path).indices);
    try {
      await register.add(linesOf(judgement));
      expect(await ask(register, judgement)).toEqual(judgement.inOrder.map(idOf));
    } finally {
      await register.close();
    }
  });
});

describe("all in one register", () => {
  let register: SearchRegister;
  beforeAll(async () => {
    register = await openRegister();
    await register.add(furtherJudgements.flatMap(linesOf));
  });
  afterAll(() => register.close());

  test.each(judgements)("%s", async (_rule, judgement) => {
    expect(await ask(register, judgement)).toEqual(judgement.inOrder.map(idOf));
  });
});

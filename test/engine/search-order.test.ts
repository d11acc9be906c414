/** Relevance: the whole order of further judgements, each with its own documents and with all together. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { furtherJudgements, type OrderJudgement } from "../support/search-further-judgements.ts";
import { idOf, idsOf, openRegister, type SearchRegister } from "../support/search-register.ts";

const judgements = furtherJudgements.map((judgement) => [judgement.rule, judgement] as const);

async function ask({ path, q, restrictions }: OrderJudgement): Promise<string[]> {
  return idsOf(await register.ask(path, { q, restrictions, items_per_page: "100" }));
}

function linesOf({ inOrder, absent = [] }: OrderJudgement) {
  return [...inOrder, ...absent];
}

let register: SearchRegister;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.close());

describe("each alone", () => {
  test.each(judgements)("%s", async (_rule, judgement) => {
    await register.add(linesOf(judgement));
    const ids = await ask(judgement);
    await register.remove(linesOf(judgement));
    expect(ids).toEqual(judgement.inOrder.map(idOf));
  });
});

describe("all in one register", () => {
  beforeAll(() => register.add(furtherJudgements.flatMap(linesOf)));

  test.each(judgements)("%s", async (_rule, judgement) => {
    expect(await ask(judgement)).toEqual(judgement.inOrder.map(idOf));
  });
});

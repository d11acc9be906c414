/**
 * Relevance: the whole order of further judgements, among the documents of all others and of the reference, which is harder than
 * among their own alone.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { furtherJudgements } from "../support/search-further-judgements.ts";
import { readJudgements } from "../support/search-judgements.ts";
import type { OrderJudgement } from "../support/search-order-judgement.ts";
import { idOf, idsOf, openRegister } from "../support/search-register.ts";

const judgements = furtherJudgements.map((judgement) => [judgement.rule, judgement] as const);

function linesOf({ inOrder, absent = [] }: OrderJudgement) {
  return [...inOrder, ...absent];
}

/** What the answer lists of the judgement's own documents, an id each; and what it leads to. */
async function ask(judgement: OrderJudgement): Promise<{ ids: string[]; first: string | undefined }> {
  const { path, q, params } = judgement;
  const size = path.startsWith("/search") ? { items_per_page: "100" } : { size: "100" };
  const answer = await register.ask(path, { q, ...size, ...params });
  const ids = [...new Set(idsOf(answer))];
  const own = new Set(linesOf(judgement).map(idOf));
  return {
    ids: ids.filter((id) => own.has(id)),
    first: answer.top_hit?.company_number ?? ids[0],
  };
}

function expectedOf({ inOrder, top = 0 }: OrderJudgement) {
  const ids = inOrder.map(idOf);
  return { ids, first: ids[top] };
}

const register = forAllTests(openRegister);
beforeAll(async () => {
  const given = readJudgements(new URL("../fixtures/relevance.jsonl", import.meta.url));
  await register.add(given.flatMap(({ docs }) => docs));
  await register.add(furtherJudgements.flatMap(linesOf));
});

test("there are several judgements of every class, none twice", () => {
  const rules = furtherJudgements.map(({ rule }) => rule);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThanOrEqual(90);
});

test.each(judgements)("%s", async (_rule, judgement) => {
  expect(await ask(judgement)).toEqual(expectedOf(judgement));
});

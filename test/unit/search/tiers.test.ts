/** The order of the tiers: only their table states it, and everything else follows the table. */
import { expect, jest, test } from "@jest/globals";
import {
  NAME_WAYS,
  ONE_WORD_WAYS,
  PERSON_WAYS,
  READING_WAYS,
  type Way,
} from "../../../api/search/ranking/tiers.ts";
import type { SearchHit } from "../../../api/shared/definitions/search-result.ts";

const Q = "press works";
// Each matches in one of these ways: it begins with the letters of the query, or has its words.
const LETTERS = "PRESS WORKSHOP LTD";
const WORDS = "WORKS OF PRESS LTD";

function inOrder(numbers: number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

test("the lines of the tables are in the order of their tiers; those of corporate bodies in that of companies", () => {
  for (const table of [NAME_WAYS, PERSON_WAYS, ONE_WORD_WAYS, READING_WAYS]) {
    const tiers = Object.values<Way>(table).map(({ tiers: { current } }) => current);
    expect(tiers).toEqual(inOrder(tiers));
  }
  const bodies = Object.values(NAME_WAYS).map(({ body }) => body);
  expect(bodies).toEqual(inOrder(bodies));
});

// The name of a person to show is chosen by the order of ways for companies.
test("the ways of matching that people and companies share are in the same order", () => {
  const ways = Object.keys(PERSON_WAYS);
  const shared = Object.keys(NAME_WAYS).filter((way) => ways.includes(way));
  expect(shared).toEqual(ways.filter((way) => shared.includes(way)));
  expect(shared).toEqual(["same", "allWords", "beginningsOfWords", "near"]);
});

/** Loads the search with two lines of the table exchanged, before anything is made from it; only for this test. */
async function withExchanged(check: (search: Search) => void): Promise<void> {
  await jest.isolateModulesAsync(async () => {
    const { NAME_WAYS: table, ...scores } = await import("../../../api/search/ranking/tiers.ts");
    const { allWords, beginningLetters }: Record<"allWords" | "beginningLetters", Way> = table;
    [allWords.tiers, beginningLetters.tiers] = [beginningLetters.tiers, allWords.tiers];
    check({
      allWords,
      ...scores,
      ...(await import("../../../api/search/ranking/company.ts")),
      ...(await import("../../../api/search/answers/explain.ts")),
      ...(await import("../../../api/search/answers/matched.ts")),
      ...(await import("../../../api/search/answers/name-forms.ts")),
    });
  });
}

type Search = { allWords: Way } & Pick<typeof import("../../../api/search/ranking/tiers.ts"), "scoreOf"> &
  Pick<typeof import("../../../api/search/ranking/company.ts"), "companyQuery"> &
  Pick<typeof import("../../../api/search/answers/explain.ts"), "explainHit"> &
  Pick<typeof import("../../../api/search/answers/matched.ts"), "answeringNames" | "describeMatch"> &
  Pick<typeof import("../../../api/search/answers/name-forms.ts"), "companyQueryForms">;

test("exchanging two lines changes clauses, reasons, highlights and the order of previous names", async () => {
  await withExchanged((search) => {
    const { allWords, scoreOf } = search;
    const query = search.companyQueryForms(Q);
    expect(allWords.tiers).toEqual(NAME_WAYS.beginningLetters.tiers);

    const filter = { match: { "names.text": { query: Q.toUpperCase(), operator: "and" } } };
    const clause = { constant_score: { filter, boost: scoreOf(allWords.tiers.previous ?? 0) } };
    expect(JSON.stringify(search.companyQuery(Q, "strict"))).toContain(JSON.stringify(clause));

    const { current: tier } = NAME_WAYS.beginningLetters.tiers;
    const source = { shown: { company_name: WORDS } };
    const hit: SearchHit = { index: "companies", id: "00912345", score: scoreOf(tier), source, sort: [] };
    expect(search.explainHit(hit, WORDS, query)).toMatchObject({ tier, reason: "all-words" });

    expect(search.describeMatch(query, WORDS, [LETTERS]).snippet).toBe("");
    expect(search.describeMatch(query, LETTERS, [WORDS])).toEqual({
      snippet: WORDS,
      matches: { title: [1, 5, 7, 14], snippet: [1, 5, 10, 14] },
    });

    const names = [LETTERS, WORDS].map((name) => ({ name }));
    expect(search.answeringNames(query, names, [])).toEqual(names.toReversed());
  });
});

/** Properties of the searches for random queries, most of them misspelt, over a register of many similar names. */
import { beforeAll, expect, test } from "@jest/globals";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { createRandom } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { queries, registerLines } from "../support/search-generators.ts";
import { idOfItem, openRegister, type SearchAnswer } from "../support/search-register.ts";

/** A query with many results in every search. */
const BROAD = "TARN";
const LONGEST_CURSOR_PAGE = 30;
/** The most that is read by offsets: beyond the paging window only cursors work. */
const BY_OFFSET = 900;

/** Why an item was found. */
interface Match {
  tier: number;
  reason: string;
  name: string;
  name_type: string;
}

/** An answer with explanations, suggestion and cursor. */
interface ExplainedAnswer extends Omit<SearchAnswer, "items"> {
  items: (SearchAnswer["items"][number] & { match?: Match })[];
  did_you_mean?: string;
  next_cursor?: string;
}

const lines = registerLines(createRandom(7));
const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(lines);
});

const PRIMARY: [path: string, more: RawQuery][] = [
  ["/search/companies", {}],
  ["/search/companies", { restrictions: "active-companies" }],
  ["/search/officers", {}],
  ["/search/disqualified-officers", {}],
  ["/search", {}],
];
const DISSOLVED: [path: string, more: RawQuery][] = [
  ["/dissolved-search/companies", { search_type: "best-match" }],
  ["/dissolved-search/companies", { search_type: "previous-name-dissolved" }],
];

/** The answer; a 404 counts as an answer without items. */
async function askFor(path: string, query: RawQuery): Promise<ExplainedAnswer> {
  try {
    return await register.ask(path, query);
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error;
    return { total_results: 0, items: [] };
  }
}

test.each([...PRIMARY, ...DISSOLVED])(
  "%s %j explains each item by a name that matches as stated, in tiers that never improve down a page",
  async (path, more) => {
    let several = 0;
    for (const q of queries(lines, 1)) {
      const { items } = await askFor(path, { ...more, q, explain: "true", ...sizeOf(path, 100) });
      const tiers = items.map(({ match }) => match?.tier ?? -1);
      expect([q, tiers]).toEqual([q, tiers.toSorted((a, b) => a - b)]);
      if (new Set(tiers).size > 1) several += 1;
      if (!path.endsWith("/companies")) continue;
      const matches = items.flatMap(({ match }) => match ?? []);
      expect([q, matches.filter((match) => !isTrue(q, match, path))]).toEqual([q, []]);
    }
    // Guards against a test without anything to explain.
    expect(several).toBeGreaterThan(0);
  },
  60_000,
);

const PREVIOUS_TIERS = new Set([3, 6, 8, 10, 12, 14, 21]);

function isTrue(q: string, match: Match, path: string): boolean {
  const isPrevious = PREVIOUS_TIERS.has(match.tier);
  // A whole name among other words may have a current name's tier, even if it is a former name.
  const isEither = match.reason === "name-among-other-words";
  if (path.startsWith("/search") && !isEither && isPrevious !== (match.name_type === "previous"))
    return false;
  const asked = parseCompanyName(q);
  const name = parseCompanyName(match.name);
  const holds = (test: (word: string, other: string) => boolean) =>
    asked.words.slice(0, 16).every((word) => name.words.some((other) => test(other, word)));
  switch (match.reason) {
    case "same-name":
      return name.key === asked.key;
    case "same-name-with-another-ending":
      return name.key === asked.key && name.end !== asked.end;
    case "begins-with-words":
      return `${name.words.join(" ")} `.startsWith(`${asked.words.join(" ")} `);
    case "begins-with-letters":
      // With a half-typed legal ending, the text is longer than the name.
      return name.key.startsWith(asked.key) || asked.key.startsWith(name.key);
    case "all-words":
      return holds((other, word) => other === word);
    case "beginnings-of-words":
      return holds((other, word) => other.startsWith(word));
    default:
      return true;
  }
}

test.each([...PRIMARY, ...DISSOLVED])(
  "%s %j suggests a text that then finds the same item without a suggestion",
  async (path, more) => {
    let corrections = 0;
    for (const q of queries(lines, 2, 40)) {
      const { did_you_mean: meant, items } = await askFor(path, { ...more, q });
      const [best] = items;
      if (meant === undefined || !best) continue;
      corrections += 1;
      const strict = await askFor(path, { ...more, q: meant, ...sizeOf(path, 100) });
      expect([q, meant, strict.did_you_mean]).toEqual([q, meant, undefined]);
      expect([q, meant, strict.items.map(idOfItem)]).toContainEqual(expect.arrayContaining([idOfItem(best)]));
    }
    expect(corrections).toBeGreaterThan(2);
  },
  60_000,
);

// search-cursor.test.ts tests that cursors of all searches give each result once.
test("/search gives the same results by cursors as by offsets", async () => {
  const random = createRandom(3);
  let most = 0;
  for (const q of [BROAD, ...queries(lines, 3, 3)]) {
    const byCursor = await readIds({ q }, () => 1 + random.below(LONGEST_CURSOR_PAGE));
    // About four pages, or pages of the largest size.
    const size = Math.min(Math.ceil(byCursor.length / 4), 100);
    const byOffset: string[] = [];
    for (let start = 0; start < Math.min(byCursor.length, BY_OFFSET); start += size) {
      const page = await askFor("/search", { q, items_per_page: String(size), start_index: String(start) });
      byOffset.push(...page.items.map(idOfItem));
    }
    expect([q, byOffset]).toEqual([q, byCursor.slice(0, BY_OFFSET)]);
    expect(new Set(byCursor).size).toBe(byCursor.length);
    most = Math.max(most, byCursor.length);
  }
  // More than one page of either kind.
  expect(most).toBeGreaterThan(LONGEST_CURSOR_PAGE);
}, 120_000);

/** Ids of all results, read by cursors in pages of this size. */
async function readIds(query: RawQuery, sizeOfPage: () => number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = "*"; cursor;) {
    const page: ExplainedAnswer = await askFor("/search", {
      ...query,
      cursor,
      items_per_page: String(sizeOfPage()),
    });
    ids.push(...page.items.map(idOfItem));
    cursor = page.next_cursor;
  }
  return ids;
}

function sizeOf(path: string, size: number): RawQuery {
  return path.startsWith("/dissolved") ? { size: String(size) } : { items_per_page: String(size) };
}

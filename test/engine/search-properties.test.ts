/** Properties of the searches over a crowded register and random queries, most of them with slips, on the real engine. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parseCompanyName } from "../../index-mappings/names/company-name.ts";
import type { RawQuery } from "../../api/core/query-parameters.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { manyCompanies } from "../support/search-many-companies.ts";
import {
  idOfItem,
  openRegister,
  type SearchAnswer,
  type SearchRegister,
} from "../support/search-register.ts";

const COMPANIES = 1_000;
const QUERIES = 60;
/** Finds much in every search. */
const BROAD = "TARN";
const LONGEST_CURSOR_PAGE = 30;
/** So many are read by offsets at most: past the window there are cursors only. */
const BY_OFFSET = 900;
const FORENAMES = ["Odile", "Ruth", "Jean-Luc", "Zoë", "A", "Ignatia Mary", "Corwin"];

/** Why an item is there. */
interface Match {
  tier: number;
  reason: string;
  name: string;
  name_type: string;
}

/** An answer with what the searches tell of themselves. */
interface ToldAnswer extends Omit<SearchAnswer, "items"> {
  items: (SearchAnswer["items"][number] & { match?: Match })[];
  did_you_mean?: string;
  next_cursor?: string;
}

const lines = registerLines(createRandom(7));
let register: SearchRegister;

beforeAll(async () => {
  register = await openRegister();
  await register.add(lines);
}, 60_000);

afterAll(() => register.close());

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

/** An answer; a 404 of what finds nothing is one without items. */
async function askFor(path: string, query: RawQuery): Promise<ToldAnswer> {
  try {
    return await register.ask(path, query);
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error;
    return { total_results: 0, items: [] };
  }
}

test.each([...PRIMARY.slice(0, 2), ...DISSOLVED])(
  "%s %j explains by a name that answers as it says",
  async (path, more) => {
    let explained = 0;
    for (const q of queries(4)) {
      const { items } = await askFor(path, { ...more, q, explain: "true", ...sizeOf(path, 100) });
      const matches = items.flatMap(({ match }) => match ?? []);
      expect([q, matches.filter((match) => !isTrue(q, match, path))]).toEqual([q, []]);
      explained += matches.length;
    }
    expect(explained).toBeGreaterThan(0);
  },
  60_000,
);

const PREVIOUS_TIERS = new Set([3, 6, 8, 10, 12, 14]);

function isTrue(q: string, match: Match, path: string): boolean {
  const isPrevious = PREVIOUS_TIERS.has(match.tier);
  if (path.startsWith("/search") && isPrevious !== (match.name_type === "previous")) return false;
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
      // Of a half-typed ending the name is all there is.
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
  "%s %j tells tiers that never get better down a page",
  async (path, more) => {
    let several = 0;
    for (const q of queries(1)) {
      const { items } = await askFor(path, { ...more, q, explain: "true", ...sizeOf(path, 100) });
      const tiers = items.map(({ match }) => match?.tier ?? -1);
      expect([q, tiers]).toEqual([q, tiers.toSorted((a, b) => a - b)]);
      if (new Set(tiers).size > 1) several += 1;
    }
    expect(several).toBeGreaterThan(0);
  },
  60_000,
);

test.each([...PRIMARY, ...DISSOLVED])(
  "%s %j means what it then finds as it stands",
  async (path, more) => {
    let corrections = 0;
    for (const q of queries(2)) {
      const { did_you_mean: meant, items } = await askFor(path, { ...more, q });
      const [best] = items;
      if (meant === undefined || !best) continue;
      corrections += 1;
      const strict = await askFor(path, { ...more, q: meant });
      expect([q, meant, strict.did_you_mean]).toEqual([q, meant, undefined]);
      expect([q, meant, await readIds(path, { ...more, q: meant })]).toContainEqual(
        expect.arrayContaining([idOfItem(best)]),
      );
    }
    expect(corrections).toBeGreaterThan(2);
  },
  60_000,
);

test.each([...PRIMARY, ...DISSOLVED.slice(0, 1)])(
  "%s %j reads by cursors what it reads by offsets",
  async (path, more) => {
    const random = createRandom(3);
    let most = 0;
    for (const q of [BROAD, ...queries(3).slice(0, 10)]) {
      const byCursor = await readIds(path, { ...more, q }, () => 1 + random.below(LONGEST_CURSOR_PAGE));
      // Some four pages, or longest ones.
      const size = Math.min(Math.ceil(byCursor.length / 4), 100);
      const byOffset: string[] = [];
      for (let start = 0; start < Math.min(byCursor.length, BY_OFFSET); start += size) {
        const page = await askFor(path, { ...more, q, ...sizeOf(path, size), start_index: String(start) });
        byOffset.push(...page.items.map(idOfItem));
      }
      expect([q, byOffset]).toEqual([q, byCursor.slice(0, BY_OFFSET)]);
      expect(new Set(byCursor).size).toBe(byCursor.length);
      most = Math.max(most, byCursor.length);
    }
    // More than a page of either kind.
    expect(most).toBeGreaterThan(LONGEST_CURSOR_PAGE);
  },
  120_000,
);

/** Ids of all that is found, by cursors, in pages of so many. */
async function readIds(path: string, query: RawQuery, sizeOfPage = () => 100): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = "*"; cursor;) {
    const page: ToldAnswer = await askFor(path, { ...query, cursor, ...sizeOf(path, sizeOfPage()) });
    ids.push(...page.items.map(idOfItem));
    cursor = page.next_cursor;
  }
  return ids;
}

function sizeOf(path: string, size: number): RawQuery {
  return path.startsWith("/dissolved") ? { size: String(size) } : { items_per_page: String(size) };
}

/** Companies of which some bear others' names as previous ones, and people with words of companies as names. */
function registerLines(random: Random): Parameters<SearchRegister["add"]>[0] {
  const companies = manyCompanies(COMPANIES, 11).map(({ line }) => line);
  const named = companies.map((line) => ({
    ...line,
    ...(random.below(3) === 0 && {
      previous_company_names: [
        { name: random.pick(companies).company_name, ceased_on: "2010-01-02" },
        { name: random.pick(companies).company_name, ceased_on: "2012-01-02" },
      ],
    }),
  }));
  const people = Array.from({ length: 400 }, (_, index) => ({
    officer_id: `officer-${index}`,
    ...(random.below(5) === 0
      ? { corporate_name: random.pick(companies).company_name }
      : {
          forename: random.pick(FORENAMES),
          surname: random
            .pick(companies)
            .company_name.split(" ")
            .slice(0, 1 + random.below(2))
            .join(" "),
        }),
    active_count: random.below(3),
    resigned_count: 1,
    ...(random.below(4) === 0 && { disqualified_until: "2099-01-01" }),
  }));
  return [...named, ...people] as Parameters<SearchRegister["add"]>[0];
}

/** Names of the register as people type them: some words of one, in any order, with slips. */
function queries(seed: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: QUERIES }, () => {
    const line = random.pick(lines) as {
      company_name?: string;
      corporate_name?: string;
      forename?: string;
      surname?: string;
    };
    const name = line.company_name ?? line.corporate_name ?? `${line.forename} ${line.surname}`;
    let words = name.split(" ").filter(Boolean);
    if (random.below(3) === 0) words = words.slice(0, 1 + random.below(words.length));
    if (random.below(4) === 0) words = words.toReversed();
    let text = words.join(" ");
    for (let slips = random.below(4); slips > 0; slips -= 1) text = withSlip(random, text);
    return text.trim() || name;
  });
}

function withSlip(random: Random, text: string): string {
  const at = random.below(text.length);
  const slip = random.below(5);
  if (slip === 0) return text.slice(0, at) + text.slice(at + 1);
  if (slip === 1) return text.slice(0, at) + random.pick([..."TAREX "]) + text.slice(at);
  if (slip === 2)
    return (
      text.slice(0, at) +
      text
        .slice(at, at + 2)
        .split("")
        .toReversed()
        .join("") +
      text.slice(at + 2)
    );
  return text.slice(0, at) + random.pick([..."TARWQ"]) + text.slice(at + 1);
}

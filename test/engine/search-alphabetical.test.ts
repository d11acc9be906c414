/** The alphabetical search of three thousand companies, against a plain model: walks both ways, windows and top hits. */
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { compareBytes, type KnownCompany, manyCompanies } from "../support/search-many-companies.ts";
import type { CompanyLine } from "../support/search-records.ts";
import { idsOf, openRegister, type SearchAnswer } from "../support/search-register.ts";

// The tests run hundreds of searches one after the other.
jest.setTimeout(300_000);

const SEED = 20261121;
// Thirty pages of the largest size: enough for long walks, and for many names that share parts.
const COMPANIES = 3_000;
const companies = manyCompanies(COMPANIES, SEED);

const ALL = { path: "/alphabetical-search/companies", params: {}, lettersOff: 24, known: companies };
const DISSOLVED = {
  path: "/dissolved-search/companies",
  params: { search_type: "alphabetical" },
  lettersOff: 14,
  known: companies.filter(({ line }) => line.company_status === "dissolved"),
};

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(companies.map(({ line }) => line));
});

const placesOf = (answer: SearchAnswer) => answer.items.map((item) => item.ordered_alpha_key_with_id ?? "");

/** The first position whose place does not sort before this text. */
function lowerBound(places: string[], text: string): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(places[middle] ?? "", text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstThatBegins(places: string[], beginning: string): number {
  const position = lowerBound(places, beginning);
  return places[position]?.startsWith(beginning) ? position : -1;
}

const squeeze = (name: string) => name.toLowerCase().replaceAll(/\s/g, "");

/** Rules 1 to 4 of search reference 3.1, implemented literally, letter by letter; -1 if they find nothing. */
function findTop(
  places: string[],
  squeezed: string[],
  query: { q: string; key: string },
  lettersOff: number,
) {
  const letters = [...query.key];
  for (let off = 0; off <= lettersOff && (off === 0 || letters.length - off >= 2); off += 1) {
    const rest = letters.slice(0, letters.length - off).join("");
    const rules = [firstThatBegins(places, `${rest}:`), firstThatBegins(places, rest)];
    const asWritten = squeeze(query.q);
    if (off === 0) rules.push(squeezed.findIndex((name) => name.startsWith(asWritten)));
    const found = rules.find((position) => position >= 0);
    if (found !== undefined) return found;
  }
  return -1;
}

/** How a query reached its top hit. */
function wayTo(place: string | undefined, key: string): string {
  if (place === undefined) return "nothing";
  if (place.startsWith(`${key}:`)) return "equal";
  return place.startsWith(key) ? "begins so" : "letters off or as written";
}

test("the companies cover equal keys, shared beginnings, one-letter keys, and bytes that sort unlike text", () => {
  const places = companies.map(({ sortKey }) => sortKey);
  const keys = places.map((place) => place.split(":")[0] ?? "");
  expect(new Set(places).size).toBe(COMPANIES);
  expect(new Set(keys).size).toBeLessThan(0.8 * COMPANIES);
  expect(keys.filter((key) => [...key].length === 1).length).toBeGreaterThan(10);
  expect(keys.filter((key) => key.startsWith("TARN")).length).toBeGreaterThan(COMPANIES / 5);
  expect(places.toSorted()).not.toEqual(places);
});

describe.each([ALL, DISSOLVED])("$path", ({ path, params, known, lettersOff }) => {
  const places = known.map(({ sortKey }) => sortKey);
  const companyAt = (position: number) => known.at(position)!; // there are hundreds
  const ask = (query: RawQuery) => register.ask(path, { ...params, ...query });

  test.each(["search_below", "search_after"])(
    "a walk down by %s, with pages of any size, meets each entry once, in order, under the same top hit",
    async (cursorName) => {
      const random = createRandom(SEED + 1);
      const top = places[firstThatBegins(places, "TARN:")];
      const seen: string[] = [];
      for (let cursor = "!"; cursor; cursor = seen.at(-1) ?? "") {
        const size = String(60 + random.below(41));
        const answer = await ask({ q: "tarn", [cursorName]: cursor, size });
        if (answer.items.length === 0) break;
        expect(answer.top_hit?.ordered_alpha_key_with_id).toBe(top);
        seen.push(...placesOf(answer));
      }
      expect(seen).toEqual(places);
    },
  );

  test.each(["search_above", "search_before"])(
    "a walk up by %s, with pages of any size, meets each entry once, in order",
    async (cursorName) => {
      const random = createRandom(SEED + 2);
      const pages: string[][] = [];
      for (let cursor = "\u{10ffff}"; cursor; cursor = pages.at(-1)?.[0] ?? "") {
        const size = String(60 + random.below(41));
        const page = placesOf(await ask({ q: "tarn", [cursorName]: cursor, size }));
        if (page.length === 0) break;
        pages.push(page);
      }
      expect(pages.toReversed().flat()).toEqual(places);
    },
  );

  test("walks at once with different sizes do not disturb each other", async () => {
    const walk = async (size: number) => {
      const seen: string[] = [];
      for (let page = 0; page < 5; page += 1) {
        const cursor = seen.at(-1) ?? "!";
        seen.push(...placesOf(await ask({ q: "tarn", search_below: cursor, size: String(size) })));
      }
      return seen;
    };
    const walks = await Promise.all([walk(3), walk(7), walk(100)]);
    expect(walks).toEqual([15, 35, 500].map((count) => places.slice(0, count)));
  });

  test("a cursor need not be a key of the register", async () => {
    const answer = await ask({ q: "tarn", search_below: `${places[70]}!`, size: "2" });
    expect(placesOf(answer)).toEqual(places.slice(71, 73));
  });

  /** Expects a window of this size around the first of the keys that are equal to the company's. */
  async function expectWindow({ line, core }: KnownCompany, size: number, query: RawQuery): Promise<void> {
    const { company_name: q } = line;
    const top = firstThatBegins(places, `${core.join("")}:`);
    const start = top - Math.floor(size / 2);
    const answer = await ask({ q, ...query });
    expect([q, answer.top_hit?.ordered_alpha_key_with_id]).toEqual([q, places[top]]);
    expect([q, placesOf(answer)]).toEqual([q, places.slice(Math.max(0, start), start + size)]);
  }

  test.each([
    ["one", 70, 1],
    ["two", 70, 2],
    ["a hundred", 70, 100],
    ["an even size, at the beginning", 0, 8],
    ["an odd size, near the beginning", 2, 9],
    ["an even size, at the end", -1, 8],
    ["an odd size, near the end", -3, 9],
  ])("half of a window of %s is above the first of equal keys", async (_case, position, size) => {
    await expectWindow(companyAt(position), size, { size: String(size) });
  });

  test("half of a window of any size is above the first of equal keys", async () => {
    const random = createRandom(SEED + 3);
    for (let round = 0; round < 25; round += 1) {
      const size = 1 + random.below(100);
      await expectWindow(random.pick(known), size, { size: String(size) });
    }
  });

  test("a window has 20 items by default, also when both cursors are given", async () => {
    await expectWindow(companyAt(70), 20, {});
    await expectWindow(companyAt(70), 20, { search_above: places[20], search_below: places[90] });
  });

  test("the top hit is the one that the rules find, letter by letter", async () => {
    const random = createRandom(SEED + 4);
    const ways = new Set<string>();
    const squeezed = known.map(({ line }) => squeeze(line.company_name));
    for (let round = 0; round < 80; round += 1) {
      const query = drawQuery(random, known);
      const place = places[findTop(places, squeezed, query, lettersOff)];
      const answer = await ask({ q: query.q, size: "1" }).catch((error: { status?: number }) => error);
      const given = "items" in answer ? answer.top_hit?.ordered_alpha_key_with_id : answer.status;
      expect([query.q, given]).toEqual([query.q, place ?? 404]);
      ways.add(wayTo(place, query.key));
    }
    expect([...ways].sort()).toEqual(["begins so", "equal", "letters off or as written", "nothing"]);
  });
});

// None of the three thousand names begins with these words or with a single V.
describe("the top hit", () => {
  const extra: CompanyLine[] = [
    { company_name: "VEXMOOR LTD", company_number: "91000002" },
    { company_name: "VEXMOOR PLC", company_number: "91000001", company_status: "dissolved" },
    { company_name: "VEXMOOR 2 LTD", company_number: "91000003" },
    { company_name: "VEXMOORABCDEFGHIJKLMNOPQRSTUVWXYZ LTD", company_number: "91000004" },
    { company_name: "THE XYLOMERE LTD PRESS", company_number: "91000005" },
    { company_name: "V", company_number: "91000006" },
    { company_name: "***", company_number: "91000007" },
    { company_name: "ŻÓŁWIN & SYN", company_number: "91000008" },
  ];
  beforeAll(() => register.add(extra));
  afterAll(() => register.remove(extra));

  test.each([
    ["the lowest number among equal keys", "Vexmoor Limited", "91000001"],
    ["a name with a number before the name alone, since digits sort before the colon", "vexmo", "91000003"],
    ["an equal key before a longer one", "vexmoor 2", "91000003"],
    ["a name that begins with the query only with its article", "thexyl", "91000005"],
    ["an equal key once letters are taken off", "vexmoorzzz", "91000001"],
    ["a longer key once letters are taken off", "vexmoorabd", "91000004"],
    ["an equal key once 24 letters are taken off", `vexmoor${"z".repeat(24)}`, "91000001"],
    ["a key of folded letters once letters are taken off", "żółwinz", "91000008"],
    ["a name of one letter", "v", "91000006"],
    ["a name of signs", "***", "91000007"],
    ["a key of folded letters, with signs as words", "zolwin and syn ltd", "91000008"],
  ])("is %s: %s", async (_rule, q, expected) => {
    const answer = await register.ask(ALL.path, { q });
    expect(answer.top_hit?.company_number).toBe(expected);
    expect(idsOf(answer)).toContain(expected);
  });

  test("is a dissolved company in the dissolved search", async () => {
    const answer = await register.ask(DISSOLVED.path, { q: "vexmoor 2", ...DISSOLVED.params });
    expect(answer.top_hit?.company_number).toBe("91000001");
    expect(answer).not.toHaveProperty("hits");
  });

  test.each([
    ["25 letters would have to be taken off", ALL.path, { q: `vexmoor${"z".repeat(25)}` }],
    ["only one letter would be left", ALL.path, { q: "qzzz" }],
    ["no name begins so", ALL.path, { q: "00000" }],
    ["the query is an invisible character", ALL.path, { q: "\u200b" }],
    [
      "15 letters would have to be taken off, in the dissolved search",
      DISSOLVED.path,
      { q: `vexmoor${"z".repeat(15)}`, ...DISSOLVED.params },
    ],
  ])("is missing, and the answer a 404, if %s", async (_case, path, query) => {
    await expect(register.ask(path, query)).rejects.toMatchObject({
      status: 404,
      details: [{ type: "ch:service", error: "companies-not-found" }],
    });
  });
});

const STRAY = ["", "A", "ZZ", "BEB", ...[13, 14, 15, 24, 25].map((count) => "W".repeat(count))];

/**
 * Draws keys and beginnings of keys, half of them followed by letters that lead nowhere. Now and then it draws the
 * beginning of a name with THE, which only rule 3 finds. Each query is one word, so none has a legal ending.
 */
function drawQuery(random: Random, known: KnownCompany[]): { q: string; key: string } {
  const { core, line } = random.pick(known);
  if (random.below(10) === 0 && line.company_name.startsWith("THE ")) return { q: "thet", key: "THET" };
  const letters = [...core.join("")];
  const kept = random.below(3) === 0 ? letters : letters.slice(0, 1 + random.below(letters.length));
  const key = kept.join("") + (random.below(2) === 0 ? "" : random.pick(STRAY));
  return { q: random.below(2) === 0 ? key.toLowerCase() : key, key };
}

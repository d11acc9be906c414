/** Three thousand companies in alphabetical order: walks both ways, windows and top hits, against a plain model. */
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { compareBytes, type KnownCompany, manyCompanies } from "../support/search-many-companies.ts";
import { openRegister, type SearchAnswer } from "../support/search-register.ts";

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

describe("the companies", () => {
  test("cover equal keys, shared beginnings, keys of one letter, and bytes that sort differently from text", () => {
    const places = companies.map(({ place }) => place);
    const keys = places.map((place) => place.split(":")[0] ?? "");
    expect(new Set(places).size).toBe(COMPANIES);
    expect(new Set(keys).size).toBeLessThan(0.8 * COMPANIES);
    expect(keys.filter((key) => [...key].length === 1).length).toBeGreaterThan(10);
    expect(keys.filter((key) => key.startsWith("TARN")).length).toBeGreaterThan(COMPANIES / 5);
    expect(places.toSorted()).not.toEqual(places);
  });
});

describe.each([ALL, DISSOLVED])("$path", (range) => {
  const { path, params, known } = range;
  const places = known.map(({ place }) => place);
  const ask = (query: RawQuery) => register.ask(path, { ...params, ...query });

  test("a walk down by search_below, with pages of any size, meets each entry once, in order", async () => {
    const random = createRandom(SEED + 1);
    const seen: string[] = [];
    for (let cursor = "!"; cursor; cursor = seen.at(-1) ?? "") {
      const page = placesOf(
        await ask({ q: "tarn", search_below: cursor, size: String(60 + random.below(41)) }),
      );
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen).toEqual(places);
  });

  test("a walk up by search_above, with pages of any size, meets each entry once, in order", async () => {
    const random = createRandom(SEED + 2);
    const pages: string[][] = [];
    for (let cursor = "\u{10ffff}"; cursor; cursor = pages.at(-1)?.[0] ?? "") {
      const page = placesOf(
        await ask({ q: "tarn", search_above: cursor, size: String(60 + random.below(41)) }),
      );
      if (page.length === 0) break;
      pages.push(page);
    }
    expect(pages.toReversed().flat()).toEqual(places);
  });

  test("two walks at once with different sizes do not disturb each other", async () => {
    const walk = async (size: number) => {
      const seen: string[] = [];
      for (let page = 0; page < 5; page += 1) {
        seen.push(
          ...placesOf(await ask({ q: "tarn", search_below: seen.at(-1) ?? "!", size: String(size) })),
        );
      }
      return seen;
    };
    const walks = await Promise.all([walk(3), walk(7), walk(100)]);
    expect(walks).toEqual([15, 35, 500].map((count) => places.slice(0, count)));
  });

  test("a window of any size is around the first of equal keys", async () => {
    const random = createRandom(SEED + 3);
    for (let round = 0; round < 25; round += 1) {
      const { line, core } = random.pick(known);
      const size = 1 + random.below(100);
      const top = firstThatBegins(places, `${core.join("")}:`);
      const start = top - Math.floor(size / 2);
      const answer = await ask({ q: line.company_name, size: String(size) });
      expect([line.company_name, answer.top_hit?.ordered_alpha_key_with_id]).toEqual([
        line.company_name,
        places[top],
      ]);
      expect([line.company_name, placesOf(answer)]).toEqual([
        line.company_name,
        places.slice(Math.max(0, start), start + size),
      ]);
    }
  });

  test("the top hit is the one that the rules find, letter by letter", async () => {
    const random = createRandom(SEED + 4);
    const ways = new Set<string>();
    const squeezed = known.map(({ line }) => squeeze(line.company_name));
    for (let round = 0; round < 80; round += 1) {
      const query = drawQuery(random, known);
      const place = places[findTop(places, squeezed, query, range.lettersOff)];
      const answer = await ask({ q: query.q, size: "1" }).catch((error: { status?: number }) => error);
      const given = "items" in answer ? answer.top_hit?.ordered_alpha_key_with_id : answer.status;
      expect([query.q, given]).toEqual([query.q, place ?? 404]);
      ways.add(wayTo(place, query.key));
    }
    expect([...ways].sort()).toEqual(["begins so", "equal", "letters off or as written", "nothing"]);
  });
});

const STRAY = [
  "",
  "A",
  "ZZ",
  "BEB",
  "W".repeat(13),
  "W".repeat(14),
  "W".repeat(15),
  "W".repeat(24),
  "W".repeat(25),
];

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

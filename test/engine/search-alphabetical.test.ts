/** The alphabetical search on the real engine: its top hit, its pages, and walks by cursor. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import type { CompanyLine } from "../support/search-records.ts";
import { idsOf, openRegister, type SearchAnswer } from "../support/search-register.ts";

const COUNT = 300;

// Every key exists twice, so that the number decides; every second company is dissolved.
const lines: CompanyLine[] = Array.from({ length: COUNT }, (_, index) => ({
  company_name: `TARN ${String((Math.floor(index / 2) * 7919) % 1000).padStart(3, "0")} LTD`,
  company_number: String(80_000_000 + ((index * 7919) % 100_000)),
  company_status: index % 2 ? "dissolved" : "active",
}));

const keyOf = ({ company_name, company_number }: CompanyLine) =>
  `${company_name.replace(" LTD", "").replaceAll(/[^A-Z0-9]/g, "")}:${company_number}`;
const inOrder = (some: CompanyLine[]) => some.map(keyOf).sort();
const keysOf = (answer: SearchAnswer) => answer.items.map((item) => item.ordered_alpha_key_with_id ?? "");

/** The loop of search reference 3.1, which the search replaces by one query. */
function findByLoop(key: string, keys: string[]): string | undefined {
  for (let letters = key.length; letters >= 2; letters -= 1) {
    const rest = key.slice(0, letters);
    const found = keys.find((one) => one.startsWith(`${rest}:`)) ?? keys.find((one) => one.startsWith(rest));
    if (found) return found;
  }
  return undefined;
}

const ALL = { path: "/alphabetical-search/companies", params: {}, keys: inOrder(lines) };
const DISSOLVED = {
  path: "/dissolved-search/companies",
  params: { search_type: "alphabetical" },
  keys: inOrder(lines.filter((line) => line.company_status === "dissolved")),
};

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(lines);
});

describe.each([ALL, DISSOLVED])("$path", ({ path, params, keys }) => {
  const ask = (query: RawQuery) => register.ask(path, { ...params, ...query });
  const nameAt = (place: number) => keys[place]?.split(":")[0]?.replace("TARN", "TARN ") ?? "";
  /** The position of the first entry with the same key. */
  const firstOf = (place: number) =>
    keys.findIndex((key) => key.startsWith(`${keys[place]?.split(":")[0]}:`));

  test.each([
    ["even, in the middle", 70, 8],
    ["odd, in the middle", 70, 7],
    ["of two", 70, 2],
    ["of one", 70, 1],
    ["even, at the beginning", 0, 8],
    ["odd, near the beginning", 2, 9],
    ["even, at the end", -1, 8],
    ["odd, near the end", -3, 9],
    ["of a hundred", 70, 100],
  ])("the window %s", async (_case, position, size) => {
    const place = firstOf(position < 0 ? keys.length + position : position);
    const above = Math.floor(size / 2);
    const answer = await ask({ q: nameAt(place), size: String(size) });
    expect(answer.top_hit?.ordered_alpha_key_with_id).toBe(keys[place]);
    expect(keysOf(answer)).toEqual(keys.slice(Math.max(0, place - above), place - above + size));
  });

  test("has 20 items by default: ten above, the hit, nine below", async () => {
    const place = firstOf(70);
    const answer = await ask({ q: nameAt(place) });
    expect(keysOf(answer)).toEqual(keys.slice(place - 10, place + 10));
  });

  test("gives the same window when both cursors are given", async () => {
    const q = nameAt(70);
    const both = await ask({ q, search_above: keys[20], search_below: keys[90] });
    expect(keysOf(both)).toEqual(keysOf(await ask({ q })));
  });

  test.each(["search_below", "search_after"])(
    "a walk by %s meets each entry once, ascending",
    async (name) => {
      const seen: string[] = [];
      let cursor = "0";
      for (let page = 0; page <= keys.length / 7 + 1 && cursor; page += 1) {
        const answer = await ask({ q: "tarn", [name]: cursor, size: "7" });
        expect(answer.top_hit?.ordered_alpha_key_with_id).toBe(keys[0]);
        seen.push(...keysOf(answer));
        cursor = keysOf(answer).at(-1) ?? "";
      }
      expect(seen).toEqual(keys);
    },
  );

  test.each(["search_above", "search_before"])(
    "a walk by %s meets each entry once, page by page",
    async (name) => {
      const seen: string[] = [];
      let cursor = "ZZZZ";
      for (let page = 0; page <= keys.length / 8 + 1 && cursor; page += 1) {
        const items = keysOf(await ask({ q: "tarn", [name]: cursor, size: "8" }));
        seen.unshift(...items);
        cursor = items[0] ?? "";
      }
      expect(seen).toEqual(keys);
    },
  );

  test("finds what removing letters one by one would find", async () => {
    const queries = Array.from({ length: 60 }, (_, index) =>
      `TARN${(index * 40_503) % 2000}X`.slice(0, 2 + (index % 8)),
    );
    for (const key of queries) {
      const answer = await ask({ q: key, size: "1" });
      expect([key, answer.top_hit?.ordered_alpha_key_with_id]).toEqual([key, findByLoop(key, keys)]);
    }
  });

  test("accepts a cursor that is not a key of the register", async () => {
    const answer = await ask({ q: "tarn", search_below: `${keys[70]}!`, size: "2" });
    expect(keysOf(answer)).toEqual(keys.slice(71, 73));
  });
});

describe("the top hit", () => {
  const extra: CompanyLine[] = [
    { company_name: "QUILLORY LTD", company_number: "91000002" },
    { company_name: "QUILLORY PLC", company_number: "91000001", company_status: "dissolved" },
    { company_name: "QUILLORY 2 LTD", company_number: "91000003" },
    { company_name: "QUILLORYABCDEFGHIJKLMNOPQRSTUVWXYZ LTD", company_number: "91000004" },
    { company_name: "THE XYLOMERE LTD PRESS", company_number: "91000005" },
    { company_name: "X", company_number: "91000006" },
    { company_name: "***", company_number: "91000007" },
    { company_name: "ŻÓŁWIN & SYN", company_number: "91000008" },
  ];
  beforeAll(() => register.add(extra));
  afterAll(() => register.remove(extra));

  test.each([
    ["an equal key, the lowest number", "Quillory Limited", "91000001"],
    ["a name with a number before the name alone, since digits sort before the colon", "quillo", "91000003"],
    ["an equal key before a longer one", "quillory 2", "91000003"],
    ["a name that begins so before its article is removed", "the", "91000005"],
    ["letters off, to an equal key", "quilloryzzz", "91000001"],
    ["letters off, to a longer key", "quilloryabd", "91000004"],
    ["letters off: 24 are not too many", `quillory${"z".repeat(24)}`, "91000001"],
    ["letters off, past the last key", "żółwinz", "91000008"],
    ["one letter", "x", "91000006"],
    ["signs", "***", "91000007"],
    ["folded letters, signs as words", "zolwin and syn ltd", "91000008"],
  ])("%s: %s", async (_rule, q, expected) => {
    const answer = await register.ask(ALL.path, { q });
    expect(answer.top_hit?.company_number).toBe(expected);
    expect(idsOf(answer)).toContain(expected);
  });

  test("is a dissolved company in the dissolved search", async () => {
    const answer = await register.ask(DISSOLVED.path, { q: "quillory 2", ...DISSOLVED.params });
    expect(answer.top_hit?.company_number).toBe("91000001");
    expect(answer).not.toHaveProperty("hits");
  });

  test.each([
    ["25 letters off", ALL.path, { q: `quillory${"z".repeat(25)}` }],
    ["down to one letter", ALL.path, { q: "qzzz" }],
    ["nothing in common", ALL.path, { q: "00000" }],
    ["an invisible character", ALL.path, { q: "\u200b" }],
    ["15 letters off, dissolved", DISSOLVED.path, { q: `quillory${"z".repeat(15)}`, ...DISSOLVED.params }],
  ])("is missing for %s: 404", async (_case, path, query) => {
    await expect(register.ask(path, query)).rejects.toMatchObject({
      status: 404,
      details: [{ type: "ch:service", error: "companies-not-found" }],
    });
  });
});

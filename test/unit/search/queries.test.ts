/** Query bodies of the searches, compared with stored ones; UPDATE=1 stores them again, for a reviewer to read. */
import { describe, expect, test } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { searches } from "../../../api/search/index.ts";
import { askedBodies } from "../../support/company-searches.ts";
import { expectStored } from "../../support/stored-queries.ts";

const CASES: [name: string, path: string, query: RawQuery][] = [
  ["companies", "/search/companies", { q: "Quillory & Press Ltd", items_per_page: "7", start_index: "14" }],
  ["companies-one-word", "/search/companies", { q: "tarnwick" }],
  ["companies-number", "/search/companies", { q: "sc 90123", restrictions: "active-companies" }],
  ["companies-signs-only", "/search/companies", { q: "***" }],
  [
    "companies-same-as",
    "/search/companies",
    { q: "Four Tarnwicks & Co", restrictions: "active-companies legally-equivalent-company-name" },
  ],
  ["officers", "/search/officers", { q: "Dr Odile van Tarn" }],
  ["officers-one-word", "/search/officers", { q: "tarn" }],
  ["officers-surname-first", "/search/officers", { q: "van Tarn, Odile Ruth" }],
  ["officers-number", "/search/officers", { q: "company no. 912345" }],
  ["disqualified-officers", "/search/disqualified-officers", { q: "Odile Tarn" }],
  ["all", "/search", { q: "Odile Tarn" }],
];

describe("query bodies", () => {
  test.each(CASES)("are those stored as %s", async (name, path, query) => {
    expectStored(name, await buildBodies(path, query));
  });

  test("are first the strict one, then the tolerant one", async () => {
    const [strict, tolerant, ...more] = await buildBodies("/search/companies", { q: "tarnw" });
    // One edit of the whole key is cheap; words are tried in other spellings only if nothing is found as typed.
    expect(JSON.stringify(strict)).not.toContain('"near_spelling"');
    expect(JSON.stringify(strict)).not.toContain('"fuzziness":2');
    expect(JSON.stringify(tolerant)).toContain('"near_spelling":{"field":"names.text"');
    expect(more).toEqual([]);
  });

  test("a key that is longer than any name is only looked up exactly", async () => {
    const tolerant = async (q: string) => JSON.stringify((await buildBodies("/search/companies", { q }))[1]);
    const nearKey = '"fuzzy":{"names.key"';
    expect(await tolerant("t".repeat(160))).toContain(nearKey);
    // Each sign stands for four words, of fifteen letters together.
    expect(await tolerant("ﷺ".repeat(160))).not.toContain(nearKey);
  });

  test.each([
    ["/search/companies", "tarnw", "tarnwi"],
    ["/search/officers", "al tar", "al tarn"],
  ])(
    "of %s find no near names for a name of five letters, as %j, but for one of six",
    async (path, five, six) => {
      const strict = async (q: string) => JSON.stringify((await buildBodies(path, { q }))[0]);
      expect(await strict(five)).not.toContain('"fuzzy"');
      expect(await strict(six)).toContain('"fuzzy"');
    },
  );

  test("words after the sixteenth are ignored", async () => {
    const words = Array.from({ length: 20 }, (_, index) => `W${index}`);
    const [strict] = await buildBodies("/search/companies", { q: words.join(" ") });
    const matched = /"query":"([^"]*)"/.exec(JSON.stringify(strict))?.[1];
    expect(matched).toBe(words.slice(0, 16).join(" "));
  });

  test.each([
    ["/search", `${"%".repeat(159)}a`],
    ["/search/companies", `${"%".repeat(159)}a`],
    ["/search/officers", "ﷺ".repeat(160)],
    ["/search/officers", `${"ﷺ".repeat(157)} MA`],
    ["/search", "ﷺ".repeat(160)],
    ["/search", `St A ${"%".repeat(155)}`],
    ["/search", `St A ${"%".repeat(10)}`],
    ["/search", "Mr St Abel St Bede St Cara St Dunn St Edda St Finn née St Gall"],
    ["/search/officers", `St A née St ${"ﷺ".repeat(148)}`],
  ])(
    "of %s for signs that each stand for words have no more clauses than the engine accepts: %j",
    async (path, q) => {
      const counts = (await buildBodies(path, { q })).map(countLeaves);
      expect(counts.length).toBeGreaterThan(1);
      // A small engine refused 7,500; a pasted address has 1,800.
      expect(Math.max(...counts)).toBeLessThan(4000);
    },
  );
});

describe("parameters", () => {
  const primary = searches.map((search) => search.path).filter((path) => path.startsWith("/search"));

  test.each(primary)("of %s have their defaults and limits", (path) => {
    expect(valuesOf(path, { q: "tarn" })).toMatchObject({ items_per_page: 20, start_index: 0 });
    expect(valuesOf(path, { q: "tarn", items_per_page: "500" })).toMatchObject({ items_per_page: 100 });
    expect(valuesOf(path, { q: "tarn", start_index: "999" })).toMatchObject({ start_index: 999 });
    expect(() => valuesOf(path, {})).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => valuesOf(path, { q: "t".repeat(161) })).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => valuesOf(path, { q: "tarn", start_index: "1000" })).toThrow(
      expect.objectContaining({ status: 416, details: [] }),
    );
  });
});

function find(path: string) {
  const search = searches.find((candidate) => candidate.path === path);
  if (!search) throw new Error(`there is no search ${path}`);
  return search;
}

function valuesOf(path: string, query: RawQuery) {
  return parseQuery(find(path).parameters, query);
}

/** The bodies that a search sends when it finds nothing. */
async function buildBodies(path: string, query: RawQuery): Promise<unknown[]> {
  return (await askedBodies(find(path), valuesOf(path, query), [])).flat();
}

const LEAVES = new Set(["term", "terms", "prefix", "fuzzy", "near_spelling"]);

/** The clauses of a body that contain no others; a match counts one for each word. */
function countLeaves(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  return Object.entries(part).reduce((sum, [kind, inner]) => {
    if (kind === "match") return sum + JSON.stringify(inner).split(" ").length;
    return sum + (LEAVES.has(kind) ? 1 : countLeaves(inner));
  }, 0);
}

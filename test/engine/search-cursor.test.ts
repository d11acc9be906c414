/** Cursors on the real engine: every result once, in page order, beyond the window and during writes. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { ApiError } from "../../api/shared/runtime/errors.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import {
  idOf,
  idOfItem,
  openRegister,
  type SearchAnswer,
  type SearchRegister,
} from "../support/search-register.ts";

const COMPANIES = 1_130;
const OFFICERS = 130;

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add([
    ...Array.from({ length: COMPANIES }, (_, index) => ({
      company_number: String(10_000_000 + index),
      company_name: `TARNFELL ${index % 7 === 0 ? "PRESS " : ""}${index} LIMITED`,
      company_status: index % 3 === 0 ? "dissolved" : "active",
    })),
    ...Array.from({ length: OFFICERS }, (_, index) => ({
      officer_id: `officer-${index}`,
      forename: `Odile${index % 9}`,
      surname: "TARNFELL",
      active_count: index % 4,
      resigned_count: 1,
    })),
    { officer_id: "disqualified", forename: "Odile", surname: "TARNFELL", disqualified_until: "2099-01-01" },
  ] as Parameters<SearchRegister["add"]>[0]);
});

/** Ids on all pages from a first cursor; `between` runs after each page. */
async function readAll(path: string, query: RawQuery, between?: () => Promise<void>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined = "*";
  for (let page = 0; cursor; page += 1) {
    if (page > 400) throw new Error("the cursors do not end");
    const answer: SearchAnswer & { next_cursor?: string; start_index?: number } = await register.ask(path, {
      ...query,
      cursor,
    });
    if (answer.start_index !== undefined) expect(answer.start_index).toBe(ids.length);
    ids.push(...answer.items.map(idOfItem));
    cursor = answer.next_cursor;
    await between?.();
  }
  return ids;
}

describe("a cursor returns every result once", () => {
  test.each<[string, RawQuery, number]>([
    ["/search/companies", { q: "tarnfell", items_per_page: "100" }, COMPANIES],
    ["/search/companies", { q: "tarnfell press", items_per_page: "7" }, 162],
    ["/search/companies", { q: "tarnfel pres", items_per_page: "50" }, 162],
    ["/search/officers", { q: "tarnfell", items_per_page: "9" }, OFFICERS],
    ["/search/disqualified-officers", { q: "tarnfell" }, 1],
    ["/search", { q: "tarnfell", items_per_page: "100" }, COMPANIES + OFFICERS + 1],
    ["/search", { q: "tarnfelk", items_per_page: "100" }, COMPANIES + OFFICERS + 1],
    ["/advanced-search/companies", { company_name_includes: "tarnfell", size: "300" }, COMPANIES],
    ["/dissolved-search/companies", { q: "tarnfell", search_type: "best-match", size: "50" }, 377],
  ])("%s %j", async (path, query, count) => {
    const ids = await readAll(path, query);
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
  });
});

test("records written meanwhile neither repeat nor hide results", async () => {
  let written = 0;
  const ids = await readAll("/search/companies", { q: "tarnfell", items_per_page: "100" }, async () => {
    written += 1;
    await register.add([
      { company_number: `SC90000${written % 10}`, company_name: `TARNFELL A${written} LIMITED` },
      { company_number: `NI90000${written % 10}`, company_name: `TARNFELL ZZ${written} LIMITED` },
    ]);
  });
  const initial = ids.filter((id) => id.startsWith("1"));
  expect(initial).toHaveLength(COMPANIES);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each<[string, RawQuery]>([
  ["/search/companies", { q: "vanfell", items_per_page: "5" }],
  ["/advanced-search/companies", { company_name_includes: "vanfell", size: "5" }],
  ["/dissolved-search/companies", { q: "vanfell", search_type: "best-match", size: "5" }],
])("results that disappear after they were read hide none of the rest: %s %j", async (path, query) => {
  const lines = Array.from({ length: 15 }, (_, index) => ({
    company_number: String(30_000_000 + index),
    company_name: `VANFELL ${String.fromCharCode(65 + index)} LIMITED`,
    company_status: "dissolved",
  }));
  await register.add(lines);
  let read = 0;
  const ids = await readAll(path, query, async () => {
    await register.remove(lines.slice(read, read + 5));
    read += 5;
  });
  expect(ids).toEqual(lines.map(idOf));
});

describe("a page by cursor", () => {
  test("states its position, accepts another size, and refuses another query", async () => {
    const first = await register.ask("/search/officers", {
      q: "tarnfell",
      items_per_page: "10",
      cursor: "*",
    });
    const { next_cursor: cursor } = first as unknown as { next_cursor: string };
    const second = await register
      .ask("/search/officers", { q: "Tarnfell", items_per_page: "30", cursor })
      .catch((error: unknown) => error);
    expect(second).toMatchObject({ status: 400, details: [{ location: "cursor" }] });
    expect(
      await register.ask("/search/officers", {
        q: "tarnfell",
        items_per_page: "30",
        cursor,
        explain: "true",
      }),
    ).toMatchObject({ start_index: 10, page_number: 1, total_results: OFFICERS });
  });

  test("needs a cursor in the request to have a next one", async () => {
    expect(await register.ask("/search/officers", { q: "tarnfell" })).not.toHaveProperty("next_cursor");
  });
});

const encode = (list: unknown) => Buffer.from(JSON.stringify(list)).toString("base64url");

describe("an invalid cursor is refused", () => {
  test.each(["x", "**", encode([]), encode({}), encode(["00000000", 0, 10, ["A"]]), "%%%"])(
    "%s",
    async (cursor) => {
      await expect(register.ask("/search/companies", { q: "tarnfell", cursor })).rejects.toMatchObject({
        status: 400,
        details: [{ error: "invalid-parameter", location: "cursor" }],
      });
    },
  );
});

describe("a forged cursor is refused, and never causes an engine error", () => {
  const WRONG = [null, true, {}, [], "x", "", "\ud800", -1, 1.5, 2 ** 53, 2 ** 63];

  async function decoded(path: string, query: RawQuery): Promise<[string, string, number, unknown[]]> {
    const answer = (await register.ask(path, { ...query, cursor: "*" })) as unknown as {
      next_cursor: string;
    };
    return JSON.parse(Buffer.from(answer.next_cursor, "base64url").toString()) as never; // its own four members
  }

  test.each<[string, RawQuery]>([
    ["/search", { q: "tarnfell" }],
    ["/search/companies", { q: "tarnfelk" }],
    ["/search/officers", { q: "tarnfell" }],
    ["/advanced-search/companies", {}],
    ["/dissolved-search/companies", { q: "tarnfell", search_type: "best-match" }],
  ])("%s %j", async (path, query) => {
    const [question, phase, offset, after] = await decoded(path, query);
    const forged = [
      ...WRONG.flatMap((wrong) => [
        [wrong, phase, offset, after],
        [question, wrong, offset, after],
        [question, phase, wrong, after],
        [question, phase, offset, wrong],
        ...after.map((_value, place) => [question, phase, offset, after.with(place, wrong)]),
      ]),
      [question, phase, offset, after.slice(1)],
      [question, phase, offset, [...after, 1]],
      [question, phase],
    ];
    // Cursors of a former version, in which phases were numbers.
    for (const number of [0, 1, 2])
      expect(await statusOf(path, { ...query, cursor: encode([question, number, offset, after]) })).toBe(400);
    const texts = forged.map(encode);
    const statuses = await Promise.all(texts.map((cursor) => statusOf(path, { ...query, cursor })));
    const others = texts.filter((_text, place) => ![200, 400].includes(statuses[place] ?? 0));
    expect(others.map((text) => Buffer.from(text, "base64url").toString())).toEqual([]);
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(20);
  });

  async function statusOf(path: string, query: RawQuery): Promise<number> {
    try {
      await register.ask(path, query);
      return 200;
    } catch (error) {
      // An engine's error comes back as it is, and would be a 500 to the client.
      return error instanceof ApiError ? error.status : 500;
    }
  }
});

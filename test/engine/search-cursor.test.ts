/** Cursors on the real engine: all results, each once, in the order of the pages, past the window and beside writes. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { RawQuery } from "../../api/core/query-parameters.ts";
import {
  idOfItem,
  openRegister,
  type SearchAnswer,
  type SearchRegister,
} from "../support/search-register.ts";

const COMPANIES = 1_130;
const OFFICERS = 130;

let register: SearchRegister;

beforeAll(async () => {
  register = await openRegister();
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

afterAll(() => register.close());

/** Ids of all pages from a cursor on; `between` is run after each page. */
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

describe("all results, each once", () => {
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

  test("in the order of the pages by offset", async () => {
    const ids = await readAll("/search", { q: "odile tarnfell", items_per_page: "20" });
    for (let start = 0; start < ids.length; start += 50) {
      const page = await register.ask("/search", {
        q: "odile tarnfell",
        items_per_page: "50",
        start_index: String(start),
      });
      expect(page.items.map(idOfItem)).toEqual(ids.slice(start, start + 50));
    }
  });
});

test("what is written in between neither repeats nor hides what was there", async () => {
  let written = 0;
  const ids = await readAll("/search/companies", { q: "tarnfell", items_per_page: "100" }, async () => {
    written += 1;
    await register.add([
      { company_number: `SC90000${written % 10}`, company_name: `TARNFELL A${written} LIMITED` },
      { company_number: `NI90000${written % 10}`, company_name: `TARNFELL ZZ${written} LIMITED` },
    ]);
  });
  const there = ids.filter((id) => id.startsWith("1"));
  expect(there).toHaveLength(COMPANIES);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("a page says where it stands", () => {
  test("and its size may change", async () => {
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

  test("without a cursor there is no next one", async () => {
    expect(await register.ask("/search/officers", { q: "tarnfell" })).not.toHaveProperty("next_cursor");
  });
});

describe("what is no cursor is refused", () => {
  const forged = (list: unknown) => Buffer.from(JSON.stringify(list)).toString("base64url");

  test.each(["x", "**", forged([]), forged({}), forged(["00000000", 0, 10, ["A"]]), "%%%"])(
    "%s",
    async (cursor) => {
      await expect(register.ask("/search/companies", { q: "tarnfell", cursor })).rejects.toMatchObject({
        status: 400,
        details: [{ error: "invalid-parameter", location: "cursor" }],
      });
    },
  );
});

/** Paging and odd queries on the real engine: no result twice, none missing, and no engine error. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { idsOf, openRegister, type RegisterLine } from "../support/search-register.ts";

const PATHS = ["/search", "/search/companies", "/search/officers", "/search/disqualified-officers"];
const COUNT = 150;

// Groups of equals: names, statuses and counts repeat, and only the identity differs.
function manyAlike(): RegisterLine[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const id = String((index * 7919) % 100_000).padStart(27, "i");
    const suffix = ["", " MILLS", " MILLS", " STORES NORTH"][index % 4] ?? "";
    const person = {
      forename: "Odile",
      other_forenames: suffix.trim(),
      surname: "TARNWICK",
      active_count: index % 3,
    };
    return [
      {
        company_name: `TARNWICK${suffix} LTD`,
        company_number: String(80_000_000 + ((index * 7919) % 100_000)),
      },
      { officer_id: id, ...person, resigned_count: 1 },
      {
        officer_id: id.replaceAll("i", "d"),
        ...person,
        disqualified_until: index % 2 ? "2099-01-01" : "2010-01-01",
      },
    ] satisfies RegisterLine[];
  }).flat();
}

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(manyAlike());
});

describe.each(PATHS)("%s", (path) => {
  test.each([["tarnwick"], ["tarnwyck"]])("pages of 7 for %s contain every result once", async (q) => {
    const ids: string[] = [];
    let total = Infinity;
    for (let start = 0; start < total; start += 7) {
      const answer = await register.ask(path, { q, items_per_page: "7", start_index: String(start) });
      total = answer.total_results;
      expect(answer).toMatchObject({ items_per_page: 7, start_index: start, page_number: start / 7 + 1 });
      ids.push(...idsOf(answer));
    }
    expect(total).toBe(path === "/search" ? 3 * COUNT : COUNT);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  test("answers a page of one, and an offset between pages", async () => {
    const [all, one] = await Promise.all([
      register.ask(path, { q: "tarnwick", items_per_page: "20" }),
      register.ask(path, { q: "tarnwick", items_per_page: "1", start_index: "13" }),
    ]);
    expect(idsOf(one)).toEqual([idsOf(all)[13]]);
    expect(one).toMatchObject({ items_per_page: 1, start_index: 13, page_number: 14 });
  });

  test.each([
    ["nothing to find", "zzzzqqqqxxxx"],
    ["signs only", "***"],
    ["a comma only", ","],
    ["query syntax", 'name:* AND (a OR "b") ~2 /x/ \\'],
    ["an ending only", "limited"],
    ["a title only", "Dr"],
    ["one letter", "t"],
    ["nine digits", "123456789"],
    ["a long word", "T".repeat(160)],
    ["many words", "a b ".repeat(40).trim()],
    ["many longer words", "tarn wick ".repeat(16).trim()],
    ["other alphabets", "Ελλάς 株式会社 🙂"],
  ])("answers %s", async (_case, q) => {
    const answer = await register.ask(path, { q });
    expect(answer.items.length).toBeLessThanOrEqual(answer.total_results);
  });

  test("answers a page beyond the end with no items and the same total", async () => {
    const answer = await register.ask(path, { q: "tarnwick", start_index: "900" });
    expect(answer).toMatchObject({ items: [], start_index: 900 });
    expect(answer.total_results).toBeGreaterThan(0);
  });
});

test.each([...PATHS, "/name-availability/companies", "/alphabetical-search/companies"])(
  "%s treats blanks, also escaped ones, as a missing query",
  async (path) => {
    for (const q of ["", " ", "&nbsp;", " &nbsp; &nbsp; ", "&quot;&nbsp;"]) {
      await expect(register.ask(path, { q })).rejects.toMatchObject({
        status: 400,
        details: [{ error: "missing-parameter", location: "q" }],
      });
    }
  },
);

describe("a search of all kinds has the same total on every page", () => {
  beforeAll(async () => {
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      officer_id: `most-words-${index}`,
      corporate_name: `VANBECK QUILLMOOR ${index} LTD`,
    }));
    const companies = Array.from({ length: 20 }, (_, index) => ({
      company_number: String(81_000_000 + index),
      company_name: `VANBECK QUILLMOOR ${index} LTD`,
    }));
    const near = {
      company_number: "82000000",
      company_name: "HOLLOWAY BRANT LTD",
      previous_company_names: [{ name: "ZORBLATT VANBECK QUILLMOOR LTD", ceased_on: "2014-05-06" }],
    };
    // Only a search that reads more in the query than a name finds it.
    const read = { company_number: "83000000", company_name: "ZORBLATT VANBECK VEX LTD" };
    await register.add([...bodies, ...companies, near, read]);
  });

  test.each([
    ["0", "5"],
    ["0", "100"],
    ["20", "20"],
    ["5", "5"],
  ])("from %s, %s a page", async (start_index, items_per_page) => {
    const q = "zorblztt vanbeck quillmoor";
    const [page, first] = await Promise.all([
      register.ask("/search", { q, start_index, items_per_page }),
      register.ask("/search", { q }),
    ]);
    expect(page.total_results).toBe(first.total_results);
  });
});

/** The dissolved search by best match and by former name; search-alphabetical.test.ts tests its alphabetical form. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ApiError } from "../../api/shared/runtime/errors.ts";
import type { RawQuery } from "../../api/shared/schemas/query-parameters.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import type { CompanyLine } from "../support/search-records.ts";
import { idsOf, openRegister, type SearchAnswer } from "../support/search-register.ts";

const dissolved = { company_status: "dissolved", date_of_cessation: "2019-01-31" } as const;
const was = (...names: string[]) => ({
  previous_company_names: names.map((name, index) => ({ name, ceased_on: `201${index}-05-01` })),
});

const lines: CompanyLine[] = [
  { company_name: "QUILLORY PRESS LTD", company_number: "92000009", ...dissolved },
  { company_name: "QUILLORY LTD", company_number: "92000008", ...dissolved },
  { company_name: "QUILLORY PLC", company_number: "92000007", ...dissolved },
  { company_name: "QUILLORY LIMITED", company_number: "92000001" },
  {
    company_name: "BRANTWORKS LTD",
    company_number: "00092345",
    ...dissolved,
    registered_office_address: { locality: "Leeds" },
    ...was("QUILLORY LIMITED", "TARNWICK STORES LTD", "QUILLORY STORES LIMITED"),
  },
  { company_name: "ODDERBY LTD", company_number: "92000005", ...dissolved, ...was("PRESS OF QUILLORY LTD") },
  { company_name: "ODDERTHORPE LTD", company_number: "92000004", ...was("QUILLORY STORES LTD") },
  { company_name: "92000009 LTD", company_number: "92000003", ...dissolved },
  ...Array.from({ length: 30 }, (_, index) => ({
    company_name: `GONE ${index} LTD`,
    company_number: String(93_000_000 + index),
    ...dissolved,
    ...was("SNICKERBUTTON LTD", "SNICKERBUTTON STORES LTD"),
  })),
];

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add(lines);
});

const ask = (search_type: string, query: RawQuery) =>
  register.ask("/dissolved-search/companies", { search_type, ...query });

describe("best match", () => {
  test.each<[string, string[]]>([
    ["quillory plc", ["92000007", "92000008", "92000009"]],
    ["quillory", ["92000007", "92000008", "92000009"]],
    ["press quillory", ["92000009"]],
    ["quilory pres", ["92000009"]],
    ["92345", ["00092345"]],
    ["92000009", ["92000009", "92000003"]],
  ])("finds %s", async (q, ids) => {
    const answer = await ask("best-match", { q });
    expect(idsOf(answer)).toEqual(ids);
    expect(answer).toMatchObject({
      kind: "search#dissolved",
      hits: ids.length,
      top_hit: answer.items[0],
    });
  });

  test("searches neither former names nor companies that are not dissolved", async () => {
    for (const q of ["tarnwick stores", "odderthorpe"]) {
      await expect(ask("best-match", { q })).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe("previous names", () => {
  const matched = (answer: SearchAnswer) =>
    (
      answer.items as unknown as { company_number: string; matched_previous_company_name: { name: string } }[]
    ).map((item) => `${item.company_number} ${item.matched_previous_company_name.name}`);

  test.each<[string, number, string[]]>([
    [
      "quillory",
      2,
      ["00092345 QUILLORY LIMITED", "00092345 QUILLORY STORES LIMITED", "92000005 PRESS OF QUILLORY LTD"],
    ],
    ["quillory stores", 1, ["00092345 QUILLORY STORES LIMITED"]],
    ["quilory storse", 1, ["00092345 QUILLORY STORES LIMITED"]],
    // The first with a place that is not in its address, the second with the place that is.
    ["quilory storse norwich", 1, ["00092345 QUILLORY STORES LIMITED"]],
    ["quilory leeds", 1, ["00092345 QUILLORY STORES LIMITED", "00092345 QUILLORY LIMITED"]],
    [
      "92345",
      1,
      ["00092345 QUILLORY STORES LIMITED", "00092345 TARNWICK STORES LTD", "00092345 QUILLORY LIMITED"],
    ],
  ])("answer %s with one item per name", async (q, hits, items) => {
    const answer = await ask("previous-name-dissolved", { q });
    expect(matched(answer)).toEqual(items);
    expect(answer).toMatchObject({ kind: "search#previous-name-dissolved", hits, top_hit: answer.items[0] });
  });

  test("are paged by company: every name once, none cut off", async () => {
    const seen: string[] = [];
    for (let start = 0; start < 30; start += 7) {
      const answer = await ask("previous-name-dissolved", {
        q: "snickerbutton",
        size: "7",
        start_index: String(start),
      });
      expect(answer.hits).toBe(30);
      seen.push(...matched(answer));
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  test("are not found by the number of a company without any", async () => {
    await expect(ask("previous-name-dissolved", { q: "92000009" })).rejects.toMatchObject({ status: 404 });
  });
});

test("pages of the best match have every result once, and are empty past the end", async () => {
  const ids: string[] = [];
  for (let start = 0; start < 30; start += 7) {
    ids.push(...idsOf(await ask("best-match", { q: "gone", size: "7", start_index: String(start) })));
  }
  expect(new Set(ids).size).toBe(30);
  expect(ids).toHaveLength(30);
  const beyond = await ask("best-match", { q: "gone", start_index: "900" });
  expect(beyond).toMatchObject({ items: [], hits: 30 });
  expect(beyond).not.toHaveProperty("top_hit");
});

describe.each(["best-match", "previous-name-dissolved", "alphabetical"])("%s", (type) => {
  test.each([["name:* AND (a"], ["limited"], ["Ελλάς 株式会社 🙂"], ["T".repeat(160)], ["a b ".repeat(40)]])(
    "answers %s with a result or a 404",
    async (q) => {
      const status = await ask(type, { q }).then(
        () => 200,
        (error: unknown) => (error instanceof ApiError ? error.status : error),
      );
      expect([200, 404]).toContain(status);
    },
  );
});

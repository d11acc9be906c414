/** Suggestions and the check of a name's availability on the real engine. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister, type SearchRegister } from "../support/search-register.ts";

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.add([
    { company_number: "10000001", company_name: "QUERNMERE PRESS LIMITED" },
    { company_number: "10000002", company_name: "QUERNMERE PRESS PLC" },
    { company_number: "10000003", company_name: "QUERNMERE LTD", company_status: "dissolved" },
    { company_number: "10000004", company_name: "QUERNMERE PARK HOMES LTD" },
    { company_number: "10000005", company_name: "THE NEW QUERNMERE COMPANY LTD" },
    {
      company_number: "10000006",
      company_name: "BRANTWORKS LIMITED",
      previous_company_names: [{ name: "QUERNMERE FOODS LIMITED", ceased_on: "2010-01-02" }],
    },
    { company_number: "SC090771", company_name: "FOUR YEWMERES (UK) LIMITED" },
    { company_number: "SC090772", company_name: "WINDMERE & SONS LIMITED", company_status: "dissolved" },
    { company_number: "SC090773", company_name: "TARNMERE LIMITED", company_status: "liquidation" },
    ...Array.from({ length: 40 }, (_, index) => ({
      company_number: String(20_000_000 + index),
      company_name: `ZZMERE ${index} LIMITED`,
    })),
  ] as Parameters<SearchRegister["add"]>[0]);
});

const suggest = async (q: string, query = {}) =>
  (await register.ask("/suggest/companies", { q, ...query })).items;
const suggested = async (q: string) => (await suggest(q)).map(({ company_number }) => company_number);

describe("suggestions", () => {
  test.each<[string, string[]]>([
    // Only the first of names that differ in their ending; active before dissolved companies; former names last.
    ["quernmere", ["10000003", "10000001", "10000004", "10000006", "10000005"]],
    ["Quernmere P", ["10000001", "10000004"]],
    ["quernmerep", ["10000001", "10000004"]],
    ["quernmere pr", ["10000001"]],
    ["que", ["10000001", "10000004", "10000003", "10000006"]],
    ["q", ["10000001", "10000004", "10000003", "10000006"]],
    ["press quern", ["10000001"]],
    ["the new q", ["10000005"]],
    ["quernmere press l", ["10000001"]],
    ["quernmere press p", ["10000002"]],
    ["tarnmere limi", ["SC090773"]],
    ["sc90771", ["SC090771"]],
    ["sc9077", ["SC090771", "SC090773", "SC090772"]],
    ["quernmere foods", ["10000006"]],
    // Where no name begins with the text, what a search for companies finds.
    ["four yewmere company", ["SC090771"]],
    ["4 yewmeres", ["SC090771"]],
    ["Tarnmere (UK) Ltd", ["SC090773"]],
    ["Tarnmere Limited, Leeds", ["SC090773"]],
    ["Tarnmere (SC90773)", ["SC090773"]],
    ["Company No. SC 90773", ["SC090773"]],
    ["c/o Tarnmere Ltd", ["SC090773"]],
    ["nothing of this sort", []],
    ["%", []],
  ])("are right for %s", async (q, numbers) => {
    expect(await suggested(q)).toEqual(numbers);
  });

  test("mark the typed letters in the name that matched", async () => {
    expect(await suggest("quernmere foo")).toMatchObject([
      {
        title: "BRANTWORKS LIMITED",
        snippet: "QUERNMERE FOODS LIMITED",
        matches: { snippet: [1, 9, 11, 15] },
      },
    ]);
  });

  test("are as many as requested", async () => {
    expect(await suggest("zzmere")).toHaveLength(10);
    expect(await suggest("zzmere", { items_per_page: "3" })).toHaveLength(3);
    expect(await suggest("zzmere", { items_per_page: "50" })).toHaveLength(20);
  });
});

describe("a name's availability", () => {
  test.each<[string, string[]]>([
    ["4 Yewmere", ["SC090771"]],
    ["The For Yewmere Company Ltd.", ["SC090771"]],
    ["Quernmere Press", ["10000002", "10000001"]],
    ["TARNMERE (WALES) CYF", ["SC090773"]],
    // No longer taken, or never taken.
    ["Windmere and Sons", []],
    ["Quernmere", []],
    ["Quernmere Food", []],
    ["Four Yewmere Catering", []],
  ])("is right for %s", async (q, numbers) => {
    const answer = await register.ask("/name-availability/companies", { q });
    expect(answer).toMatchObject({
      company_name: q,
      is_available: numbers.length === 0,
      total_results: numbers.length,
    });
    expect(answer.items.map(({ company_number }) => company_number).sort()).toEqual(numbers.sort());
  });

  test.each(["!!!", "...", "😀", "\u0001", "\u200b"])("needs a letter or digit: %j", async (q) => {
    await expect(register.ask("/name-availability/companies", { q })).rejects.toMatchObject({
      status: 400,
      details: [{ error: "invalid-parameter", location: "q" }],
    });
  });
});

/**
 * Marks in titles and snippets are whole words that match the query. Places count UTF-16 units, as strings in JavaScript,
 * Java and C# do: the references do not say, and such programs make and read the original's answers.
 */
import { describe, expect, test } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import type { CompanyLine } from "../support/search-records.ts";
import { openRegister, type RegisterLine } from "../support/search-register.ts";

const INSIDE_WORD = /[\p{L}\p{N}\p{M}]\|[\p{L}\p{N}\p{M}]/u;

const register = forAllTests(openRegister);

/** The marked words of the first item, cut out of its title and its snippet. */
async function cutWords(path: string, q: string, lines: RegisterLine[]) {
  await register.add(lines);
  const answer = await register.ask(path, { q }).finally(() => register.remove(lines));
  const { title = "", snippet = "", matches = {} } = answer.items[0] ?? {};
  return { title: cut(title, matches.title), snippet: cut(snippet, matches.snippet), shown: snippet };
}

function cut(text: string, places: number[] = []): string[] {
  expect(places.length % 2).toBe(0);
  // Places ascend, so pairs do not overlap.
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  return Array.from({ length: places.length / 2 }, (_, pair) => {
    const [start = 0, end = 0] = places.slice(2 * pair, 2 * pair + 2);
    expect(start).toBeGreaterThan(0);
    expect(end).toBeLessThanOrEqual(text.length);
    const word = text.slice(start - 1, end);
    // No letter is missing at either end; a sign is marked alone.
    expect(INSIDE_WORD.test(`${word.slice(-2)}|${text.slice(end)}`)).toBe(false);
    expect(INSIDE_WORD.test(`${text.slice(0, start - 1)}|${word}`)).toBe(false);
    return word;
  });
}

const company = (company_name: string, ...previous: string[]): CompanyLine => ({
  company_name,
  company_number: "94000001",
  ...(previous.length > 0 && {
    previous_company_names: previous.map((name, index) => ({ name, ceased_on: `201${index}-01-01` })),
  }),
});

describe("marks in a company's title", () => {
  test.each<[q: string, name: string, words: string[]]>([
    ["cafe tarnwick", "CAFÉ TÄRNWICK LIMITED", ["CAFÉ", "TÄRNWICK"]],
    ["cafe", "CAFE\u0301 TARNWICK LTD", ["CAFE\u0301"]],
    ["strasse", "TARN STRAẞE LTD", ["STRAẞE"]],
    ["aether", "ÆTHER & ŒUVRE LTD", ["ÆTHER"]],
    ["oeuvre and aether", "ÆTHER & ŒUVRE LTD", ["ÆTHER", "&", "ŒUVRE"]],
    ["odellas", "ODELLA'S TARN LTD", ["ODELLA'S"]],
    ["odella’s tarn", "ODELLA`S TARN LTD", ["ODELLA`S", "TARN"]],
    ["otarn", "O’TARN JOINERY LTD", ["O’TARN"]],
    ["hwq", "H.W.Q. TARN LTD", ["H.W.Q."]],
    ["hwq tarn", "H W Q TARN LTD", ["H", "W", "Q", "TARN"]],
    ["h.w.q.", "H. W. Q. TARN LTD", ["H", "W", "Q"]],
    ["h w q", "HWQ TARN LTD", ["HWQ"]],
    ["uk", "TARN (U.K.) LIMITED", ["U.K."]],
    ["tarn & wick", "TARN AND WICK LTD", ["TARN", "AND", "WICK"]],
    ["tarn and wick", "TARN&WICK LTD", ["TARN", "&", "WICK"]],
    ["5 percent tarn", "5% TARN LTD", ["5", "%", "TARN"]],
    ["£5", "£5 TARN LTD", ["£", "5"]],
    ["24/7", "24-7 TARN LTD", ["24", "7"]],
    ["tarn", "🙂 TARN 🙂 LTD", ["TARN"]],
    ["wick", "🙂🙂 TARN 🙂 WICK LTD", ["WICK"]],
    ["𝕿arn", "TARN LTD", ["TARN"]],
    ["tarn", "𝕿𝕬𝕽𝕹 WICK LTD", ["𝕿𝕬𝕽𝕹"]],
    ["𠀀tarn", "WICK 𠀀TARN LTD", ["𠀀TARN"]],
    ["ταρν", "ΤΆΡΝ WICK LTD", ["ΤΆΡΝ"]],
    ["tarn", "ＴＡＲＮ WICK LTD", ["ＴＡＲＮ"]],
    ["bluewisteria", "BLUE WISTERIA TARN LTD", ["BLUE", "WISTERIA"]],
    ["blue wisteria", "BLUEWISTERIA TARN LTD", ["BLUEWISTERIA"]],
    ["tarnwik", "OLD TARNWICK LTD", []],
    ["tarnwyk's brews", "TARNWICK'S BREWS LTD", ["BREWS"]],
    ["wick tarn", "TARN–WICK LTD", ["TARN", "WICK"]],
    ["the tarn", "THE TARN LIMITED (THE)", ["TARN"]],
    ["tarn ltd", "TARN LTD LTD", ["TARN"]],
    ["tarn limited", "TARN LIMITED", ["TARN"]],
    ["94000001", "94000001 TARN LTD", []],
  ])("are the words of %s in %s", async (q, name, words) => {
    expect((await cutWords("/search/companies", q, [company(name)])).title).toEqual(words);
  });
});

describe("marks in the best matching former name", () => {
  test.each<[q: string, names: string[], shown: string, words: string[]]>([
    [
      "tarn press",
      ["PRESS OF TARN LTD", "TARN PRESS LLP", "TARN PRESSING LTD"],
      "TARN PRESS LLP",
      ["TARN", "PRESS"],
    ],
    ["tarn", ["TARN LTD", "TARN LIMITED"], "TARN LIMITED", ["TARN"]],
    ["tarn plc", ["TARN PLC", "TARN LTD"], "TARN LTD", ["TARN"]],
    ["jane's tarn", ["🙂 JANE’S TÄRN LTD", "JANE LTD"], "🙂 JANE’S TÄRN LTD", ["JANE’S", "TÄRN"]],
    ["tarnwik hwq", ["WICK LTD", "TARNWICK H.W.Q. LTD"], "TARNWICK H.W.Q. LTD", ["H.W.Q."]],
    ["tarn wick", ["WICK LTD", "TARN LTD", "TARNWICK LTD"], "TARNWICK LTD", ["TARNWICK"]],
    ["tarn bros limited (wick)", ["TARN BROTHERS LTD"], "TARN BROTHERS LTD", ["TARN"]],
    // The most similar of two similar names.
    ["vantemera", ["VANTEMERE LTD", "VANTAMARE LTD"], "VANTEMERE LTD", []],
  ])("are the words of %s", async (q, names, shown, words) => {
    const found = await cutWords("/search/companies", q, [company("HALDERBY LTD", ...names)]);
    expect(found).toEqual({ title: [], snippet: words, shown });
  });
});

describe("marks in a person's name", () => {
  const officer_id = "Z".padEnd(27, "m");
  test.each<[q: string, RegisterLine, title: string[], snippet: string[]]>([
    ["Dr Zoë Otarn", { officer_id, title: "Dr", forename: "Zoe", surname: "O'TARN" }, ["Zoe", "O'TARN"], []],
    ["tarn wick, jane", { officer_id, forename: "Jane", surname: "TARN-WICK" }, ["Jane", "TARN", "WICK"], []],
    [
      "j p tarn",
      { officer_id, forename: "Jane", other_forenames: "Paula", surname: "TARN" },
      ["Jane", "Paula", "TARN"],
      [],
    ],
    [
      "jane wicke",
      { officer_id, forename: "Jane", surname: "TARN", former_names: [{ surname: "WICKE" }] },
      ["Jane"],
      ["Jane", "WICKE"],
    ],
    [
      "j hollowik",
      { officer_id, forename: "Jane", surname: "TARN", former_names: [{ surname: "HOLLOWICK" }] },
      ["Jane"],
      ["Jane"],
    ],
    ["hwq tarn ltd", { officer_id, corporate_name: "H.W.Q. TARN LIMITED" }, ["H.W.Q.", "TARN"], []],
  ])("are the words of %s", async (q, line, title, snippet) => {
    expect(await cutWords("/search/officers", q, [line])).toMatchObject({ title, snippet });
  });
});

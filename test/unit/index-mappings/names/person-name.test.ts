/** Names of people, queries for people, and company numbers in a query. */
import { describe, expect, test } from "@jest/globals";
import { parsePersonName, parsePersonQuery } from "../../../../index-mappings/names/person-name.ts";
import { parseQueryNumber } from "../../../../index-mappings/names/company-name.ts";

describe("a person's name", () => {
  test("has the surname both without breaks and in its parts", () => {
    expect(
      parsePersonName({ forename: "Zoë Jane", other_forenames: "Mary", surname: "O'Tarn-Wick" }),
    ).toEqual({
      forms: {
        surname: "OTARNWICK",
        first: ["ZOE"],
        given: "ZOE JANE MARY",
        others: ["JANE", "MARY", "OTARN", "WICK"],
        full: ["ZOEJANEMARYOTARNWICK", "OTARNWICKZOEJANEMARY"],
        person: "ZOE JANE MARY OTARN WICK OTARNWICK",
        letters: [],
        run: "ZJM",
      },
      forenames: 3,
      orderKey: "OTARNWICK ZOE JANE MARY",
    });
  });

  test("has a hyphenated first forename as its first part and as a whole", () => {
    expect(parsePersonName({ forename: "Jean-Luc", surname: "TARN" })).toMatchObject({
      forms: { first: ["JEAN", "JEANLUC"] },
    });
  });

  test.each([
    ["Anne-Marie", 1],
    ["Anne Marie", 2],
    ["Anne-Marie J.R.", 3],
    ["J. - R", 2],
    ["", 0],
  ])("with the forenames %j has %d of them", (forename, forenames) => {
    expect(parsePersonName({ forename, surname: "TARN" })).toMatchObject({ forenames });
  });

  test("may be a surname alone, but is null without any letter", () => {
    expect(parsePersonName({ surname: "TARN" })).toMatchObject({
      forms: { surname: "TARN", full: ["TARN"], given: "" },
    });
    expect(parsePersonName({ forename: "-", surname: "" })).toBeNull();
  });
});

describe("a query for a person", () => {
  test.each([
    ["Dr Lucasta Tarnwick", ["LUCASTA", "TARNWICK"]],
    ["Tarnwick, Lucasta", ["LUCASTA", "TARNWICK"]],
    ["TARNWICK, Lucasta Jane, Dr", ["LUCASTA", "JANE", "TARNWICK"]],
    ["Tarnwick, Dr Lucasta", ["LUCASTA", "TARNWICK"]],
    ["Lord", ["LORD"]],
    ["Dr Lord", ["LORD"]],
    ["Baroness Lucasta Tarnwick", ["LUCASTA", "TARNWICK"]],
    ["The Rt. Hon. Viscount Tarnwick", ["TARNWICK"]],
    ["The Very Rev'd Dr Lucasta Tarnwick", ["LUCASTA", "TARNWICK"]],
    ["Tarnwick, The Right Honourable Lucasta", ["LUCASTA", "TARNWICK"]],
    ["Hon Wai Tarnwick", ["HON", "WAI", "TARNWICK"]],
    ["The Tarnwick", ["THE", "TARNWICK"]],
    ["Captain", ["CAPTAIN"]],
    ["Lucasta Tarnwick Esq.", ["LUCASTA", "TARNWICK"]],
    ["Tarnwick Lucasta Mrs", ["TARNWICK", "LUCASTA"]],
    ["Tarnwick, Lucasta, Esq", ["LUCASTA", "TARNWICK"]],
    ["Esq", ["ESQ"]],
    ["Paul Miss", ["PAUL", "MISS"]],
    ["John Lord", ["JOHN", "LORD"]],
    ["Lord, John", ["JOHN", "LORD"]],
    ["Tarnwick,", ["TARNWICK"]],
    ["zoë o’tarn", ["ZOE", "OTARN"]],
    [", ,", []],
  ])("%j has the words %j", (query, words) => {
    expect(parsePersonQuery(query).words).toEqual(words);
  });

  test("without a comma the surname may be at either end and have several words", () => {
    expect(parsePersonQuery("Odile van Tarn").readings).toEqual([
      { surname: "ODILEVANTARN", given: [] },
      { surname: "TARN", given: ["ODILE", "VAN"] },
      { surname: "ODILE", given: ["VAN", "TARN"] },
      { surname: "VANTARN", given: ["ODILE"] },
      { surname: "ODILEVAN", given: ["TARN"] },
    ]);
  });

  test("with a comma the surname is the part before it", () => {
    expect(parsePersonQuery("van Tarn, Odile").readings).toEqual([{ surname: "VANTARN", given: ["ODILE"] }]);
  });
});

describe("a company number in a query", () => {
  test.each([
    ["912345", "00912345"],
    ["00 934 567", "00934567"],
    ["00-934-567", "00934567"],
    ["sc90123", "SC090123"],
    ["NI 900771", "NI900771"],
    ["r12", "R0000012"],
    ["ip90011r", "IP90011R"],
    ["９１２３４５", "00912345"],
    ["00912345.", "00912345"],
    ["(SC 90123)", "SC090123"],
    ["“912345”,", "00912345"],
    ["#00912345", "00912345"],
    ["'00912345", "00912345"],
    ["‘00912345’", "00912345"],
    ["912,345", "00912345"],
    ["1,234,567", "01234567"],
    ["9123456.00", "09123456"],
    ["912345.0", "00912345"],
    ["912.000", null],
    ["912,345.0", "00912345"],
    ["912345.1", null],
    ["SC.912345", "SC912345"],
    ["Sc No. 912345", "SC912345"],
    ["sc no 912345", "SC912345"],
    ["SC Number 912345", "SC912345"],
    ["SC No: 912345", "SC912345"],
    ["sc/912345", "SC912345"],
    ["LP.012345", "LP012345"],
    ["OE: 012345", "OE012345"],
    ["IP.28003R", "IP28003R"],
    ["RS.780024", "RS780024"],
    ["rs no. 780024", "RS780024"],
    ["CE.780003", "CE780003"],
    ["CS.780003", "CS780003"],
    ["RC No 123456", null],
    ["912,34", null],
    ["No. 12", null],
    ["1/2", null],
    ["912345%", null],
    ["123456789", null],
    ["1234567890123456", null],
    ["tarnwick", null],
    ["24-7 tarnwick", null],
    ["GB00912345", "00912345"],
    ["uk 00912345", "00912345"],
    ["GBSC090123", "SC090123"],
    ["GB-COH-00912345", "00912345"],
    ["GB123456789", null],
    ["UK COFFEE12", null],
    ["", null],
  ])("%j is %j", (query, number) => {
    expect(parseQueryNumber(query)).toBe(number);
  });
});

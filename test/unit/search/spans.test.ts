/** Highlights of an answer: positions of the matching words, counted from 1, with both ends included. */
import { describe, expect, test } from "@jest/globals";
import { editDistance, isNear } from "../../../api/shared/values/nearness.ts";
import { describeMatch } from "../../../api/search/answers/matched.ts";
import { companyQueryForms, type QueryForms } from "../../../api/search/answers/name-forms.ts";
import { markWords } from "../../../api/search/answers/marks.ts";
import { personForms } from "../../../api/search/answers/people.ts";

describe("marks over a title", () => {
  test.each([
    ["quillory", "QUILLORY PRESS LIMITED", [1, 8]],
    ["press quillory", "QUILLORY PRESS LIMITED", [1, 8, 10, 14]],
    ["and", "ANDERWICK LTD", [1, 9]],
    ["limited", "QUILLORY LIMITED", []],
    ["cafe zub", "CAFÉ ZÜBERLIN LIMITED", [1, 4, 6, 13]],
    ["cafe zub", "CAFE\u0301 ZU\u0308BERLIN", [1, 5, 7, 15]],
    ["oeuvre", "ŒUVRELLE LTD", [1, 8]],
    ["d&f tarn", "D & F TARNWICK LIMITED", [1, 1, 3, 3, 5, 5, 7, 14]],
    ["d and f", "D&F TARNWICK", [1, 1, 2, 2, 3, 3]],
    ["otarrick", "O'TARRICK JOINERY LTD", [1, 9]],
    ["o’tarrick", "O'TARRICK JOINERY LTD", [1, 9]],
    ["odellas", "ODELLA’S BAKEHOUSE", [1, 8]],
    ["hwq", "H.W.Q. PLUMBING LIMITED", [1, 6]],
    ["xzk", "X Z K GLAZING LTD", [1, 1, 3, 3, 5, 5]],
    ["bluewisteria", "BLUE WISTERIA LIMITED", [1, 4, 6, 13]],
    ["skyharrowtech", "SKY HARROW TECHNOLOGIES", [1, 3, 5, 10, 12, 23]],
    ["ember tide", "EMBERTIDE GROUP", [1, 9]],
    ["halden-rook", "HALDENROOK CONSULTING", [1, 10]],
    ["enginering", "HEX ENGINEERING LTD", []],
    ["00912345", "BRANTWORKS LTD", []],
    ["***", "*** LTD", []],
  ])("for %j in %j are at %j", (query, title, marks) => {
    expect(markWords(title, companyQueryForms(query).words)).toEqual(marks);
  });
});

test("a person's surname is marked, even if it is also an ending of companies", () => {
  const marksOf = (query: QueryForms) => describeMatch(query, "Anna PAC", []).matches;
  expect(marksOf(personForms("pac"))).toEqual({ title: [6, 8] });
  expect(marksOf(companyQueryForms("pac"))).toEqual({});
});

test.each<[q: string, title: string, marks: number[]]>([
  ["d smith", "Dr David SMITH", [4, 8, 10, 14]],
  ["s", "Sir Silas SMITH", [5, 9, 11, 15]],
  ["dr smith", "Dr SMITH", [4, 8]],
  ["drusilla lord", "Drusilla LORD", [1, 8, 10, 13]],
])("a person's title is not part of the name: %j marks %j at %j", (q, title, marks) => {
  expect(describeMatch(personForms(q), title, []).matches).toEqual({
    title: marks,
  });
});

describe("a title of plain letters, which takes a faster path", () => {
  test.each([
    ["hwq plumbing", "H.W.Q. Plumbing Limited"],
    ["odellas d and f", "Odella's D&F Bakehouse, (UK) PLC"],
    ["odellas", "ODELLA`S 'BAKEHOUSE' LTD"],
    ["24 7 plus 50 percent", "24/7 + 50% A.B.C9 X.Y"],
    ["under score", "UNDER_SCORE @ HOME $1"],
    ["abc", "A.B.C.D.E LTD"],
  ])("marks %s in %s as it does beside other letters", (query, title) => {
    const { words } = companyQueryForms(query);
    const alone = markWords(title, words);
    expect(alone).not.toEqual([]);
    expect(markWords(`Ω ${title}`, words)).toEqual(alone.map((place) => place + 2));
  });
});

describe("the matching name", () => {
  const describeAs = (q: string, title: string, previous: string[]) =>
    describeMatch(companyQueryForms(q), title, previous);

  test("is the previous one if it matches better", () => {
    expect(describeAs("quillory", "BRANTWORKS LTD", ["QUILLORY LIMITED"])).toEqual({
      snippet: "QUILLORY LIMITED",
      matches: { snippet: [1, 8] },
    });
  });

  test("is the current one if both match equally well", () => {
    expect(describeAs("quillory", "QUILLORY LTD", ["QUILLORY LIMITED"])).toEqual({
      snippet: "",
      matches: { title: [1, 8] },
    });
  });

  test("is the previous one if the query half-types or misspells its ending", () => {
    const names = ["QUILLORY PLC", "QUILLORY LTD"];
    expect(describeAs("quillory limi", "BRANTWORKS LTD", names).snippet).toBe("QUILLORY LTD");
    expect(describeAs("quillory ltdr", "BRANTWORKS LTD", ["QUILLORY LTD"]).snippet).toBe("QUILLORY LTD");
  });

  test("is the previous one that is a part of the query, even with its words joined", () => {
    const q = "Blue Wisteria Ltd, Leeds";
    expect(describeAs(q, "BRANTWORKS LTD", ["BLUEWISTERIA LTD"]).snippet).toBe("BLUEWISTERIA LTD");
    expect(describeAs(q, "BRANTWORKS LTD", ["BLUEWIST LTD", "WISTERIALTD LEED LTD"]).snippet).toBe("");
  });

  test("is the one with a word near the query's, not one with only AND or none of it", () => {
    const names = ["SPENCER & SON LTD", "TARN LTD", "LLEWELLYN FINANCE LTD"];
    for (const q of ["Llewellyn & ButlerLtd", "Lewellyn & ButlerLtd"]) {
      const { snippet } = describeMatch(companyQueryForms(q), "X", names, true);
      expect(snippet).toBe("LLEWELLYN FINANCE LTD");
    }
  });

  test("is the one with more of the query, even if another is exactly a part of it", () => {
    expect(describeAs("Quillory Pres Norwich", "QUILLORY PRESS LTD", ["QUILLORY LTD"]).snippet).toBe("");
  });

  test("is the current one if it is near, however near another is", () => {
    expect(describeAs("quillorie", "QUILLARYE LTD", ["QUILLORY LTD"]).snippet).toBe("");
  });

  test("is the best of several previous ones; of equal ones, the first given", () => {
    const previous = ["QUILLORY PRESS LTD", "QUILLORY LLP", "QUILLORY LTD"];
    expect(describeAs("quillory", "QUILLORY NORTH LTD", previous)).toEqual({
      snippet: "QUILLORY LLP",
      matches: { title: [1, 8], snippet: [1, 8] },
    });
  });

  test("may be a near spelling", () => {
    expect(describeAs("quilory", "BRANTWORKS LTD", ["QUILLORY LIMITED"])).toMatchObject({
      snippet: "QUILLORY LIMITED",
    });
  });
});

describe("edit distance", () => {
  test.each([
    ["TARN", "TARN", 0],
    ["TARN", "TRAN", 1],
    ["TARN", "TAN", 1],
    ["TARN", "TARNS", 1],
    ["NURSERYS", "NURSERIES", 2],
    ["", "TARN", 4],
  ])("from %j to %j is %d", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  test("beyond a limit is infinite", () => {
    const words = ["TARN", "TRAN", "ATRN", "TAN", "TARNS", "TARNSIDE", "NRAT", "𝐓ARN", "", "T"];
    for (const word of words) {
      for (const other of words) {
        const edits = editDistance(word, other);
        for (const most of [0, 1, 2])
          expect(editDistance(word, other, most)).toBe(edits <= most ? edits : Infinity);
      }
    }
  });

  test("of near words is 0 below three letters, up to 1 from three, up to 2 from six", () => {
    expect([
      isNear("AB", "AC"),
      isNear("ABC", "ABD"),
      isNear("ABCDE", "ABCXY"),
      isNear("ABCDEF", "ABCDXY"),
    ]).toEqual([false, true, false, true]);
  });
});

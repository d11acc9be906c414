/** Names of companies: the worked examples of the search reference, and further examples of each rule. */
import { describe, expect, test } from "@jest/globals";
import {
  allNameWords,
  keyWithoutThe,
  nameKey,
  nameStarts,
  parseCompanyName,
} from "../../../../index-mappings/names/company-name.ts";
import { sameAsKey } from "../../../../index-mappings/names/same-as.ts";
import examples from "./worked-examples.json" with { type: "json" };

describe("the name key", () => {
  test.each(examples.name_keys)(
    "of the worked example $name is $key, with the ending $end",
    ({ name, key, end }) => {
      expect(parseCompanyName(name)).toMatchObject({ key, end });
    },
  );

  test.each([
    ["TARNWICK P. L. C.", "TARNWICK", "PLC"],
    ["TARNWICK L P", "TARNWICK", "LP"],
    ["TARNWICK L & P", "TARNWICKLANDP", "NONE"],
    ["TARNWICK [LIMITED]", "TARNWICK", "LTD"],
    ["TARNWICK CWMNI BUDDIANT (CYMUNEDOL) C.C.C.", "TARNWICK", "CIPLC"],
    ["TARNWICK OPEN-ENDED INVESTMENT COMPANY", "TARNWICK", "ICVC"],
    ["TARNWICK LIMITED - THE", "TARNWICK", "LTD"],
    ["TARNWICK, THE", "TARNWICK", "NONE"],
    ["OVER THE", "OVERTHE", "NONE"],
    ["THE", "THE", "NONE"],
    ["(THE)", "THE", "NONE"],
    ["ODELLA´S TARNWICK LTD", "ODELLASTARNWICK", "LTD"],
    ["ÞÓRA ĦAŊ TARNWICK", "THORAHANTARNWICK", "NONE"],
    ["ΑΘΗΝΑ LTD", "ΑΘΗΝΑ", "LTD"],
    ["TARN\u00ADWICK\u200B LTD", "TARNWICK", "LTD"],
    ["№ 9 TARNWICK LTD", "NO9TARNWICK", "LTD"],
    ["TARNWICK™ LTD", "TARNWICK", "LTD"],
    ["TARNWICK℠ LTD", "TARNWICK", "LTD"],
    ["", "", "NONE"],
  ])("of %j is %j, with the ending %s", (name, key, end) => {
    expect(parseCompanyName(name)).toMatchObject({ key, end });
  });

  test("is the same for any spelling of one name", () => {
    const spellings = [
      "D & F TARN’S WICK LTD.",
      "d&f tarns wick limited",
      "D. and F. Tarn's-Wick",
      "Ｄ＆Ｆ TARNSWICK",
    ];
    expect(new Set(spellings.map(nameKey))).toEqual(new Set(["DANDFTARNSWICK"]));
  });
});

describe("the same-as key", () => {
  test.each(examples.same_as_keys)("of the worked example $name is $key", ({ name, key }) => {
    expect(sameAsKey(parseCompanyName(name))).toBe(key);
  });

  test.each([
    ["FOUR TARNWICKS LTD", "4TARNWICK"],
    ["4 TARNWICK UK LIMITED", "4TARNWICK"],
    ["TARNWICK U.K. COMPANY LTD", "TARNWICK"],
    ["TARNWICK & CO (UK) LTD", "TARNWICK"],
    ["TARNWICK.CO.UK LTD", "TARNWICK"],
    ["TARNWICK CYMRU CYFYNGEDIG", "TARNWICK"],
    ["TARNWICK A'R CWMNI CYF", "TARNWICK"],
    ["TARNWICK PERCENTAGE LTD", "TARNWICKPERCENT"],
    ["TARNWICK PER CENTUM LTD", "TARNWICKPERCENT"],
    ["5% TARNWICK LTD", "5TARNWICK"],
    ["THE #1 TARNWICK LTD", "1TARNWICK"],
    ["THE £5 TARNWICK + WELLS LTD", "POUND5TARNWICKPLUSWELL"],
    ["THE & TARNWICK + WELLS LTD", "ANDTARNWICKPLUSWELL"],
    ["TARNWICK + WELLS LIMITED (THE)", "TARNWICKPLUSWELL"],
    ["TARNWICK + WELLS CLUB, THE", "TARNWICKPLUSWELLSCLUB"],
    ["+TARNWICK + WELLS LTD", "TARNWICKPLUSWELL"],
    // Letters in brackets are no initials of the name before them.
    ["H & R (U.K.) LIMITED", "HANDR"],
    ["PLAN B (U.K.) LIMITED", "PLANB"],
    ["A.B. (U.K.) LTD", "AB"],
    ["#PLAN B (U.K.) LTD", "PLANB"],
    // A name of signs only is compared by their words.
    ["+ LTD", "PLU"],
    ["UK LIMITED", "UK"],
    ["WWW LTD", "WWW"],
    ["***", "***"],
    [`${"ABCDEFGHI ".repeat(6)}MORE LTD`, "ABCDEFGHI".repeat(6)],
  ])("of %j is %j", (name, key) => {
    expect(sameAsKey(parseCompanyName(name))).toBe(key);
  });
});

describe("the name key without a THE", () => {
  test.each([
    ["THETARNWICK LTD", "TARNWICK"],
    ["THETARN ARMS LTD", "TARNARMS"],
    ["TEH TARN ARMS LTD", "TARNARMS"],
    // Fewer letters may be the rest of a word, and one word is no slip.
    ["THETARN LTD", null],
    ["TEH LTD", null],
    ["T H TARNWICK LTD", null],
    ["TARNWICK LTD", null],
    ["", null],
  ])("of %j is %j", (name, key) => {
    expect(keyWithoutThe(parseCompanyName(name))).toBe(key);
  });
});

describe("the words of a name", () => {
  test.each([
    ["H.W.Q. PLUMBING LIMITED", ["HWQ", "PLUMBING"]],
    ["X Z K GLAZING LTD", ["XZK", "GLAZING"]],
    ["D & F TARNWICK LTD", ["D", "AND", "F", "TARNWICK"]],
    ["TARNWICK (U.K.) LIMITED", ["TARNWICK", "UK"]],
    ["24/7 TARNWICK", ["24", "7", "TARNWICK"]],
    ["O'TARRICK-WELLS CO.LIMITED", ["OTARRICK", "WELLS", "CO"]],
    ["THE TARNWICK A B", ["TARNWICK", "AB"]],
    ["A-B-C TARNWICK", ["ABC", "TARNWICK"]],
    ["J. K. A. TARNWICK", ["JKA", "TARNWICK"]],
    ["J K.TARNWICK", ["JK", "TARNWICK"]],
    ["H. W. Q.", ["HWQ"]],
    ["A/B TARNWICK", ["AB", "TARNWICK"]],
    ["A'B C TARNWICK", ["AB", "C", "TARNWICK"]],
    // Initials end at a bracket, and at a space beside letters that only have dots between them.
    ["H & R (U.K.) LIMITED", ["H", "AND", "R", "UK"]],
    ["A (B) C TARNWICK", ["A", "B", "C", "TARNWICK"]],
    ["B & Q P.L.C. LEEDS", ["B", "AND", "Q", "PLC", "LEEDS"]],
    ["A.B. C.D. TARNWICK", ["AB", "CD", "TARNWICK"]],
    ["THE A.B. [U.K.] TARNWICK", ["AB", "UK", "TARNWICK"]],
    ["***", []],
  ])("%j are %j", (name, words) => {
    expect(parseCompanyName(name).words).toEqual(words);
  });

  test("make beginnings of the name that end where a word ends", () => {
    expect(nameStarts(["TARNWICK", "PRESS"])).toEqual(["TARNWICK", "TARNWICK PRESS"]);
  });

  test("that may find it include the ending, and initials both joined and split", () => {
    const words = allNameWords(parseCompanyName("H.W. TARNWICK LTD"));
    expect(words).toEqual(["H", "W", "TARNWICK", "LTD", "HW", "LIMITED"]);
  });
});

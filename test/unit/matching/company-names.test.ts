import { describe, expect, it } from "@jest/globals";
import { companyForms, formsInPlace } from "../../../api/matching/company-forms.ts";
import { compareCompanyNames } from "../../../api/matching/company-names.ts";
import type { Strength } from "../../../api/matching/define-match.ts";
import { parseCompanyName } from "../../../index-mappings/names/company-name.ts";

/** How similar a text and a name of the register are at best, without an address. */
function compare(text: string, name: string) {
  const registered = parseCompanyName(name);
  const found = formsInPlace(companyForms(text), []).map((form) => compareCompanyNames(form, registered));
  return found.reduce((best, one) => (one.score > best.score ? one : best));
}

const table: [text: string, name: string, strength: Strength][] = [
  ["Tarnwick Press Ltd", "TARNWICK PRESS LIMITED", "exact"],
  ["the tarn wick press limited", "TARNWICK PRESS LTD.", "exact"],
  ["Tarnwick & Press plc", "TARNWICK AND PRESS PUBLIC LIMITED COMPANY", "exact"],
  ["Tarnwick Press", "TARNWICK PRESS LIMITED", "same"],
  ["Tarnwick Press Ltd", "TARNWICK PRESS", "same"],
  ["Tarnwick Press Limtied", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick PressLtd", "TARNWICK PRESS LIMITED", "exact"],
  ["TARNWICKPRESSLTD", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick PressLtd", "TARNWICK PRESS LLP", "weak"],
  ["Tarnwick Press LLP", "TARNWICK PRESS LIMITED", "weak"],
  ["Tarnwik Press Ltd", "TARNWICK PRESS LIMITED", "slip"],
  ["Tarnwik Prss Ltd", "TARNWICK PRESS LIMITED", "near"],
  ["Tarnwik Prss Srvices Ltd", "TARNWICK PRESS SERVICES LIMITED", "near"],
  ["Tarnwik Prss Srvces Ltd", "TARNWICK PRESS SERVICES LIMITED", "weak"],
  ["Tarnwik Press LLP", "TARNWICK PRESS LIMITED", "weak"],
  // Without an ending the name may be that of a business which is not a company.
  ["Thomson Plumbing Services Ltd", "THOMPSON PLUMBING SERVICES LTD", "slip"],
  ["Thomson Plumbing Services", "THOMPSON PLUMBING SERVICES LTD", "near"],
  // A short word with another letter is another word, and so is one with an S.
  ["Able Consulting Ltd", "CABLE CONSULTING LTD", "near"],
  ["Tarnwick Holding Ltd", "TARNWICK HOLDINGS LTD", "near"],
  ["Tarnwick Garden Tools Ltd", "TARNWICK GARDENS TOOLS LTD", "near"],
  ["Tarnwick Gardens Tools Ltd", "TARNWICK GARDEN TOOLS LTD", "near"],
  ["Tarnwick Holding Tools Ltd", "TARNWICK HOLDINGS TOOLS LTD", "near"],
  ["Tarnwick Holdings Tools Ltd", "TARNWICK HOLDING TOOLS LTD", "near"],
  // One letter in a short name, or in the space between words, makes another name as well.
  ["Tarnwik Ltd", "TARNWICK LTD", "near"],
  ["Tar Nik Ltd", "TARNICK LTD", "weak"],
  ["Tarnwickpres Foods Ltd", "TARNWICK PRESS FOODS LTD", "near"],
  // The longer of two words decides how many letters may differ.
  ["Quilr Press Ltd", "QUILLY PRESS LTD", "near"],
  ["Quilly Press Ltd", "QUILR PRESS LTD", "near"],
  ["Hereford Motors Ltd", "HERTFORD MOTORS LTD", "near"],
  ["Bolton Furniture Ltd", "BOSTON FURNITURE LTD", "near"],
  ["Hereford Motors Ltd", "HEREFROD MOTORS LTD", "slip"],
  ["Herefrod Motors Ltd", "HEREFORD MOTORS LTD", "slip"],
  ["Sarnwick Press Ltd", "TARNWICK PRESS LTD", "near"],
  // Words of many names are not slips of each other, except for an S.
  ["Tarnwick Southern Ltd", "TARNWICK NORTHERN LTD", "weak"],
  ["Tarnwick Training Ltd", "TARNWICK TRADING LTD", "weak"],
  ["Tarnwick Consultancy Ltd", "TARNWICK CONSULTANTS LTD", "weak"],
  ["Tarnwick Nothern Ltd", "TARNWICK NORTHERN LTD", "slip"],
  ["Tarnwick Northern Ltd", "TARNWICK NOTHERN LTD", "slip"],
  ["ABC Consulting Ltd", "ABD CONSULTING LTD", "weak"],
  ["12 High Street Ltd", "14 HIGH STREET LTD", "weak"],
  ["12 High St Ltd", "12 HIGH STREET LTD", "near"],
  ["Tarnwick 2018 Ltd", "TARNWICK 2019 LTD", "weak"],
  ["Tarnwick Press UK Ltd", "TARNWICK PRESS LTD", "near"],
  ["Press Tarnwick Ltd", "TARNWICK PRESS LTD", "near"],
  ["Tarnwik PressLtd", "TARNWICK PRESS LTD", "slip"],
  ["Tarn wik Press Ltd", "TARNWICK PRESS LTD", "near"],
  ["Smith Plumbing Services", "J SMITH PLUMBING SERVICES LTD", "near"],
  ["Tarnwick Solarpannles Ltd", "TARNWICK SOLAR PANELS LTD", "near"],
  ["Tarnwick HR Ltd", "TARNWICK LTD", "weak"],
  ["Tarnwick Ltd", "TARNWICK HR LTD", "weak"],
  ["Tarnwick Press W Ltd", "TARNWICK PRESS LTD", "near"],
  ["Tarnwick Press Ltd, Leeds", "TARNWICK PRESS LTD", "likely"],
  ["Tarnwik Press Ltd, Leeds", "TARNWICK PRESS LTD", "near"],
  ["Tarnwick Press Ltd c/o Quillory LLP", "QUILLORY LLP", "weak"],
  ["Tarnwick Press Ltd c/o Quillry LLP", "QUILLORY LLP", "weak"],
  ["Tarnwick Press Ltd t/a Moon Palace", "TARNWICK PRESS LTD", "likely"],
  // A status or a country after an ending adds nothing to a name.
  ["Tarnwick Press Limited (In Liquidation)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Limited - in administration", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (Dissolved)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (In Creditors Voluntary Liquidation)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (In Members' Voluntary Liquidation)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (in compulsory liquidation)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (Struck off)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd (active)", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd Active Services", "TARNWICK PRESS LTD", "likely"],
  ["Tarnwick Press Ltd, England & Wales", "TARNWICK PRESS LTD", "exact"],
  ["Tarnwick Press Ltd, UK", "TARNWICK PRESS LLP", "weak"],
  ["Tarnwick Press Ltd (In Liquidation), Leeds", "TARNWICK PRESS LTD", "likely"],
  ["Tarnwick Press (In Liquidation)", "TARNWICK PRESS LTD", "weak"],
  // A word that was cut off, or begins a bracket.
  ["Tarnwick Press W", "TARNWICK PRESS LTD", "weak"],
  ["Tarnwick Press (", "TARNWICK PRESS LTD", "weak"],
  ["Tarnwick Press (UK", "TARNWICK PRESS (UK) LTD", "same"],
  // A possible cut-off or misspelt ending is more often a word, unless it is LIMITED with one letter wrong, or LTD with
  // letters swapped or doubled.
  ["Tarnwick Press Limite", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick Press Ldt", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick Press Tld", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick Press Ltdd", "TARNWICK PRESS LIMITED", "exact"],
  ["Tarnwick Press Ldt", "TARNWICK PRESS LLP", "weak"],
  ["Tarnwick Press Led", "TARNWICK PRESS LIMITED", "near"],
  ["Tarnwick Press Lim", "TARNWICK PRESS LIMITED", "near"],
  ["Acme Advisors LLC", "ACME ADVISORS LLP", "near"],
  ["Bright LED", "BRIGHT LIMITED", "near"],
  ["The Real Bread Co", "REAL BREAD CIC", "near"],
  ["Vitamin C", "VITAMIN LIMITED", "near"],
  ["Speed Limit", "SPEED LIMITED", "near"],
  ["Speed Limiter", "SPEED LIMITED", "near"],
  ["Leeds Community", "LEEDS CIC", "near"],
  ["Leeds United", "LEEDS UNLIMITED", "near"],
  ["Carter, C", "CARTER LIMITED", "near"],
  // A misspelt ending beside other words counts as an ending too.
  ["Tarnwick Plcc, Leeds", "TARNWICK PLC", "near"],
  ["Tarnwick Plcc, Leeds", "TARNWICK LLP", "weak"],
  // Words in front of an ending, or beside a word that documents put around names, are hardly the whole name.
  ["Tarnwick Press Ltd, Leeds", "PRESS LTD", "near"],
  ["Card Factory", "FACTORY LTD", "near"],
  ["Direct Travel", "TRAVEL LIMITED", "near"],
  ["Tarnwick Ltd", "TARNWICK HOLDINGS LTD", "weak"],
  ["Quillory Ltd", "TARNWICK PRESS LTD", "weak"],
];

describe("two names of companies", () => {
  it.each(table)("%j and %j are similar to the degree %s", (text, name, strength) => {
    expect(compare(text, name).strength).toBe(strength);
  });

  it("score higher the more similar they are", () => {
    const scores = [
      "Tarnwick Press Ltd",
      "Tarnwick Press",
      "Tarnwik Press Ltd",
      "Tarnwik Press",
      "Tarnwik Prss",
      "Tarnwick",
      "Quillory",
    ].map((text) => compare(text, "TARNWICK PRESS LTD").score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(scores.length);
  });

  it.each([
    ["Tarnwik Press Ltd", "TARNWICK PRESS LTD", "one letter differs"],
    ["Tarnwick Bros Ltd", "TARNWICK BROTHERS LTD", "same name, with an abbreviation"],
    ["Tarnwik Bros Ltd", "TARNWICK BROTHERS LTD", "one letter differs, with an abbreviation"],
  ])("that differ say in what: %s and %s, %s", (text, name, reason) => {
    expect(compare(text, name).reason).toBe(reason);
  });

  it("are hardly similar if they share only a word that many names have", () => {
    expect(compare("Quillory Holdings Limited", "TARNWICK HOLDINGS LTD").score).toBeLessThan(30);
  });

  it("are not alike for a word that one of them has twice", () => {
    expect(compare("Quillory Quillory Ltd", "QUILLORY LTD").score).toBeLessThan(70);
  });

  it("are the same if neither has a legal ending", () => {
    expect(compare("Tarnwick Trust", "TARNWICK TRUST")).toMatchObject({ score: 100, reason: "same name" });
  });
});

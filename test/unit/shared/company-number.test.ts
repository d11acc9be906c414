import { describe, expect, it } from "@jest/globals";
import {
  companyPrefix,
  jurisdictionOf,
  parseCompanyNumber,
  parsePathNumber,
  parseTypedNumber,
  partialDataOf,
} from "../../../api/shared/values/company-number.ts";
import { enumerationKeys } from "../../../api/shared/values/enumerations.ts";

describe("parseCompanyNumber", () => {
  it.each([
    ["00099061", "00099061"],
    ["99061", "00099061"],
    ["9900063", "09900063"],
    [" sc990099 ", "SC990099"],
    ["SC1234", "SC001234"],
    ["R0009901", "R0009901"],
    ["R9901", "R0009901"],
    ["IP99123R", "IP99123R"],
    ["SP9987RS", "SP9987RS"],
  ])("reads %p as %s", (text, number) => {
    expect(parseCompanyNumber(text)).toBe(number);
  });

  it.each([
    "",
    " ",
    "990000001",
    "9.9E+07",
    "SC9900991",
    "ABCDEFGH",
    "IP123R",
    "9900000é",
    "99-00001",
    "SC 98100",
    "oc 399001",
    "99 061",
  ])("refuses %p", (text) => {
    expect(parseCompanyNumber(text)).toBeNull();
  });
});

describe("parseTypedNumber", () => {
  it.each([
    ["oc 399001", "OC399001"],
    [" SC 98\u00a0100 ", "SC098100"],
    ["00099061", "00099061"],
  ])("reads %p as %s", (text, number) => {
    expect(parseTypedNumber(text)).toBe(number);
  });
});

describe("parsePathNumber", () => {
  it.each([
    ["00099061", "00099061"],
    ["sc990001", "SC990001"],
    ["Ip99123r", "IP99123R"],
  ])("reads %p as %s", (text, number) => {
    expect(parsePathNumber(text)).toBe(number);
  });

  it.each([
    "99061",
    "SC1234",
    "R9901",
    "",
    " 99061",
    "oc 39900",
    "00099061 ",
    "000099061",
    "ABCDEFGH",
    "ﬁ990001",
  ])("refuses %p", (text) => {
    expect(parsePathNumber(text)).toBeNull();
  });
});

describe("what a number says", () => {
  it.each([
    ["99000001", "", "england-wales"],
    ["SC990001", "SC", "scotland"],
    ["R0009901", "R0", "northern-ireland"],
    ["NI990001", "NI", "northern-ireland"],
    ["OC399001", "OC", "england-wales"],
    ["FC099001", "FC", "united-kingdom"],
    ["SF099001", "SF", "united-kingdom"],
    ["OE099001", "OE", "united-kingdom"],
    ["BR099001", "BR", "united-kingdom"],
    ["CS009901", "CS", "scotland"],
  ])("%s has the prefix %p and belongs to %s", (number, prefix, jurisdiction) => {
    expect(companyPrefix(number)).toBe(prefix);
    expect(jurisdictionOf(number)).toBe(jurisdiction);
    expect(enumerationKeys("jurisdiction")).toContain(jurisdiction);
  });

  it.each([
    ["IC000991", "full-data-available-from-financial-conduct-authority"],
    ["PC000991", "full-data-available-from-financial-conduct-authority"],
    ["RC000991", "full-data-available-from-the-company"],
    ["IP99123R", "full-data-available-from-financial-conduct-authority-mutuals-public-register"],
    ["RS009901", "full-data-available-from-financial-conduct-authority-mutuals-public-register"],
  ])("%s has its full record elsewhere: %s", (number, partialData) => {
    expect(partialDataOf(number)).toBe(partialData);
    expect(enumerationKeys("partial_data_available")).toContain(partialData);
  });

  it.each(["99000001", "SC990001", "CE099001"])("%s has its full record here", (number) => {
    expect(partialDataOf(number)).toBeNull();
  });
});

import { describe, expect, it } from "@jest/globals";
import { addressSnippet, normaliseAddress, normalisePostcode } from "../../../api/shared/values/address.ts";

describe("normalisePostcode", () => {
  it.each([
    ["RG19ZZ", "RG1 9ZZ"],
    ["rg1 9zz", "RG1 9ZZ"],
    ["RG1  9ZZ", "RG1 9ZZ"],
    ["RG1 9ZZ.", "RG1 9ZZ"],
    ["WF2 4ZZ\\", "WF2 4ZZ"],
    ["EC1V9LT", "EC1V 9LT"],
    ["W1A1AA", "W1A 1AA"],
    ["GIR 0AA", "GIR 0AA"],
    ["BT34 5ZZ", "BT34 5ZZ"],
    ["L-9998", "L-9998"],
    ["VG1110", "VG1110"],
    ["80331", "80331"],
    ["D02 X285", "D02 X285"],
    ["T12 AB", "T12 AB"],
    ["gx111aa", "GX11 1AA"],
    ["JE28ZZ", "JE2 8ZZ"],
    ["BF13AA", "BF1 3AA"],
    ["EC1V", "EC1V"],
    [" 69000. ", "69000"],
  ])("writes %p as %s", (text, postcode) => {
    expect(normalisePostcode(text)).toBe(postcode);
  });
});

describe("normaliseAddress", () => {
  it("trims ends and trailing commas, and keeps inner double spaces and letter case", () => {
    expect(normaliseAddress({ address_line_1: " 5 SAMPLE  ROAD, ", locality: "LONDON," })).toEqual({
      address_line_1: "5 SAMPLE  ROAD",
      locality: "LONDON",
    });
  });

  it("takes numbers, and leaves out null, empty and placeholder members", () => {
    const raw = { premises: 12, address_line_1: "Sample Road", region: "COUNTY (OPTIONAL)", country: null };
    expect(normaliseAddress({ ...raw, po_box: "" })).toEqual({
      premises: "12",
      address_line_1: "Sample Road",
    });
  });

  it("is null when nothing is left", () => {
    expect(normaliseAddress({ address_line_1: " , ", region: "County (Optional)" })).toBeNull();
  });

  it.each([".", "\\", " , "])("leaves out a postcode of nothing but %p", (postal_code) => {
    expect(normaliseAddress({ locality: "LEEDS", postal_code })).toEqual({ locality: "LEEDS" });
    expect(normaliseAddress({ postal_code })).toBeNull();
  });

  it("shows a repeated first line once", () => {
    const raw = { address_line_1: "1 SAMPLE ROAD", address_line_2: "1 SAMPLE ROAD" };
    expect(normaliseAddress(raw)).toEqual({ address_line_1: "1 SAMPLE ROAD" });
  });

  it.each([
    ["united kingdom", "United Kingdom"],
    ["WALES", "Wales"],
    ["CÔTE D'IVOIRE", "CÔTE D'IVOIRE"],
  ])("writes the country %s as %s", (country, written) => {
    expect(normaliseAddress({ country })).toEqual({ country: written });
  });

  it("joins the lines of a member", () => {
    expect(normaliseAddress({ address_line_1: "SAMPLE\r\nHOUSE" })).toEqual({
      address_line_1: "SAMPLE HOUSE",
    });
  });

  it("moves a postcode from the town or the county to its place", () => {
    expect(normaliseAddress({ address_line_2: "READING", locality: "rg19zz" })).toEqual({
      address_line_2: "READING",
      postal_code: "RG1 9ZZ",
    });
    expect(normaliseAddress({ region: "RG1 9ZZ", postal_code: "RG19ZZ" })).toEqual({
      postal_code: "RG1 9ZZ",
    });
  });

  it("keeps a second postcode where it is", () => {
    expect(normaliseAddress({ locality: "RG1 9ZZ", postal_code: "LS1 4ZZ" })).toEqual({
      locality: "RG1 9ZZ",
      postal_code: "LS1 4ZZ",
    });
  });
});

describe("addressSnippet", () => {
  it.each([
    [{ premises: "5", address_line_1: "Sample Road", postal_code: "LS1 4ZZ" }, "5 Sample Road, LS1 4ZZ"],
    [{ premises: "Mock Mill", address_line_1: "Sample Road" }, "Mock Mill, Sample Road"],
    [{ care_of: "A B", po_box: "9", locality: "Leeds", country: "England" }, "A B, 9, Leeds, England"],
    [{}, ""],
  ])("puts %j on one line", (address, snippet) => {
    expect(addressSnippet(address)).toBe(snippet);
  });
});

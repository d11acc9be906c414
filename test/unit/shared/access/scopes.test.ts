import { describe, expect, it } from "@jest/globals";
import {
  companiesOf,
  hasScope,
  mayAskFor,
  parseScope,
  readAsked,
  shortenScope,
} from "../../../../api/shared/access/scopes.ts";

const BASE = "https://register.example";

describe("a scope", () => {
  it.each([
    ["company.read", { name: "company.read" }],
    ["user/profile.read", { name: "user/profile.read" }],
    ["company/00912345/company.read", { name: "company.read", companyNumber: "00912345" }],
    ["company/sc123456/company.read", { name: "company.read", companyNumber: "SC123456" }],
    ["company/*/address.update", { name: "address.update", companyNumber: "*" }],
    // Public clients send only the address of a company, which means the scope to read that company.
    ["company/00912345", { name: "company.read", companyNumber: "00912345" }],
    ["company/*", { name: "company.read", companyNumber: "*" }],
    ["company/912345", null],
    ["company", null],
    ["company/00912345/", null],
    ["company/912345/company.read", null],
    ["company/ABCDEFGH/company.read", null],
    ["Company.read", null],
    ["", null],
  ])("%p is parsed as %j", (text, scope) => {
    expect(parseScope(text)).toEqual(scope);
  });

  it.each([
    [`${BASE}/company.read`, "company.read"],
    ["company.read", "company.read"],
    [
      `${BASE}/company/00912345/registered-office-address.update`,
      "company/00912345/registered-office-address.update",
    ],
    [`${BASE}/company/sc123456`, "company/SC123456"],
    ["https://accounts.example/user/profile.read", "user/profile.read"],
    ["http://another.example:8080/company/sc123456", "company/SC123456"],
    ["https://another.example/company/*", null],
    ["https://another.example/", null],
    ["ftp://another.example/company.read", null],
    ["company/*", null],
    ["company/*/company.read", null],
  ])("%p of a client has the short form %p", (text, short) => {
    expect(shortenScope(text, BASE)).toBe(short);
    // Below the path of a proxy as well.
    expect(shortenScope(text.replace(BASE, `${BASE}/register`), `${BASE}/register`)).toBe(short);
  });

  it("several scopes with the same meaning are asked for once", () => {
    const texts = ["company.read", `${BASE}/company.read`, "search.read"];
    expect(readAsked(texts, BASE, undefined)).toEqual({ scopes: ["company.read", "search.read"] });
  });

  it("twenty may be asked for at once", () => {
    const scopes = Array.from({ length: 20 }, (_, i) => `company/${10000001 + i}`);
    expect(readAsked(scopes, BASE, undefined)).toEqual({ scopes });
  });

  it.each([
    [["company.read", "scope"], undefined, /^there is no scope scope$/],
    [["company/*/company.read"], undefined, /^there is no scope company\/\*\/company.read$/],
    [["unheard.of"], undefined, /^there is no scope unheard.of$/],
    [["o".repeat(100)], undefined, /^there is no scope o{100}$/],
    [["o".repeat(101)], undefined, /^there is no scope o{100}\.\.\.$/],
    [["company/00912345"], ["search.read"], /^this application may not ask for company\/00912345$/],
    [[], undefined, /at least one/],
    [
      Array.from({ length: 21 }, (_, i) => `company/${10000001 + i}`),
      undefined,
      /at most 20 scopes, not 21$/,
    ],
  ])("%j for an application with the list %j are refused with a reason", (texts, listed, words) => {
    expect(readAsked(texts, BASE, listed)).toEqual({ fault: expect.stringMatching(words) });
  });
});

describe("an application", () => {
  it.each([
    [undefined, "company.read", true],
    [undefined, "company/00912345/company.read", true],
    [undefined, "company/00912345/registered-office-address.update", false],
    [undefined, "unheard.of", false],
    [undefined, "no scope", false],
    [["search.read"], "company.read", false],
    [
      ["company/*/registered-office-address.update"],
      "company/00912345/registered-office-address.update",
      true,
    ],
    [["company/00912345/company.read"], "company/00912345/company.read", true],
    [["company/00912345/company.read"], "company/00000001/company.read", false],
    [["company/*/company.read"], "company.read", false],
    [undefined, "company/00912345", true],
    [["company.read"], "company/00912345", true],
    [["company/*/company.read"], "company/00912345", true],
    [["company/*"], "company/00912345/company.read", true],
    [["company/*"], "company.read", false],
    [["company/00912345/company.read"], "company/00912345", true],
    [["company/00912345"], "company/00000001", false],
    [["search.read"], "company/00912345", false],
  ])("with the scopes %j may ask for %s: %p", (listed, scope, expected) => {
    expect(mayAskFor(listed, scope)).toBe(expected);
  });
});

describe("a caller", () => {
  it.each([
    [["company.read"], "company.read", "00912345", true],
    [["company/00912345/company.read"], "company.read", "00912345", true],
    [["company/00912345/company.read"], "company.read", "00000001", false],
    [["company/00912345/company.read"], "company.read", undefined, false],
    [["company/00912345"], "company.read", "00912345", true],
    [["company/00912345"], "company.read", "00000001", false],
    [["company/00912345"], "officers.read", "00912345", false],
    [["search.read"], "company.read", "00912345", false],
    [[], "company.read", undefined, false],
  ] as const)("with %j has %s of %p: %p", (granted, name, company, expected) => {
    expect(hasScope(granted, name, company)).toBe(expected);
  });
});

it("each company in scopes is named once", () => {
  const scopes = [
    "company/00912345/company.read",
    "search.read",
    "company/00912345/x.update",
    "company/sc000001/x.read",
    "company/00000001",
  ];
  expect(companiesOf(scopes)).toEqual(["00912345", "SC000001", "00000001"]);
});

/** Pages for answers that the sample register does not have: long lists, open ends, missing days. */
import { describe, expect, it } from "@jest/globals";
import { parse } from "node-html-parser";
import type { Ask } from "../../../api/pages/define-page.ts";
import { pages } from "../../../api/pages/routes.ts";
import { renderPage } from "../../../api/pages/layout.tsx";
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import { enumerationKeys } from "../../../api/shared/values/enumerations.ts";

const COMPANY = { company_number: "00000001", company_name: "SAMPLE LTD", type: "ltd", links: {} };
const LOADED = { loaded: true, as_of: null };

/** The page, its main part as text, and what it read of the API. */
async function show(name: string, answers: Record<string, unknown>, query: Record<string, string> = {}) {
  const page = pages.find((one) => one.name === name);
  const asked: [string, unknown][] = [];
  // The cast: a stand-in for the API with these answers; any other is a 404, which the page gets as null.
  const ask = ((of: string, values: unknown) => {
    asked.push([of, values]);
    const answer = of === "company-profile" ? { ...COMPANY, ...(answers[of] as object) } : answers[of];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? null);
  }) as unknown as Ask;
  const params = { company_number: COMPANY.company_number, officer_id: "x", psc_id: "x" };
  const shown = await page?.show({ ask, params, query, today: "2026-11-02", reach: 1000 });
  if (!shown) throw new Error(`${name} shows nothing`);
  const root = parse(renderPage(shown, { style: "/s", mark: "/m", script: "/j" }, "./"));
  const text = (root.querySelector("main")?.text ?? "").replace(/\s+/g, " ").trim();
  return { root, text, asked };
}

const counts = (total: number) => ({ total_results: total, total_count: total, active_count: total });
const EMPTY = { items: [], ceased_count: 0, resigned_count: 0, satisfied_count: 0, coverage: LOADED };

describe("a page past the end of a list", () => {
  it.each([
    ["page-company-people", "officer-list"],
    ["page-company-control", "psc-list"],
    ["page-company-filings", "filing-history"],
    ["page-company-charges", "charge-list"],
    ["page-search", "search-all"],
    ["page-officer", "officer-appointment-list"],
  ])("%s does not say that the list is empty, and links to its last page", async (name, list) => {
    const answer = { ...EMPTY, ...counts(60), name: "SAMPLE" };
    const { text, root } = await show(name, { [list]: answer }, { page: "9", q: "sample" });
    expect(text).toMatch(/There are no rows on this page: the list has [23] pages\.\s*← Page [23]$/);
    expect(text).not.toMatch(/There are no (?!rows)|nothing like this|none have been loaded|Page 9/);
    expect(root.querySelector(".pager a[rel=prev]")?.getAttribute("href")).toMatch(/page=[23](&|$)/);
  });

  it.each([
    ["page-company-people", "There are no officers."],
    ["page-company-control", "There are no persons with significant control."],
    ["page-company-filings", "There are no filings."],
    ["page-company-charges", "There are no charges."],
  ])("%s says of an empty list that it is empty: %s", async (name, words) => {
    const answer = { ...EMPTY, ...counts(0) };
    const lists = ["officer-list", "psc-list", "filing-history", "charge-list"];
    const { text } = await show(name, Object.fromEntries(lists.map((list) => [list, answer])));
    expect(text).toContain(words);
  });
});

describe("a search that finds nothing", () => {
  it.each([
    ["all", {}, "Nothing found for “sample”", "The register has nothing like this."],
    ["officer", {}, "No officers found for “sample”", "The register has no officers like this."],
    ["control", {}, "No persons with control found", "The register has no persons with control like this."],
    [
      "company",
      { location: "x" },
      "No companies found",
      "The register has no companies like this with these filters.",
    ],
    ["officer", { location: "x" }, "No officers found", "The register has no officers like this."],
  ])("of the kind %s with the filters %j says: %s", async (kind, filters, heading, words) => {
    const { text, root } = await show("page-search", {}, { q: "sample", kind, page: "9", ...filters });
    expect(root.querySelector("h1")?.text).toContain(heading);
    expect(text).toContain(words);
    // The list has no pages, so its end is not mentioned.
    expect(text).not.toMatch(/[Pp]age|rows/);
  });

  it("of all kinds has searched each kind", async () => {
    const { asked } = await show("page-search", {}, { q: "sample" });
    const kinds = "company,officer,disqualified-officer,person-with-significant-control";
    expect(asked).toEqual([["search-all", expect.objectContaining({ q: "sample", kinds })]]);
  });
});

describe("the last page within the window of a longer list", () => {
  const SMITH = { q: "smith" };
  const ACTIVE = { company_status: "active" };
  it.each([
    ["page-search", "search-all", SMITH, 50, 1_786, "This list ends at the first 1,000 of 1,786. Add a word"],
    [
      ...(["page-advanced", "search-advanced-companies", ACTIVE, 400, 29_192] as const),
      "This list ends at the first 10,000 of 29,192. Narrow the search, or download all as CSV.",
    ],
  ])(
    "%s says that the list continues, and how to see the rest",
    async (name, list, query, last, total, words) => {
      const item = { kind: "searchresults#company", title: "SAMPLE", company_number: "1", links: {} };
      const textOf = async (page: number, all: number) => {
        const answer = { items: [item], total_results: all, hits: all };
        return (await show(name, { [list]: answer }, { ...query, page: String(page) })).text;
      };
      expect(await textOf(last, total)).toContain(words);
      expect(await textOf(last - 1, total)).not.toContain("This list ends");
      expect(await textOf(last, last * 20)).not.toContain("This list ends");
    },
  );
});

describe("a key that may not read the coverage", () => {
  const coverage = new ApiError(403, []);

  it("shows the insolvency of a company, or that none has been loaded", async () => {
    const cases = [{ type: "administration-order", dates: [], practitioners: [] }];
    const known = await show("page-company-insolvency", { insolvency: { cases }, coverage });
    expect(known.text).toContain("1 case");
    const unknown = await show("page-company-insolvency", { coverage });
    expect(unknown.text).toContain("No insolvency cases are known: none have been loaded");
  });

  it("shows a start page that does not call the register empty", async () => {
    const { text } = await show("page-start", { coverage });
    expect(text).toContain("Browse from A to Z");
    expect(text).not.toMatch(/empty|What this register holds/);
  });
});

describe("a disqualification that may be an officer's", () => {
  it.each([
    ["9999-12-31", "is disqualified with no end date: likely"],
    ["2012-01-01", "was disqualified until 1 January 2012: likely"],
    ["2026-11-02", "is disqualified until 2 November 2026: likely"],
  ])("with the end date %s is shown as: Ann %s the same person", async (until, words) => {
    const disqualification = {
      link: "/disqualified-officers/natural/x",
      name: "Ann",
      likelihood: "likely",
      matched: ["name"],
    };
    const list = { ...EMPTY, ...counts(0), name: "ANN" };
    const likely_disqualifications = [{ ...disqualification, disqualified_until: until }];
    const { text } = await show("page-officer", {
      "officer-appointment-list": { ...list, likely_disqualifications },
    });
    expect(text).toContain(`Ann ${words} the same person`);
  });

  it("may be eased by permissions, with and without an end date", async () => {
    const granted = { granted_on: "2020-01-01", company_names: ["SAMPLE LTD"] };
    const permissions = ["9999-12-31", "2021-01-01"].map((expires_on) => ({ ...granted, expires_on }));
    const person = { surname: "ANN", disqualifications: [], permissions_to_act: permissions };
    const { text } = await show("page-disqualified-natural", { "natural-disqualification": person });
    expect(text).toContain("from 1 January 2020 with no end date");
    expect(text).toContain("from 1 January 2020 until 1 January 2021");
  });
});

describe("a disqualified officer's page", () => {
  it.each([
    ["2020-01-01", "2026-11-02", "Disqualified today"],
    ["2026-11-02", "9999-12-31", "Disqualified today"],
    ["2020-01-01", "2026-11-01", "No longer disqualified"],
    ["2026-12-10", "2030-12-09", "Disqualified from 10 December 2026"],
  ])("with an order from %s until %s says: %s", async (from, until, words) => {
    const reason = { act: "company-directors-disqualification-act-1986", description_identifier: "x" };
    const order = { reason, disqualification_type: "court-order" };
    const later = { ...order, disqualified_from: from, disqualified_until: until };
    const past = { ...order, disqualified_from: "2001-01-01", disqualified_until: "2002-01-01" };
    const person = { surname: "ANN", disqualifications: [later, past] };
    const { root } = await show("page-disqualified-natural", { "natural-disqualification": person });
    expect(root.querySelector(".tags")?.text).toBe(words);
  });

  it("says which court has varied an order, and which one gave a permission", async () => {
    const reason = { act: "company-directors-disqualification-act-1986", description_identifier: "x" };
    const days = { disqualified_from: "2020-06-15", disqualified_until: "2027-06-14" };
    const last_variation = { varied_on: "2021-02-02", case_identifier: "CR-9902", court_name: "High Court" };
    const order = { reason, disqualification_type: "court-order", ...days };
    const permission = {
      granted_on: "2020-08-01",
      expires_on: "2027-06-14",
      court_name: "Leeds County Court",
    };
    const person = {
      surname: "ANN",
      disqualifications: [{ ...order, last_variation }, order],
      permissions_to_act: [permission, { ...permission, company_names: ["SAMPLE LTD"] }],
    };
    const { text } = await show("page-disqualified-natural", { "natural-disqualification": person });
    expect(text).toMatch(/Varied ?2 February 2021 ?Varied by ?High Court ?Varied in case ?CR-9902/);
    expect(text.match(/Varied by/g)).toHaveLength(1);
    expect(text).toContain("All companies, by Leeds County Court from 1 August 2020");
    expect(text).toContain("SAMPLE LTD, by Leeds County Court from 1 August 2020");
  });
});

it("a row of a disqualified officer does not say that the disqualification still applies", async () => {
  const found = { kind: "searchresults#disqualified-officer", title: "ANN", links: { self: "/x" } };
  const items = [{ ...found, description: "Disqualified", address_snippet: "LEEDS" }];
  const answers = { "search-disqualified-officers": { items, total_results: 1 } };
  const { root } = await show("page-search", answers, { q: "ann", kind: "disqualified" });
  expect(root.querySelector(".results .status")?.text).toBe("Disqualification on record");
  expect(root.querySelector(".results .facts")?.text).toBe("LEEDS");
});

it("the suggested spelling is searched with the same filters, from the first page", async () => {
  const answers = { "search-companies": { items: [], total_results: 0, did_you_mean: "SAMPLE" } };
  const query = { q: "sampel", kind: "company", company_status: "active", page: "2" };
  const { root } = await show("page-search", answers, query);
  expect(root.querySelector(".meant a")?.getAttribute("href")).toMatch(
    /\?q=SAMPLE&kind=company&company_status=active$/,
  );
});

describe("periods", () => {
  it("leave out an unknown day and the word before it", async () => {
    const previous_company_names = [
      { name: "A", effective_from: "2001-01-01", ceased_on: "2002-02-02" },
      { name: "B", effective_from: "2001-01-01" },
      { name: "C", ceased_on: "2002-02-02" },
      { name: "D" },
    ];
    const { root } = await show("page-company", { "company-profile": { previous_company_names } });
    expect(root.querySelectorAll(".plain li").map(({ text }) => text.replace(/\s+/g, " ").trim())).toEqual([
      "A from 1 January 2001 until 2 February 2002",
      "B from 1 January 2001",
      "C until 2 February 2002",
      "D",
    ]);
    const items = [{ statement: "psc-exists-but-not-identified" }];
    const statements = { items, ...counts(1) };
    const { text } = await show("page-company-control", { "psc-statement-list": statements });
    expect(text).toMatch(/not yet identified|not identified/);
    expect(text).not.toMatch(/since|from/);
  });
});

it("the control page says whom a statement is about, and why a notice was withdrawn", async () => {
  const items = [
    {
      statement: "restrictions-notice-issued-to-psc",
      linked_psc_name: "Ann Sample",
      restrictions_notice_withdrawal_reason: "restrictions-notice-withdrawn-by-company",
    },
    { statement: "psc-details-not-confirmed", linked_psc_name: "Ben Sample" },
    { statement: "no-individual-or-entity-with-signficant-control" },
  ];
  const { root } = await show("page-company-control", { "psc-statement-list": { items, ...counts(3) } });
  expect(root.querySelectorAll(".plain li").map(({ text }) => text)).toEqual([
    "Restrictions notice issued to PSC: Ann Sample · Restrictions notice withdrawn by company",
    "PSC details not confirmed: Ben Sample",
    "No individual or entity with significant control",
  ]);
});

it("the control page says how many statements it does not show", async () => {
  const items = Array.from({ length: 100 }, () => ({
    statement: "no-individual-or-entity-with-signficant-control",
  }));
  const statements = { items, ...counts(130) };
  const { text, asked } = await show("page-company-control", { "psc-statement-list": statements });
  expect(text).toContain("Not shown: 30 more.");
  expect(asked).toContainEqual(["psc-statement-list", { company_number: "00000001", items_per_page: "100" }]);
});

it.each([
  [0, "4 notifications: 1 current, 1 ceased"],
  [2, "4 notifications: 1 current, 2 in companies that have ended, 1 ceased"],
])("a controller's page with %i notifications to ended companies counts them", async (inactive, words) => {
  const numbers = { active_count: 1, inactive_count: inactive, ceased_count: 1 };
  const list = { ...EMPTY, ...counts(4), ...numbers, name: "ANN" };
  const { root } = await show("page-controller", { "psc-notification-list": list });
  expect(root.querySelector("h2")?.text).toBe(words);
});

it("a controller's card says that they are sanctioned, and says nothing if they are not", async () => {
  const cardOf = async (is_sanctioned: boolean) => {
    const items = [{ kind: "individual-beneficial-owner", name: "X", links: {}, is_sanctioned }];
    const { root } = await show("page-company-control", { "psc-list": { ...EMPTY, ...counts(1), items } });
    return root.querySelector(".card")?.text;
  };
  expect(await cardOf(true)).toContain("SanctionedYes");
  expect(await cardOf(false)).not.toContain("Sanctioned");
});

it.each([
  [0, "5 appointments: 2 current, 1 resigned"],
  [2, "5 appointments: 2 current, 2 in companies that have ended, 1 resigned"],
])("an officer's page with %i appointments to ended companies counts them", async (inactive, words) => {
  const numbers = { active_count: 2, inactive_count: inactive, resigned_count: 1 };
  const list = { ...EMPTY, ...counts(5), ...numbers, name: "ANN" };
  const { root } = await show("page-officer", { "officer-appointment-list": list });
  expect(root.querySelector("h2")?.text).toBe(words);
});

it.each([
  ["individual-person-with-significant-control", "Individual"],
  ["corporate-entity-person-with-significant-control", "Corporate entity"],
  ["legal-person-person-with-significant-control", "Legal person"],
  ["super-secure-person-with-significant-control", "Super secure"],
  ["legal-person-beneficial-owner", "Legal person beneficial owner"],
])("a controller of the kind %s is tagged %s", async (kind, tag) => {
  const list = { ...EMPTY, ...counts(1), items: [{ kind, name: "X", links: {} }] };
  const { root } = await show("page-company-control", { "psc-list": list });
  expect(root.querySelector(".card .tags")?.text).toBe(tag);
});

it("a picture whose only controller is beyond the first hundred does not say that there are none", async () => {
  const items = [{ kind: "individual-person-with-significant-control", name: "X", ceased: true, links: {} }];
  const list = { ...EMPTY, items, total_results: 101, active_count: 1, ceased_count: 100 };
  const { text, asked } = await show("page-company", { "psc-list": list });
  expect(text).toContain("and 1 more");
  expect(text).not.toContain("No controllers");
  expect(asked).toContainEqual(["psc-list", { company_number: "00000001", items_per_page: "100" }]);
});

describe("filters of a search for companies", () => {
  const found = { items: [], hits: 1, total_results: 1, facets: {} };
  const chips = async (query: Record<string, string>) => {
    const { root, asked } = await show("page-advanced", { "search-advanced-companies": found }, query);
    const chosen = root.querySelectorAll(".chosen a").map(({ text }) => text.replace(/:.*/, ""));
    return { chosen, asked: asked[0]?.[1], field: root.querySelector("#sic_codes")?.getAttribute("value") };
  };

  it("may be separated by a comma and a space, as the form shows them", async () => {
    const { chosen, field } = await chips({ sic_codes: "62012, 62020" });
    expect(chosen).toEqual([
      "Business and domestic software development",
      "Information technology consultancy activities",
    ]);
    expect(field).toBe("62012, 62020");
  });

  it("keep a place with a comma as one filter", async () => {
    const query = { location: "1 High St, Reading", q: "sample", kind: "company" };
    const { chosen } = await chips(query);
    expect(chosen).toEqual(["1 High St, Reading"]);
    const { asked } = await show("page-search", { "search-companies": found }, query);
    expect(asked[0]).toMatchObject(["search-companies", { location: ["1 High St, Reading"] }]);
  });

  it("are required: a form without any is not searched", async () => {
    const empty = await show("page-advanced", {}, { company_name_includes: " ", sic_codes: "" });
    expect([empty.text, empty.asked]).toEqual([expect.stringContaining("Fill in at least one field."), []]);
    expect((await show("page-advanced", {})).text).not.toContain("Fill in");
  });
});

it("the alphabet page past its end links back to the letter", async () => {
  const { root } = await show("page-alphabet", {}, { from: "Q", below: "ZZZZZZ" });
  expect(root.querySelector(".nothing a")?.getAttribute("href")).toMatch(/alphabet\?from=Q$/);
});

it("an insolvency page shows the status if there is no case, and the notes and the charge of a case", async () => {
  const page = async (insolvency: object) => (await show("page-company-insolvency", { insolvency })).text;
  const receivership = await page({ status: ["receivership", "part-a1-moratorium"], cases: [] });
  expect(receivership).toMatch(/Receivership ?Part a1 moratorium/);
  expect(receivership).not.toContain("none have been loaded");
  const links = { charge: "/company/00000001/charges/x" };
  const one = { type: "receiver-manager", dates: [], practitioners: [], notes: ["scottish-insolvency-info"] };
  const { root, text } = await show("page-company-insolvency", {
    insolvency: { cases: [{ ...one, links }] },
  });
  expect(text).toContain("Scottish insolvency info");
  expect(root.querySelector(".card a")?.getAttribute("href")).toMatch(/company\/00000001\/charges#x$/);
});

it("a charge without a classification has a heading", async () => {
  const items = [{ id: "x", charge_number: 1, status: "outstanding" }];
  const list = { ...EMPTY, ...counts(1), items, part_satisfied_count: 0 };
  const { root } = await show("page-company-charges", { "charge-list": list });
  expect(root.querySelector(".card h3")?.text).toBe("Charge");
});

it("a filing is listed with the filings that belong to it", async () => {
  const filing = {
    transaction_id: "x",
    type: "X",
    date: "2020-01-01",
    category: "resolution",
    description: "resolution",
  };
  const words = { description: "resolution-securities", description_values: { description: "Allotment" } };
  const items = [
    {
      ...filing,
      resolutions: [
        { type: "RES10", ...words },
        { type: "RES15", description: "CHANGE OF NAME" },
      ],
    },
    { ...filing, associated_filings: [{ type: "SH01", description: "statement-of-capital" }] },
    { ...filing, annotations: [{ description: "annotation", annotation: "A clarification" }] },
    { ...filing, resolutions: [{ type: "RES15", category: "change-of-name" }] },
  ];
  const { root } = await show("page-company-filings", {
    "filing-history": { ...EMPTY, ...counts(4), items },
  });
  expect(root.querySelectorAll("tbody td small").map(({ text }) => text)).toEqual([
    "RES10: Allotment · RES15: CHANGE OF NAME",
    "SH01: Statement of capital",
    "A clarification",
    "RES15: Change of name",
  ]);
});

it("the overview shows the last annual return while the first confirmation is still due", async () => {
  const company = {
    confirmation_statement: { next_due: "2027-02-01" },
    annual_return: { last_made_up_to: "2016-01-18" },
  };
  const { text } = await show("page-company", { "company-profile": company });
  expect(text).toMatch(/Last confirmed ?18 January 2016 ?Next confirmation ?due by 1 February 2027/);
});

it("the filter of filings has every published category", async () => {
  const { root } = await show("page-company-filings", { "filing-history": { ...EMPTY, ...counts(1) } });
  const options = root.querySelectorAll("#category option");
  const values = options.map((option) => option.getAttribute("value"));
  expect(values).toEqual(["", ...enumerationKeys("filing_history_category")]);
  expect(options.map(({ text }) => text)).toContain("Gazette");
});

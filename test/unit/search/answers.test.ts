/** Answers of the four primary searches: from hits made of real documents to items, checked against the schemas. */
import { describe, expect, test } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import type { SearchHit } from "../../../api/shared/definitions/search-result.ts";
import { searches } from "../../../api/search/index.ts";
import { BAND_GAP, BANDS, scoreOf } from "../../../api/search/ranking/tiers.ts";
import { answerOf, companyHit, hitOf } from "../../support/company-searches.ts";
import { aCompany, aDisqualifiedOfficer, anOfficer } from "../../support/search-records.ts";

function answer(path: string, query: RawQuery, hits: SearchHit[]) {
  const search = searches.find((candidate) => candidate.path === path);
  if (!search) throw new Error(`there is no search ${path}`);
  return answerOf(search, parseQuery(search.parameters, query), hits) as { items: Record<string, unknown>[] };
}

function companyItem(changes: Partial<CompanyProfile>, q = "tarnwick", tier = 4) {
  return answer("/search/companies", { q }, [found(companyHit(changes), tier)]).items[0];
}

function found(hit: SearchHit, tier: number): SearchHit {
  return { ...hit, score: scoreOf(tier) };
}

describe("a company", () => {
  test("has every member of the item", () => {
    const address = {
      premises: "12",
      address_line_1: "Quill Lane",
      locality: "Tarnby",
      postal_code: "TA1 1ZZ",
    };
    expect(
      answer("/search/companies", { q: "tarnwick", start_index: "40" }, [
        companyHit({ registered_office_address: address }),
      ]),
    ).toEqual({
      kind: "search#companies",
      items: [
        {
          kind: "searchresults#company",
          title: "TARNWICK PRESS LIMITED",
          company_number: "00912345",
          company_status: "active",
          company_type: "ltd",
          date_of_creation: "2005-12-02",
          description: "00912345 - Incorporated on 2 December 2005",
          description_identifier: ["incorporated-on"],
          address,
          address_snippet: "12 Quill Lane, Tarnby, TA1 1ZZ",
          snippet: "",
          matches: { title: [1, 8] },
          links: { self: "/company/00912345" },
        },
      ],
      items_per_page: 20,
      page_number: 3,
      start_index: 40,
      total_results: 1,
    });
  });

  test.each<[Partial<CompanyProfile>, string]>([
    [{ type: "llp" }, "Incorporated on 2 December 2005"],
    [{ type: "limited-partnership" }, "Registered on 2 December 2005"],
    [{ type: "uk-establishment", company_status: "open" }, "Opened on 2 December 2005"],
    [{ type: "oversea-company" }, "First UK establishment opened on 2 December 2005"],
    [{ type: "eeig" }, "Registered on 2 December 2005"],
    [{ type: "unregistered-company" }, "Formed on 2 December 2005"],
    [{ company_status: "dissolved", date_of_cessation: "2019-01-31" }, "Dissolved on 31 January 2019"],
    [{ company_status: "dissolved" }, "Dissolved on Unknown"],
    [
      { company_status: "converted-closed", date_of_cessation: "2019-01-31" },
      "Converted/Closed on 31 January 2019",
    ],
    [{ company_status: "closed", date_of_cessation: "2019-01-31" }, "Closed on 31 January 2019"],
    [{ company_status: "closed" }, "Closed"],
    [{ company_status: "removed", date_of_cessation: "2019-01-31" }, "Removed on 31 January 2019"],
    [{ company_status: "liquidation" }, "Liquidation"],
    [{ company_status: "receivership" }, "Receiver Action"],
    [{ company_status: "administration" }, "In Administration"],
    [{ company_status: "voluntary-arrangement" }, "Voluntary Arrangement"],
    [{ company_status: "insolvency-proceedings" }, "Insolvency Proceedings"],
    [
      { type: "oversea-company", external_registration_number: "HRB 99001" },
      "Registered externally as HRB 99001",
    ],
  ])("with %j is described as %j", (changes, description) => {
    expect(companyItem(changes)?.description).toBe(`00912345 - ${description}`);
  });

  test("may lack status, dates and address", () => {
    const bare = aCompany({
      company_name: "TARN",
      company_number: "CE000001",
      type: "charitable-incorporated-organisation",
    });
    delete bare.data.company_status;
    const item = answer("/search/companies", { q: "tarn" }, [hitOf("companies", "CE000001", [bare])])
      .items[0];
    expect(item).toMatchObject({
      company_status: null,
      date_of_creation: null,
      description: "CE000001",
      description_identifier: [null],
      address: null,
      address_snippet: null,
    });
  });

  test("shows the date of cessation, or says that it is not known", () => {
    expect(companyItem({ company_status: "dissolved" })).toMatchObject({ date_of_cessation: "Unknown" });
    expect(companyItem({})).not.toHaveProperty("date_of_cessation");
  });

  test("shows the previous name that matched; of equal ones, the latest", () => {
    const previous_company_names = [
      { name: "QUILLORY LLP", ceased_on: "2011-02-03" },
      { name: "QUILLORY LTD", ceased_on: "2014-05-06" },
    ];
    expect(companyItem({ previous_company_names }, "quillory", 3)).toMatchObject({
      snippet: "QUILLORY LTD",
      matches: { snippet: [1, 8] },
    });
  });

  test("chooses the previous name by the first sixteen words of the query", () => {
    const previous_company_names = ["QUILLORY LTD", "ZANDRICK LTD"].map((name) => ({ name }));
    const q = `${"Quilory ".repeat(16)} Zandrick`;
    expect(companyItem({ previous_company_names }, q, 12)?.snippet).toBe("QUILLORY LTD");
  });

  test("shows the first of previous names that ended on the same day or on unknown days", () => {
    const names = ["QUILLORY LTD", "QUILLORY LLP"];
    for (const ceased_on of ["2011-02-03", undefined]) {
      const previous_company_names = names.map((name) => ({ name, ...(ceased_on && { ceased_on }) }));
      expect(companyItem({ previous_company_names }, "quillory", 3)?.snippet).toBe("QUILLORY LTD");
    }
  });

  test.each<[q: string, tier: number, present: string, previous: string[], snippet: string]>([
    [
      "Quillory Press Ltd, Leeds",
      14,
      "QUILLORY LIMITED",
      ["QUILLORY PRESS LIMITED"],
      "QUILLORY PRESS LIMITED",
    ],
    ["Quillory Press Ltd, Leeds", 13, "QUILLORY PRESS", ["QUILLORY PRESS LEEDS LTD"], ""],
    ["Press Works LS1 1ZZ", 14, "BRANTWORKS LTD", ["PRESS LTD", "PRESS WORKS LTD"], "PRESS WORKS LTD"],
  ])(
    "found by %j in tier %d, with the names %j and %j, shows the previous name %j",
    (q, tier, company_name, names, snippet) => {
      const previous_company_names = names.map((name) => ({ name }));
      expect(companyItem({ company_name, previous_company_names }, q, tier)?.snippet).toBe(snippet);
    },
  );

  test.each<[q: string, present: string, previous: string[], snippet: string]>([
    ["Quillory Ltd, Leeds", "BRANTWORKS LTD", ["INKWELL LTD", "QUILLORY LTD"], "QUILLORY LTD"],
    ["Quillory Ltd, Leeds", "QUILLORY LTD", ["QUILLORY PLC"], ""],
  ])(
    "found by a whole name in %j, with the names %j and %j, shows the previous name %j in either band",
    (q, company_name, names, snippet) => {
      const previous_company_names = names.map((name) => ({ name }));
      const hit = found(companyHit({ company_name, previous_company_names }), 13);
      for (const band of [BANDS.wholeName, BANDS.allNear]) {
        const inBand = { ...hit, score: (hit.score ?? 0) + band * BAND_GAP + 1 };
        expect(answer("/search/companies", { q }, [inBand]).items[0]?.snippet).toBe(snippet);
      }
    },
  );

  test("shows no previous name if the current one is the same in law as the query", () => {
    const previous_company_names = [{ name: "QUILLORY LTD", ceased_on: "2014-05-06" }];
    const hit = { ...companyHit({ company_name: "QUILLORY (UK) LTD", previous_company_names }), score: null };
    const shown = { snippet: "", matches: { title: [1, 8] } };
    expect(answer("/name-availability/companies", { q: "Quillory" }, [hit]).items[0]).toMatchObject(shown);
    const restrictions = "legally-equivalent-company-name";
    expect(answer("/search/companies", { q: "Quillory", restrictions }, [hit]).items[0]).toMatchObject(shown);
  });

  test("has no highlights if the query was its number", () => {
    const item = companyItem({ company_name: "912345 TRADING LTD" }, "912345");
    expect(item).toMatchObject({ snippet: "", matches: {} });
  });
});

describe("an officer", () => {
  const line = {
    officer_id: "officer-1".padEnd(27, "0"),
    title: "Dr",
    forename: "Zoë",
    other_forenames: "Jane",
    surname: "O'Tarn",
    resigned_count: 2,
    date_of_birth: { month: 3, year: 1947 },
    former_names: [{ surname: "QUILLFEATHER" }],
  };
  const hit = hitOf("officers", line.officer_id, anOfficer(line));

  test("has every member of the item", () => {
    expect(answer("/search/officers", { q: "otarn zoe" }, [hit]).items[0]).toEqual({
      kind: "searchresults#officer",
      title: "Dr Zoë Jane O'TARN",
      appointment_count: 3,
      date_of_birth: { month: 3, year: 1947 },
      description: "Total number of appointments 3 - Born March 1947",
      description_identifiers: ["appointment-count", "born-on"],
      address: null,
      address_snippet: null,
      snippet: "",
      matches: { title: [4, 6, 13, 18] },
      links: { self: `/officers/${line.officer_id}/appointments` },
    });
  });

  test("shows the former name that matched", () => {
    expect(answer("/search/officers", { q: "zoe quillfeather" }, [hit]).items[0]).toMatchObject({
      snippet: "Zoë Jane QUILLFEATHER",
      matches: { title: [4, 6], snippet: [1, 3, 10, 21] },
    });
  });

  test.each<[q: string, tier: number, surname: string, snippet: string]>([
    ["Quornsby", 3, "QUORNSBY-SMITHERS", "Jane QUORNSBY"],
    ["Quornsby", 2, "QUORNSBY-SMITHERS", ""],
    ["Quornsby, Leeds", 14, "SMITHERS", "Jane QUORNSBY"],
    ["Quornsbie, Leeds", 13, "SMITHERS", "Jane QUORNSBY"],
  ])(
    "found by %j in tier %d, with the surname %j and a former one, shows the former name %j",
    (q, tier, surname, snippet) => {
      const former_names = [{ surname: "QUORNSBY" }];
      const jane = { officer_id: line.officer_id, forename: "Jane", surname, former_names };
      const officer = hitOf("officers", line.officer_id, anOfficer(jane));
      expect(answer("/search/officers", { q }, [found(officer, tier)]).items[0]?.snippet).toBe(snippet);
    },
  );

  test("that is a corporate body is described by its appointments", () => {
    const body = { officer_id: "b".repeat(27), corporate_name: "TARN SECRETARIES LTD" };
    const bodyHit = hitOf("officers", body.officer_id, anOfficer(body));
    expect(answer("/search/officers", { q: "tarn" }, [bodyHit]).items[0]).toMatchObject({
      title: "TARN SECRETARIES LTD",
      description: "Total number of appointments 1",
      description_identifiers: ["appointment-count"],
    });
  });
});

describe("a disqualified officer", () => {
  const person = aDisqualifiedOfficer({ officer_id: "d".repeat(27), forename: "Basil", surname: "TARN" });
  person.data.date_of_birth = "1964-04-05";
  const body = aDisqualifiedOfficer({ officer_id: "e".repeat(27), corporate_name: "TARN TRADING LTD" });

  test("is described by the full birth date, or if a corporate body, as disqualified", () => {
    const hits = [person, body].map((record) => hitOf("disqualified-officers", record._id, [record]));
    expect(answer("/search/disqualified-officers", { q: "tarn" }, hits).items).toMatchObject([
      {
        kind: "searchresults#disqualified-officer",
        title: "Basil TARN",
        date_of_birth: "1964-04-05",
        description: "Born on 5 April 1964",
        description_identifiers: ["born-on"],
        address_snippet: "1 Invented Row, Tarnwick",
        links: { self: `/disqualified-officers/natural/${"d".repeat(27)}` },
      },
      {
        title: "TARN TRADING LTD",
        description: "Disqualified",
        description_identifiers: [],
        links: { self: `/disqualified-officers/corporate/${"e".repeat(27)}` },
      },
    ]);
  });
});

test("the combined search answers with items of all kinds", () => {
  const officer = { officer_id: "o".repeat(27), forename: "Odile", surname: "TARNWICK" };
  const disqualified = aDisqualifiedOfficer(officer);
  const { items } = answer("/search", { q: "tarnwick" }, [
    companyHit(),
    hitOf("disqualified-officers", officer.officer_id, [disqualified]),
    hitOf("officers", officer.officer_id, anOfficer(officer)),
  ]);
  expect(items.map((item) => [item.kind, item.matches])).toEqual([
    ["searchresults#company", { title: [1, 8] }],
    ["searchresults#disqualified-officer", { title: [7, 14] }],
    ["searchresults#officer", { title: [7, 14] }],
  ]);
});

test("a search that finds nothing answers with a page without items", () => {
  expect(answer("/search", { q: "tarnwick" }, [])).toMatchObject({
    items: [],
    total_results: 0,
    page_number: 1,
  });
});

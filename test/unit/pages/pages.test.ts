import { describe, expect, it } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changeQuery, companyAddress, pageOf, pathToRoot, withQuery } from "../../../api/pages/addresses.ts";
import { gatherLife } from "../../../api/pages/company/timeline.tsx";
import { describeSic, enumerationKeys } from "../../../api/shared/values/enumerations.ts";
import type { Company, Filing } from "../../../api/pages/answers.ts";
import { pages } from "../../../api/pages/routes.ts";
import {
  addressLines,
  countOf,
  describeFilingCode,
  reasonWords,
  showDate,
  wordsOf,
} from "../../../api/pages/words.ts";
import { REASONS } from "../../../api/search/ranking/tiers.ts";
import { resources } from "../../../api/resources/index.ts";
import { searches } from "../../../api/search/index.ts";

describe("the table of contents of pages", () => {
  const files = readdirSync("api/pages", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .filter((path) =>
      /^export const \w+Page(: PageDefinition)? = /m.test(readFileSync(join("api/pages", path), "utf8")),
    );

  it.each(files)("imports %s", (path) => {
    expect(readFileSync("api/pages/routes.ts", "utf8")).toContain(`from "./${path}"`);
  });

  it("gives each page a name and a path of its own, below /pages, where the API has nothing", () => {
    const paths = pages.map(({ path }) => path);
    expect(new Set(paths).size).toBe(pages.length);
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
    const ofApi = [...resources, ...searches].map(({ path }) => path.split("/")[1]);
    expect(ofApi).not.toContain("pages");
    expect(paths.filter((path) => path !== "/" && !path.startsWith("/pages/"))).toEqual([]);
  });
});

describe("addresses", () => {
  it.each([
    ["/company/99000064", "/pages/company/99000064"],
    ["/officers/a-b_C/appointments", "/pages/officer/a-b_C"],
    ["/disqualified-officers/natural/x", "/pages/disqualified/natural/x"],
    ["/persons-with-significant-control/x/notifications", "/pages/controller/x"],
    ["/company/1/persons-with-significant-control/individual/x", "/pages/company/1/control"],
    ["/company/1/registers", undefined],
    [undefined, undefined],
  ])("%s of the API is the page %s", (link, page) => {
    expect(pageOf(link)).toBe(page);
  });

  it.each([
    ["/", "./"],
    ["/pages/search", "../"],
    ["/pages/company/1", "../../"],
    ["/pages/company/1/", "../../../"],
    ["/pages/company/1/people", "../../../"],
  ])("from the page %s the address of the root is %s", (path, root) => {
    expect(pathToRoot(path)).toBe(root);
    expect(new URL(root, `http://register.example${path}`).pathname).toBe("/");
  });

  it("leave out empty parameters, and have new values in place of old ones", () => {
    expect(withQuery("/a", { q: "b c", kind: "", list: ["x", "y"] })).toBe("/a?q=b+c&list=x&list=y");
    expect(changeQuery("/a", { q: "b", page: "3", list: ["x", "y"] }, { page: "", list: "x" })).toBe(
      "/a?q=b&list=x",
    );
    expect(companyAddress("00000001", "people")).toBe("/pages/company/00000001/people");
  });
});

describe("words", () => {
  it("exist for every reason of a search", () => {
    for (const reason of REASONS) expect(reasonWords(reason)).toMatch(/^[A-Z][a-z]/);
  });

  it("come from the lists, or else spell the code out", () => {
    expect(wordsOf("company_status", "liquidation")).toBe("Liquidation");
    expect(wordsOf("psc_statement", "psc-exists-but-not-identified")).toBe("PSC exists but not identified");
    expect(["64209", "1010", "01010", "0111", "00111", "xx"].map(describeSic)).toEqual([
      "Activities of other holding companies not elsewhere classified",
      ...["Mining & agglomeration of hard coal", "Mining & agglomeration of hard coal"],
      ...["Grow cereals & other crops", "Grow cereals & other crops"],
      "",
    ]);
  });

  it("differ for each type of company, because a visitor chooses by them", () => {
    const types = enumerationKeys("company_type").map((code) => wordsOf("company_type", code));
    expect(types.filter((words, place) => types.indexOf(words) !== place)).toEqual([]);
  });

  it("exist for every code of the former list of businesses", () => {
    expect(enumerationKeys("sic_2003").filter((code) => describeSic(code) === "")).toEqual([]);
  });

  it.each([
    ["appoint-person-director-company-with-name-date", "Appoint person director"],
    ["mortgage-create-with-deed-with-charge-number-charge-creation-date", "Mortgage create with deed"],
    ["confirmation-statement-with-no-updates", "Confirmation statement with no updates"],
    ["accounts-with-accounts-type-group", "Group accounts"],
    ["accounts-amended-with-accounts-type-total-exemption-full", "Total exemption full accounts, amended"],
    ["incorporation-company", "Incorporation"],
    [
      "annual-return-company-with-made-up-date-full-list-shareholders",
      "Annual return full list shareholders",
    ],
    [
      "mortgage-satisfy-charge-full-with-mortgage-satisfaction-date-limited-liability-partnership",
      "Mortgage satisfy charge full",
    ],
    ["mortgage-acquire-with-deed-with-charge-number-charge-acquisition-date", "Mortgage acquire with deed"],
    [
      "capital-cancellation-treasury-shares-with-date-currency-capital-figure",
      "Capital cancellation treasury shares",
    ],
    [
      "change-to-a-person-with-significant-control-limited-liability-partnership",
      "Change to a person with significant control limited liability partnership",
    ],
    ["resolution", "Resolution"],
  ])("describe the filing %s without what is shown beside it: %s", (code, words) => {
    expect(describeFilingCode(code)).toBe(words);
  });

  it("for dates and counts are those of English texts", () => {
    expect([showDate("2005-12-21"), showDate(undefined), showDate("9999-12-31")]).toEqual([
      "21 December 2005",
      "",
      "",
    ]);
    expect([countOf(1, "company", "companies"), countOf(1234, "officer")]).toEqual([
      "1 company",
      "1,234 officers",
    ]);
  });

  it("of an address are lines in the usual order", () => {
    const address = {
      premises: "4",
      address_line_1: "Sample Street",
      locality: "Leeds",
      care_of: "Ann",
      postal_code: "LS1 4ZZ",
    };
    expect(addressLines(address)).toEqual(["c/o Ann", "4 Sample Street", "Leeds", "LS1 4ZZ"]);
  });

  it.each([
    ["99", "SMITH"],
    ["PO BOX 99", "C/O SMITH"],
    ["P.O. Box 99", "c/o SMITH"],
  ])("for the box %s and the person %s have each prefix once", (po_box, care_of) => {
    expect(addressLines({ po_box, care_of })).toEqual(["c/o SMITH", "PO Box 99"]);
  });
});

it("the timeline of a company has dated events of all its records, the latest first", () => {
  const company: Company = {
    ...{
      company_name: "SAMPLE LTD",
      company_number: "00000001",
      type: "ltd",
      company_status: "dissolved",
      links: {},
    },
    ...{ date_of_creation: "2000-01-01", date_of_cessation: "2020-01-01" },
    previous_company_names: [{ name: "EXAMPLE LTD", ceased_on: "2005-05-05" }, { name: "UNDATED LTD" }],
  };
  const filing = { transaction_id: "x", category: "accounts" };
  const items: Filing[] = [
    {
      ...{ ...filing, date: "2010-03-01", description: "accounts-with-accounts-type-full" },
      description_values: { made_up_date: "2009-12-31" },
    },
    filing,
  ];
  const filings = { items, total_count: 2 };
  // 9999-12-31 stands for no end date, so it is no event.
  const controller = {
    ...{ kind: "individual-beneficial-owner", name: "Ann", links: {} },
    ...{ notified_on: "2016-04-06", ceased_on: "9999-12-31" },
  } as const;
  const controllers = { items: [controller], total_results: 1, active_count: 0, ceased_count: 1 };
  const charge = {
    ...{ id: "x", company_number: "00000001", charge_number: 1 },
    status: "satisfied",
  } as const;
  const charges = {
    items: [
      { ...charge, created_on: "2001-01-01", persons_entitled: [{ name: "A BANK PLC" }] },
      { ...charge, acquired_on: "2002-02-02", delivered_on: "2002-03-03", satisfied_on: "2004-04-04" },
    ],
    ...{ total_count: 2, satisfied_count: 2, part_satisfied_count: 0 },
  };
  const life = gatherLife({ company, filings, controllers, charges, officers: null, insolvency: null });
  expect(life.map(({ day, words, who }) => [day, words, who])).toEqual([
    ["2020-01-01", "Dissolved", undefined],
    ["2016-04-06", "Control notified", "Ann"],
    ["2010-03-01", "Full accounts", "to 31 December 2009"],
    ["2005-05-05", "Gave up the name", "EXAMPLE LTD"],
    ["2004-04-04", "Charge satisfied", undefined],
    ["2002-03-03", "Charge registered", undefined],
    ["2001-01-01", "Charge created", "A BANK PLC"],
    ["2000-01-01", "Incorporated", undefined],
  ]);
});

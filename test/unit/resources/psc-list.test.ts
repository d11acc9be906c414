import { describe, expect, it } from "@jest/globals";
import { exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import { pscList } from "../../../api/resources/person-with-significant-control/index.ts";
import { pscStatementList } from "../../../api/resources/psc-statement/index.ts";
import {
  aPerson,
  aStatement,
  openLists,
  severalPersons,
  severalStatements,
} from "../../support/psc-builders.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";

const FULL = "99000001";
const EMPTY = "99000002";
const UNREGISTERED = "99000003";
const EXEMPT = "99000004";
const STATED = "99000005";
const EXEMPT_ALONE = "99000006";
const UNKNOWN = "99000009";

function anExemption(company_number: string, items: { exempt_from: string; exempt_to?: string }[]) {
  const exemptions = { psc_exempt_as_trading_on_regulated_market: { items } };
  return toStored(exemptionsRecord, { company_number, exemptions }, 1);
}

const { read, answer, labelsIn } = openLists({
  companies: [FULL, EMPTY, EXEMPT].map((number) => aCompany(number)),
  pscs: [...severalPersons(FULL), aPerson(UNREGISTERED, "lonely", { notified_on: "2016-04-06" })],
  psc_statements: [...severalStatements(FULL), aStatement(STATED, "s-alone", { notified_on: "2016-04-06" })],
  exemptions: [
    anExemption(EXEMPT, [
      { exempt_from: "2016-04-06", exempt_to: "2018-01-01" },
      { exempt_from: "2019-01-01" },
    ]),
    anExemption(EXEMPT_ALONE, [{ exempt_from: "2019-01-01" }]),
    anExemption(FULL, [{ exempt_from: "2016-04-06", exempt_to: "2018-01-01" }]),
  ],
});

const ORDER = ["new", "gone-late", "gone-early", "stays", "on-the-day", "old", "secret", "undated"];

describe("a company's persons", () => {
  it("are sorted by notification, then by cessation, latest first, undated ones last", async () => {
    expect(await labelsIn(pscList, FULL)).toEqual(ORDER);
  });

  it("are counted over the company, not over the page", async () => {
    const body = await answer(pscList, FULL, { items_per_page: "2", start_index: "3" });
    expect(body).toMatchObject({
      active_count: 4,
      ceased_count: 4,
      total_results: 8,
      items_per_page: 2,
      start_index: 3,
      links: {
        self: `/company/${FULL}/persons-with-significant-control`,
        persons_with_significant_control_statements: `/company/${FULL}/persons-with-significant-control-statements`,
      },
    });
    expect(await labelsIn(pscList, FULL, { items_per_page: "2", start_index: "3" })).toEqual(
      ORDER.slice(3, 5),
    );
  });

  it("say whether they have ceased", async () => {
    const body = await answer(pscList, FULL);
    expect((body.items as { ceased: boolean }[]).map(({ ceased }) => ceased)).toEqual(
      ORDER.map((label) => ["gone-late", "gone-early", "on-the-day", "secret"].includes(label)),
    );
  });

  it("are an empty list for a known company, and 404 for an unknown one", async () => {
    const body = await answer(pscList, EMPTY);
    expect(body).toMatchObject({ active_count: 0, ceased_count: 0, total_results: 0, items: [] });
    expect(body.links).toEqual({ self: `/company/${EMPTY}/persons-with-significant-control` });
    expect(await read(pscList, UNKNOWN)).toBeNull();
    expect(pscList.notFound).toBe("company-psc-not-found");
  });

  it("are shown even if the company is not in the register", async () => {
    expect(await answer(pscList, UNREGISTERED)).toMatchObject({ active_count: 1, total_results: 1 });
  });

  it("are an empty list for a company with only a statement, whose link leads here", async () => {
    const { links } = await answer(pscStatementList, STATED);
    expect(links).toMatchObject({
      persons_with_significant_control_list: `/company/${STATED}/persons-with-significant-control`,
    });
    expect(await answer(pscList, STATED)).toMatchObject({
      total_results: 0,
      links: {
        persons_with_significant_control_statements: `/company/${STATED}/persons-with-significant-control-statements`,
      },
    });
  });

  it("are an empty list for a company with only an exemption, and link to it", async () => {
    expect(await answer(pscList, EXEMPT_ALONE)).toMatchObject({
      total_results: 0,
      links: { exemptions: `/company/${EXEMPT_ALONE}/exemptions` },
    });
  });

  it("are an empty page past the end", async () => {
    const body = await answer(pscList, FULL, { start_index: "8" });
    expect(body).toMatchObject({ items: [], total_results: 8, start_index: 8 });
  });

  it("link to exemptions only while one is active", async () => {
    expect((await answer(pscList, EXEMPT)).links).toMatchObject({
      exemptions: `/company/${EXEMPT}/exemptions`,
    });
    expect((await answer(pscList, FULL)).links).not.toHaveProperty("exemptions");
  });
});

describe("paging", () => {
  it.each([
    [{}, 25],
    [{ items_per_page: "0" }, 25],
    [{ items_per_page: "-3" }, 3],
    [{ items_per_page: "101" }, 100],
  ])("corrects %j to %i a page", async (raw, size) => {
    expect((await answer(pscList, FULL, raw)).items_per_page).toBe(size);
    expect((await answer(pscStatementList, FULL, raw)).items_per_page).toBe(size);
  });

  it.each([{ items_per_page: "many" }, { start_index: "1.5" }, { register_view: "yes" }])(
    "refuses %j",
    async (raw) => {
      await expect(read(pscList, FULL, raw)).rejects.toMatchObject({ status: 400 });
      await expect(read(pscStatementList, FULL, raw)).rejects.toMatchObject({ status: 400 });
    },
  );
});

describe("a company's statements", () => {
  it("are sorted latest first, with a link to the persons", async () => {
    expect(await labelsIn(pscStatementList, FULL)).toEqual(["s-late", "s-early", "s-active"]);
    expect(await answer(pscStatementList, FULL)).toMatchObject({
      active_count: 1,
      ceased_count: 2,
      total_results: 3,
      links: {
        self: `/company/${FULL}/persons-with-significant-control-statements`,
        persons_with_significant_control_list: `/company/${FULL}/persons-with-significant-control`,
      },
    });
  });

  it("are 404 if there is none, and an empty page past the end", async () => {
    expect(await read(pscStatementList, EMPTY)).toBeNull();
    expect(await read(pscStatementList, UNKNOWN)).toBeNull();
    expect(await answer(pscStatementList, FULL, { start_index: "3" })).toMatchObject({
      items: [],
      total_results: 3,
    });
  });
});

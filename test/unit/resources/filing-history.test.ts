import { beforeEach, describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { PathValues } from "../../../api/resources/define-resource.ts";
import type { RecordReader } from "../../../api/shared/definitions/record-reader.ts";
import { filingRecord } from "../../../api/resources/filing-history/record.ts";
import { filingHistory, filingHistoryStatusOf } from "../../../api/resources/filing-history/index.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

interface Body {
  etag: string;
  filing_history_status: string;
  items: { transaction_id: string; date: string; category: string; links: { self: string } }[];
  items_per_page: number;
  kind: string;
  start_index: number;
  total_count: number;
}

const samples = readSamples("api-shaped/filing-history.jsonl");
const counts = facts.api_shaped.filings_by_company;
const [version] = filingHistory.versions;
const check = compileCheck(version.schema);

let records: RecordReader;

beforeEach(() => {
  ({ records } = createMemoryReader({ filings: storeAll(filingRecord, samples) }));
});

async function get(company_number: string, query: RawQuery = {}): Promise<Body> {
  const path: PathValues = { company_number };
  const read = await filingHistory.read(records, path, parseQuery(filingHistory.parameters, query));
  const body = version.present(read, { today: "2026-11-02" });
  expect(check(body)).toBeNull();
  return body as unknown as Body;
}

describe("GET /company/:company_number/filing-history", () => {
  it.each(Object.entries(counts))(
    "lists the filings of %s, %i of them, latest first",
    async (number, count) => {
      const { items, total_count } = await get(number, { items_per_page: "100" });
      const dates = items.map(({ date }) => date);
      expect({ total_count, items: items.length }).toEqual({ total_count: count, items: count });
      expect(dates).toEqual(dates.toSorted().toReversed());
    },
  );

  it.each(["constructor", "toString", "__proto__", "no-such"])(
    "lists nothing for an unknown category: %s",
    async (category) => {
      expect(await get("99000064", { category })).toMatchObject({ items: [], total_count: 0 });
    },
  );

  it("answers an unknown company with an empty list, whose status depends on the number", async () => {
    expect(await get("LP000001")).toMatchObject({
      items: [],
      kind: "filing-history",
      total_count: 0,
      filing_history_status: "filing-history-not-available-limited-partnership-before-1988",
    });
  });

  it.each([
    ["accounts", ["accounts"]],
    ["accounts, mortgage", ["accounts", "mortgage"]],
    ["confirmation-statement", ["confirmation-statement"]],
    ["incorporation", ["incorporation", "resolution"]],
    [
      ["accounts", "mortgage"],
      ["accounts", "mortgage"],
    ],
    ["no-such-category", []],
  ])("filters by category %j", async (category, expected) => {
    const { items, total_count } = await get("99000064", { category, items_per_page: "100" });
    expect([...new Set(items.map((item) => item.category))].sort()).toEqual(expected);
    expect(total_count).toBe(items.length);
  });

  it.each(["", ","])(
    "does not filter if the list of categories is %j, as with every list",
    async (category) => {
      expect((await get("99000064", { category })).total_count).toBe((await get("99000064")).total_count);
    },
  );

  it.each([
    ["incorporation", "99090001", ["change-of-name", "gazette", "incorporation"]],
    ["confirmation-statement", "99000025", ["annual-return", "confirmation-statement"]],
  ])("includes related categories with %s", async (category, company_number, expected) => {
    const [model] = storeAll(filingRecord, samples.slice(0, 1));
    const annualReturn = { ...model, _id: "annual-return", category: "annual-return" };
    const data = { ...annualReturn.data, category: "annual-return", company_number: "99000025" };
    const stored = [...storeAll(filingRecord, samples), { ...annualReturn, data }];
    ({ records } = createMemoryReader({ filings: stored as never[] }));
    const { items } = await get(company_number, { category });
    expect([...new Set(items.map((item) => item.category))].sort()).toEqual(expected);
  });

  it.each([
    [{}, 25, 0],
    [{ items_per_page: "0", start_index: "-3" }, 25, 3],
    [{ items_per_page: "-7" }, 7, 0],
    [{ items_per_page: "1000", start_index: "20" }, 100, 20],
  ])("corrects paging %j", async (query, items_per_page, start_index) => {
    const body = await get("99000025", query);
    expect(body).toMatchObject({ items_per_page, start_index, total_count: 24 });
    expect(body.items).toHaveLength(Math.min(items_per_page, 24 - start_index));
  });

  it("refuses a page size that is not a whole number", () => {
    expect(() => parseQuery(filingHistory.parameters, { items_per_page: "many" })).toThrow(
      "invalid-parameter",
    );
  });

  it("pages through a list without gap or repeat, and has nothing beyond its end", async () => {
    const whole = await get("99000064", { items_per_page: "100" });
    const offsets = ["0", "5", "10", "15"];
    const pages = await Promise.all(
      offsets.map((start_index) => get("99000064", { items_per_page: "5", start_index })),
    );
    expect(pages.flatMap(({ items }) => items)).toEqual(whole.items);
    expect(await get("99000064", { start_index: "18" })).toMatchObject({ items: [], total_count: 18 });
  });

  it("is sorted and filtered by one index of its record", () => {
    expect(filingRecord.indexes).toEqual([{ fields: ["company_number", "filing_order", "category"] }]);
  });

  it("has no ETag header, and an ETag in the body that changes with a filing", async () => {
    expect(filingHistory.hasEtag).toBeUndefined();
    const before = await get("99000064");
    const changed = readSamples("streams/filings.ndjson");
    ({ records } = createMemoryReader({ filings: storeAll(filingRecord, [...samples, ...changed]) }));
    expect((await get("99000064")).etag).not.toBe(before.etag);
  });
});

describe("filing_history_status", () => {
  const AVAILABLE = "available";
  const SOCIETY = "industrial-and-provident-society";
  it.each([
    ["99000064", AVAILABLE],
    ...["SC990007", "NI990001", "R0009901", "OC399001", "SO399001", "NC001234"].map((n) => [n, AVAILABLE]),
    ...["SG000123", "FC099001", "SF000123", "NF000123", "BR099001", "OE099001"].map((n) => [n, AVAILABLE]),
    ...["GE000123", "GS000123", "GN000123", "SE000123", "ES000123", "EN000123"].map((n) => [n, AVAILABLE]),
    ...["FE000123", "CE099001", "CS000123", "ZC000123", "SZ000123", "NZ000123"].map((n) => [n, AVAILABLE]),
    ["LP003369", "not-available-limited-partnership-before-1988"],
    ["LP003370", "available-no-images-limited-partnership-from-1988"],
    ["LP015996", "available-no-images-limited-partnership-from-1988"],
    ["LP015997", "available-limited-partnership-from-2014"],
    ["SL001082", "not-available-limited-partnership-before-1988"],
    ["SL001083", "available-no-images-limited-partnership-from-1988"],
    ["SL016383", "available-no-images-limited-partnership-from-1988"],
    ["SL016384", "available-limited-partnership-from-2014"],
    ["NL000010", "not-available-limited-partnership-before-1988"],
    ["NL000011", "available-no-images-limited-partnership-from-1988"],
    ["NL000075", "available-no-images-limited-partnership-from-1988"],
    ["NL000076", "available-limited-partnership-from-2014"],
    ["AC001838", "available-assurance-company-before-2004"],
    ["AC001839", "not-available-assurance-company-from-2004"],
    ["SA144517", "available-assurance-company-before-2004"],
    ["SA144518", "not-available-assurance-company-from-2004"],
    ["NA000000", "not-available-assurance-company-from-2004"],
    ["IP12345R", `not-available-${SOCIETY}`],
    ["RS123ABC", `not-available-${SOCIETY}`],
    ["SP01234R", `not-available-scottish-${SOCIETY}`],
    ["NP000123", `not-available-northern-ireland-${SOCIETY}`],
    ["NO000123", `not-available-northern-ireland-other-${SOCIETY}`],
    ...["RC000123", "SR000123", "NR000123"].map((n) => [n, "not-available-royal-charter"]),
    ...["IC000123", "SI000123", "NV000123"].map((n) => [
      n,
      "not-available-investment-company-with-variable-capital",
    ]),
    ["PC000123", "not-available-protected-cell-company"],
    ["XY000123", "not-available-unknown-prefix"],
    ["1234567A", "not-available-invalid-format"],
    ["SCABC123", "not-available-invalid-format"],
  ])("of %s is %s", (number = "", status = "") => {
    expect(filingHistoryStatusOf(number)).toBe(`filing-history-${status}`);
  });
});

import { describe, expect, it } from "@jest/globals";
import { parseQuery, type RawQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import { chargeList } from "../../../api/resources/charge/index.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { aCompany } from "../../support/stored-company.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

interface Body {
  etag: string;
  items: { charge_number: number; status: string; created_on: string }[];
  part_satisfied_count: number;
  satisfied_count: number;
  total_count: number;
  unfiltered_count: number;
}

const samples = readSamples("api-shaped/charges.jsonl");
const [model] = samples as [IncomingResource];
const { records } = createMemoryReader({
  charges: storeAll(chargeRecord, samples),
  companies: [aCompany("99000001")],
});
const [version] = chargeList.versions;
const check = compileCheck(version.schema);

async function get(company_number: string, query: RawQuery = {}): Promise<Body | null> {
  const read = await chargeList.read(records, { company_number }, parseQuery(chargeList.parameters, query));
  if (read === null) return null;
  const body = version.present(read, { today: "2026-11-01" });
  expect(check(body)).toBeNull();
  return body as unknown as Body;
}

type Counts = Partial<Record<"outstanding" | "part-satisfied" | "satisfied" | "fully-satisfied", number>>;

describe("GET /company/:company_number/charges", () => {
  const companies = Object.entries(facts.api_shaped.charges_by_company as Record<string, Counts>);

  it.each(companies)("counts and lists the charges of %s", async (number, counts) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const satisfied = (counts.satisfied ?? 0) + (counts["fully-satisfied"] ?? 0);
    const body = await get(number);
    expect(body).toMatchObject({
      total_count: total,
      unfiltered_count: total,
      satisfied_count: satisfied,
      part_satisfied_count: counts["part-satisfied"] ?? 0,
    });
    expect(body?.items).toHaveLength(total);
    const days = body?.items.map(({ created_on }) => created_on) ?? [];
    expect(days).toEqual(days.toSorted().toReversed());
  });

  it.each([
    [{}, "ee6fa78189ae74d6ada0f735fd2ccef0745fd1a4"],
    [{ filter: "outstanding" }, "1f6ebb978495c0bbffc28919215f308bc975145f"],
  ])("has the same etag in every release, with %p", async (query, etag) => {
    expect((await get("99000025", query))?.etag).toBe(etag);
  });

  it.each(companies)(
    "leaves out satisfied charges of %s when asked for outstanding ones",
    async (number, counts) => {
      const open = (counts.outstanding ?? 0) + (counts["part-satisfied"] ?? 0);
      const whole = await get(number);
      const body = await get(number, { filter: "outstanding" });
      expect(body).toMatchObject({
        total_count: open,
        unfiltered_count: whole?.total_count,
        satisfied_count: whole?.satisfied_count,
      });
      expect(body?.items).toHaveLength(open);
      expect(
        body?.items.filter(({ status }) => status.endsWith("satisfied") && status !== "part-satisfied"),
      ).toEqual([]);
    },
  );

  it("refuses an unknown filter", () => {
    expect(() => parseQuery(chargeList.parameters, { filter: "fancy" })).toThrow("invalid-parameter");
  });

  it("answers a company without charges with zeros", async () => {
    expect(await get("99000001")).toMatchObject({
      items: [],
      total_count: 0,
      unfiltered_count: 0,
      satisfied_count: 0,
      part_satisfied_count: 0,
    });
  });

  it("does not find an unknown company", async () => {
    expect(await get("99000002")).toBeNull();
  });

  it("pages without gap or repeat, and shows neither page size nor offset", async () => {
    const whole = await get("99000025");
    const pages = await Promise.all(
      ["0", "5", "10"].map((start_index) => get("99000025", { items_per_page: "5", start_index })),
    );
    expect(pages.flatMap((page) => page?.items)).toEqual(whole?.items);
    expect(Object.keys(whole ?? {}).sort()).toEqual([
      "etag",
      "items",
      "part_satisfied_count",
      "satisfied_count",
      "total_count",
      "unfiltered_count",
    ]);
    expect(await get("99000025", { start_index: "12" })).toMatchObject({ items: [], total_count: 12 });
  });

  it("corrects the page size", () => {
    const sizes = ["", "0", "-3", "500"].map(
      (items_per_page) => parseQuery(chargeList.parameters, { items_per_page }).items_per_page,
    );
    expect(sizes).toEqual([25, 25, 3, 100]);
  });

  it("is sorted and filtered by one index of its record", () => {
    expect(chargeRecord.indexes).toEqual([{ fields: ["company_number", "charge_order", "status"] }]);
  });

  it("has no ETag header", () => {
    expect(chargeList.hasEtag).toBeUndefined();
  });
});

describe("the order of charges", () => {
  it("is by creation, else by delivery, then by number, highest first; undated charges last", () => {
    const storeCharge = (id: string, change: Record<string, unknown>) =>
      storeOne(chargeRecord, {
        ...model,
        id: id.padEnd(27, "_"),
        uri: `/company/99000025/charges/${id.padEnd(27, "_")}`,
        data: { ...model.data, id: id.padEnd(27, "_"), ...change },
      });
    const stored = [
      storeCharge("undated", { created_on: undefined, delivered_on: undefined }),
      storeCharge("old", { created_on: "2001-01-01" }),
      storeCharge("ninth", { created_on: "2010-01-01", charge_number: 9 }),
      storeCharge("tenth", { created_on: "2010-01-01", charge_number: 10 }),
      storeCharge("delivered", { created_on: undefined, delivered_on: "2015-01-01" }),
    ];
    const ids = stored.toSorted((a, b) => (a.charge_order < b.charge_order ? -1 : 1)).map(({ _id }) => _id);
    expect(ids.map((id) => id.replaceAll("_", ""))).toEqual([
      "delivered",
      "tenth",
      "ninth",
      "old",
      "undated",
    ]);
  });
});

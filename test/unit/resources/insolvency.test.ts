import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { insolvency, insolvencyRecord } from "../../../api/resources/insolvency/index.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/insolvency.jsonl");
const streamed = readSamples("streams/insolvency-cases.ndjson");
const [model] = samples as [IncomingResource];
const { records } = createMemoryReader({ insolvency: storeAll(insolvencyRecord, samples) });
const [version] = insolvency.versions;
const check = compileCheck(version.schema);

function withData(change: Record<string, unknown>): IncomingResource {
  return { ...model, data: { ...model.data, ...change } };
}

describe("GET /company/:company_number/insolvency", () => {
  it("accepts every sample, streamed ones too", () => {
    expect(storeAll(insolvencyRecord, samples)).toHaveLength(facts.api_shaped.insolvency);
    expect(storeAll(insolvencyRecord, streamed)).toHaveLength(streamed.length);
  });

  it.each(samples.map((sample) => [sample.id, sample] as const))(
    "answers %s as it came",
    async (company_number, { data }) => {
      const read = await insolvency.read(records, { company_number }, {});
      const body = version.present(read, { today: "2026-11-01" });
      expect(check(body)).toBeNull();
      expect(body).toEqual(data);
    },
  );

  it("does not find a company without cases, and says so in the original's words", async () => {
    expect(await insolvency.read(records, { company_number: "99000001" }, {})).toBeNull();
    const empty = storeOne(insolvencyRecord, { ...model, data: { etag: model.data.etag, cases: [] } });
    const { records: others } = createMemoryReader({ insolvency: [empty] });
    expect(await insolvency.read(others, { company_number: model.id }, {})).toBeNull();
    expect(insolvency.notFound).toBe("company-insolvencies-not-found");
  });

  it("has no ETag header", () => {
    expect(insolvency.hasEtag).toBeUndefined();
  });
});

describe("an insolvency", () => {
  const CASE = {
    type: "receivership",
    dates: [{ type: "case-end-on", date: "2020-01-01" }],
    practitioners: [],
  };
  const PRACTITIONER = { name: "Gideon Receiversample", address: { address_line_1: "1 Sample Road" } };

  it("may have the forms of the published schema", () => {
    const { data } = storeOne(
      insolvencyRecord,
      withData({
        status: "liquidation",
        cases: {
          type: "receivership",
          number: 2,
          notes: "scottish-insolvency-info",
          dates: CASE.dates[0],
          practitioners: { ...PRACTITIONER, address: [PRACTITIONER.address] },
          links: [{ charge: "/company/99000034/charges/5zglVr7JB1GYZoeSIIyOn5W-zJM" }],
        },
      }),
    );
    expect(data).toMatchObject({
      status: ["liquidation"],
      cases: [
        {
          number: "2",
          notes: ["scottish-insolvency-info"],
          dates: CASE.dates,
          practitioners: [PRACTITIONER],
          links: { charge: "/company/99000034/charges/5zglVr7JB1GYZoeSIIyOn5W-zJM" },
        },
      ],
    });
  });

  it("shows no status if it has none", () => {
    const body = version.present(storeOne(insolvencyRecord, withData({ status: [] })), {
      today: "2026-11-01",
    });
    expect(check(body)).toBeNull();
    expect(body).not.toHaveProperty("status");
  });

  it("keeps the misspelt word of the published list", () => {
    const status = ["live-propopsed-transfer-from-gb"];
    expect(storeOne(insolvencyRecord, withData({ status })).data.status).toEqual(status);
  });

  it("keeps words that are in no list, beside known cases, each with a warning", () => {
    const part = { type: "part-a1-moratorium", dates: [{ type: "begun-on", date: "2026-01-01" }] };
    const practitioners = [{ ...PRACTITIONER, role: "monitor" }];
    const cases = [CASE, { ...part, notes: ["new-note"], practitioners }];
    const resource = withData({ status: ["moratorium"], cases });
    const warnings: string[] = [];
    insolvencyRecord.incoming?.normalise(resource, warnings);
    expect(warnings.toSorted()).toEqual([
      'cases.dates.type: "begun-on" is not on the list',
      'cases.notes: "new-note" is not on the list',
      'cases.practitioners.role: "monitor" is not on the list',
      'cases.type: "part-a1-moratorium" is not on the list',
      'status: "moratorium" is not on the list',
    ]);
    const body = version.present(storeOne(insolvencyRecord, resource), { today: "2026-11-01" });
    expect(check(body)).toBeNull();
    expect(body).toMatchObject({ status: ["moratorium"], cases });
  });

  it("may have an address without its first line, which the original leaves blank", () => {
    const practitioners = [{ name: "Gideon Receiversample", address: { postal_code: "LS1 9ZZ" } }];
    const resource = withData({ cases: [{ ...CASE, practitioners }] });
    const body = version.present(storeOne(insolvencyRecord, resource), { today: "2026-11-01" });
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty("cases.0.practitioners", practitioners);
  });

  it.each([
    ["a status that is no text", { status: 1 }, "status.0: must be"],
    ["no address", { cases: [{ ...CASE, practitioners: [{ name: "X" }] }] }, "must have the member address"],
    ["no cases", { cases: undefined }, "must have the member cases"],
  ])("is refused with %s", (_what, change, reason) => {
    expect(() => storeOne(insolvencyRecord, withData(change))).toThrow(reason);
  });
});

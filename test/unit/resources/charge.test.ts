import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { charge } from "../../../api/resources/charge/index.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/charges.jsonl");
const streamed = readSamples("streams/charges.ndjson");
const [model] = samples as [IncomingResource];
const [version] = charge.versions;
const check = compileCheck(version.schema);

function present(resource: IncomingResource): Record<string, unknown> {
  return version.present(storeOne(chargeRecord, resource), { today: "2026-11-02" });
}

function withData(change: Record<string, unknown>): IncomingResource {
  return { ...model, data: { ...model.data, ...change } };
}

describe("the sample charges", () => {
  it("are all accepted", () => {
    expect(storeAll(chargeRecord, samples)).toHaveLength(facts.api_shaped.charges);
  });

  it.each([...samples, ...streamed].map((sample) => [sample.uri, sample] as const))(
    "are shown as they came: %s",
    (_uri, sample) => {
      const body = present(sample);
      expect(check(body)).toBeNull();
      expect(body).toEqual(sample.data);
    },
  );
});

describe("a charge in the forms of the published schema", () => {
  const FILING = "/company/99000025/filing-history/OTkwMDAwMDAxMGFkaXF6a2N4";
  const transaction = { filing_type: "create-charge-with-deed", delivered_on: "2015-01-01" };

  it.each([
    ["classification", { type: "nature-of-charge", description: "Debenture" }],
    ["particulars", { type: "short-particulars", description: "Land" }],
    ["secured_details", { type: "obligations-secured", description: "All" }],
    ["scottish_alterations", { type: "order", description: "Text", has_alterations_to_order: true }],
  ])("may have %s in a list of one, which is shown without the list", (member, value) => {
    const body = present(withData({ [member]: [value] }));
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty(member, value);
  });

  it.each([
    ["persons_entitled", { name: "A Lender Limited" }],
    ["transactions", { ...transaction, transaction_id: 3_030_303_030, insolvency_case_number: 2 }],
    ["transactions", { ...transaction, insolvency_case_number: "2", links: { filing: FILING } }],
    ["insolvency_cases", { case_number: 1, links: { case: "/company/99000025/insolvency#case-1" } }],
  ])("may have one of %s without its list, which is shown in one", (member, value) => {
    const body = present(withData({ [member]: value }));
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty(member, [value]);
  });

  it("may have the links of a transaction in a list", () => {
    const { data } = storeOne(
      chargeRecord,
      withData({ transactions: [{ ...transaction, links: [{ filing: FILING }] }] }),
    );
    expect(data.transactions).toEqual([{ ...transaction, links: { filing: FILING } }]);
  });

  it.each([
    ["assests_ceased_released", "assets_ceased_released"],
    ["assets_ceased_released", "assets_ceased_released"],
  ])("may have %s as a text or in a list, and shows %s", (given, member) => {
    for (const value of ["whole-property-released", ["whole-property-released"]]) {
      expect(present(withData({ [given]: value }))).toHaveProperty(member, "whole-property-released");
    }
  });

  it("may have its restricting provisions under their other name", () => {
    const body = present(withData({ scottish_alterations: { has_alterations_to_provisions: true } }));
    expect(body.scottish_alterations).toEqual({ has_restricting_provisions: true });
  });

  it("may have its number as text, and loses false flags and empty parts", () => {
    const body = present(
      withData({
        charge_number: "7",
        particulars: { description: "Land", contains_fixed_charge: false },
        scottish_alterations: [],
        insolvency_cases: [],
        transactions: [{ ...transaction, links: {} }],
      }),
    );
    expect(check(body)).toBeNull();
    expect(body).toMatchObject({
      charge_number: 7,
      particulars: { description: "Land" },
      transactions: [transaction],
    });
    expect(body.particulars).not.toHaveProperty("contains_fixed_charge");
    expect(body).not.toHaveProperty("scottish_alterations");
    expect(body).not.toHaveProperty("insolvency_cases");
  });

  it("has the id of its envelope, with or without padding, if it states none", () => {
    const data = { ...model.data, id: undefined };
    expect(present({ ...model, data })).toHaveProperty("id", model.id);
    const id = `${model.id}=`;
    const body = present({ ...model, uri: `${model.uri}=`, id, data });
    expect(check(body)).toBeNull();
    expect(body.links).toEqual({ self: `/company/99000025/charges/${id}` });
  });
});

// The contract requires none of these members (API reference 7.9).
it.each([
  ["secured_details", { description: "All monies due" }],
  ["secured_details", { type: "amount-secured" }],
  ["transactions", [{ filing_type: "create-charge-with-deed" }]],
  ["transactions", [{ delivered_on: "2015-01-01" }]],
  ["insolvency_cases", [{ transaction_id: 3 }]],
])("a charge may have only a part of the members of %s: %j", (member, value) => {
  const body = present(withData({ [member]: value }));
  expect(check(body)).toBeNull();
  expect(body).toHaveProperty(member, value);
});

it("a charge keeps words that are in no list, each with a warning", () => {
  const change = {
    classification: { type: "fancy", description: "A charge" },
    particulars: { type: "long-particulars" },
    secured_details: { type: "promises-secured" },
    assets_ceased_released: "all-released",
  };
  const warnings: string[] = [];
  chargeRecord.incoming?.normalise(withData(change), warnings);
  expect(warnings).toEqual(
    expect.arrayContaining([
      'classification.type: "fancy" is not on the list',
      'particulars.type: "long-particulars" is not on the list',
      'secured_details.type: "promises-secured" is not on the list',
      'assets_ceased_released: "all-released" is not on the list',
    ]),
  );
  const body = present(withData(change));
  expect(check(body)).toBeNull();
  expect(body).toMatchObject(change);
});

// The original makes an empty object of a charge that states neither its description nor its nature.
it.each([{}, []])("a charge loses a classification that says nothing: %j", (classification) => {
  const body = present(withData({ classification }));
  expect(check(body)).toBeNull();
  expect(body).not.toHaveProperty("classification");
});

it("a charge may have thousands of filings, and a name of a thousand characters", () => {
  const transactions = Array.from({ length: 5_000 }, () => ({ delivered_on: "2015-01-01" }));
  const persons_entitled = [{ name: "The holders of the notes, ".repeat(40).trim() }];
  expect(present(withData({ transactions, persons_entitled }))).toMatchObject({
    persons_entitled,
    transactions,
  });
});

it.each(["transactions", "insolvency_cases"])(
  "a charge may have the number of a filing as text in %s",
  (member) => {
    const body = present(withData({ [member]: [{ transaction_id: "3129317274" }] }));
    expect(body).toHaveProperty(member, [{ transaction_id: 3_129_317_274 }]);
  },
);

it("a charge keeps a filing type that is in no list, with a warning", () => {
  const changed = withData({
    transactions: [{ filing_type: "fancy" }, { filing_type: "charge-satisfaction" }],
  });
  const warnings: string[] = [];
  chargeRecord.incoming?.normalise(changed, warnings);
  expect(warnings).toEqual(['transactions.filing_type: "fancy" is not on the list']);
  expect(check(present(changed))).toBeNull();
});

describe("a charge is refused", () => {
  it.each([
    ["with a status that is no text", { status: 1 }, "status: must be"],
    [
      "with both spellings of a member",
      { assests_ceased_released: "x", assets_ceased_released: "x" },
      "stands beside",
    ],
    ["without its number", { charge_number: undefined }, "must have the member charge_number"],
    ["with the id of another charge", { id: "VY22G0c7MhXNG9KYFhC1IYrraE0" }, "id: must be"],
    ["with a text for an object", { classification: "Debenture" }, "classification: must be an object"],
  ])("%s", (_what, change, reason) => {
    expect(() => storeOne(chargeRecord, withData(change))).toThrow(reason);
  });
});

describe("GET /company/:company_number/charges/:charge_id", () => {
  const { records } = createMemoryReader({ charges: storeAll(chargeRecord, samples) });

  it("finds a charge of the company", async () => {
    const read = await charge.read(records, { company_number: "99000025", charge_id: model.id }, {});
    expect(version.present(read, { today: "2026-11-02" })).toEqual(model.data);
  });

  it.each([
    ["another company's charge", "99000064", model.id],
    ["an unknown id", "99000025", "z".repeat(27)],
  ])("does not find %s", async (_what, company_number, charge_id) => {
    expect(await charge.read(records, { company_number, charge_id }, {})).toBeNull();
    expect(charge.notFound).toBe("company-mortgages-not-found");
  });

  it("has no ETag header", () => {
    expect(charge.hasEtag).toBeUndefined();
  });
});

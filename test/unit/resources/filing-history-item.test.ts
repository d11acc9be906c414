import { describe, expect, it } from "@jest/globals";
import { RecordError } from "../../../api/shared/runtime/errors.ts";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { filingHistoryItem } from "../../../api/resources/filing-history/index.ts";
import { filingRecord } from "../../../api/resources/filing-history/record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/filing-history.jsonl");
const streamed = readSamples("streams/filings.ndjson");
const [model] = samples as [IncomingResource];
const [version] = filingHistoryItem.versions;
const check = compileCheck(version.schema);

function present(resource: IncomingResource): Record<string, unknown> {
  return version.present(storeOne(filingRecord, resource), { today: "2026-11-02" });
}

function withData(change: Record<string, unknown>): IncomingResource {
  return { ...model, data: { ...model.data, ...change } };
}

describe("the sample filings", () => {
  it("are all accepted", () => {
    expect(storeAll(filingRecord, samples)).toHaveLength(facts.api_shaped["filing-history"]);
  });

  it.each([...samples, ...streamed].map((sample) => [sample.uri, sample] as const))(
    "are shown as they came: %s",
    (_uri, sample) => {
      const body = present(sample);
      expect(check(body)).toBeNull();
      expect(body).toEqual(sample.data);
    },
  );

  it("are one record before and after the document exists", () => {
    const ids = streamed.map(({ id }) => id);
    const stored = storeAll(filingRecord, streamed);
    expect(stored).toHaveLength(new Set(ids).size);
    expect(stored.find(({ _id }) => _id === ids[0])?.data).toMatchObject({
      pages: 4,
      links: { document_metadata: "https://document-api.example.test/document/aBTMFY27ySg3JGYIKgQ4dYKsjTo" },
    });
  });
});

describe("loose forms of a filing", () => {
  it.each([
    ["a subcategory without a list", "voluntary"],
    ["a list of one subcategory", ["voluntary"]],
    ["a list of two subcategories", ["voluntary", "resolution"]],
  ])("%s is shown as it came", (_what, subcategory) => {
    const body = present(withData({ category: "liquidation", subcategory }));
    expect(check(body)).toBeNull();
    expect(body).toHaveProperty("subcategory", subcategory);
  });

  it("one resolution without its list is shown in one", () => {
    const resolution = {
      category: "resolution",
      subcategory: ["resolution"],
      description: "resolution-securities",
      type: "RES10",
      date: "2019-02-14",
    };
    const body = present(withData({ resolutions: resolution }));
    expect(check(body)).toBeNull();
    expect(body.resolutions).toEqual([resolution]);
  });

  it.each([
    ["midnight", 1_375_228_800_000, "2013-07-31"],
    ["midnight of summer time", 1_375_225_200_000, "2013-07-31"],
    ["midnight of winter", 1_357_776_000_000, "2013-01-10"],
  ])("an action date in milliseconds is read as a day: %s", (_what, action_date, expected) => {
    const associated = { type: "SH01", date: "2013-08-01", description: "legacy", action_date };
    const { data } = storeOne(filingRecord, withData({ associated_filings: [associated] }));
    expect(data.associated_filings?.[0]?.action_date).toBe(expected);
  });

  it.each([1e300, -1e300, Infinity, 8_640_000_000_000_000])(
    "an impossible action date is refused: %s",
    (action_date) => {
      expect(() => storeOne(filingRecord, withData({ action_date }))).toThrow(
        new RecordError("is not a valid date and time", "action_date"),
      );
    },
  );

  it("values of the description may be numbers, and its capital may lack its list", () => {
    const values = { charge_number: 2, capital: { currency: "GBP", figure: 100 } };
    const { data } = storeOne(filingRecord, withData({ description_values: values }));
    expect(data.description_values).toEqual({
      charge_number: "2",
      capital: [{ currency: "GBP", figure: "100" }],
    });
  });

  it("empty values are left out", () => {
    const silent = { paper_filed: false, annotations: [], description_values: {}, subcategory: [] };
    const { data } = storeOne(filingRecord, withData(silent));
    for (const member of Object.keys(silent)) expect(data).not.toHaveProperty(member);
  });
});

describe("words that are in no list", () => {
  const fancy = {
    category: "fancy",
    subcategory: ["new-fancy", "voluntary"],
    description: "fancy-filing-of-section-176A",
    date: "2031-01-01",
    type: "FAN01",
  };

  it("are loaded and shown, each with a warning", () => {
    const odd = withData({ ...fancy, date: model.data.date, resolutions: [fancy], annotations: [fancy] });
    const body = present(odd);
    expect(check(body)).toBeNull();
    expect(body).toMatchObject({ category: "fancy", subcategory: fancy.subcategory, resolutions: [fancy] });
    const warnings: string[] = [];
    filingRecord.incoming?.normalise(odd, warnings);
    expect(new Set(warnings)).toEqual(
      new Set([
        'category: "fancy" is not on the list',
        'subcategory: "new-fancy" is not on the list',
        'description: "fancy-filing-of-section-176A" is not on the list',
        'resolutions.category: "fancy" is not on the list',
        'resolutions.subcategory: "new-fancy" is not on the list',
        'annotations.category: "fancy" is not on the list',
        "annotations.subcategory: is not a member of this kind, ignored",
      ]),
    );
  });
});

// The original passes such parts on as they were filed if none of its rules knows the form.
it.each([
  ["resolutions", { type: "RES15", category: "change-of-name", description: "CHANGE OF NAME (OLD LTD)" }],
  ["resolutions", { type: "RES15", category: "change-of-name" }],
  ["associated_filings", { type: "FAN01", date: "2019-02-14", description: "A form/of no rule" }],
  ["associated_filings", { type: "FAN01", date: "2019-02-14" }],
  ["annotations", { date: "2019-02-14", description: "A note, in words" }],
])("the %s of a filing may have a text in place of a code, or lack it: %j", (member, part) => {
  const body = present(withData({ [member]: [part] }));
  expect(check(body)).toBeNull();
  expect(body).toHaveProperty(member, [part]);
});

it("an annotation may have neither category nor type", () => {
  const annotations = [{ annotation: "Clarification", date: "2019-02-14", description: "annotation" }];
  const body = present(withData({ annotations }));
  expect(check(body)).toBeNull();
  expect(body).toHaveProperty("annotations", annotations);
});

describe("a filing is refused", () => {
  it.each([
    ["with a category that is no text", { category: 1 }, "category: must be"],
    ["with a long text for a subcategory", { subcategory: "x".repeat(301) }, "at most 300 characters"],
    ["with a list of subcategories, one of which is no text", { subcategory: [1] }, "subcategory"],
    ["with an impossible day", { date: "2026-02-30" }, "date: must be a day"],
    ["without its type", { type: undefined }, "must have the member type"],
    [
      "with the id of another filing",
      { transaction_id: "OTkwMDAwMDAxMGFkaXF6a2N4" },
      "transaction_id: must be",
    ],
  ])("%s", (_what, change, reason) => {
    expect(() => storeOne(filingRecord, withData(change))).toThrow(reason);
  });

  it("without a company in its address", () => {
    expect(() => storeOne(filingRecord, { ...model, uri: "/filing-history/1" })).toThrow("names no company");
  });
});

describe("GET /company/:company_number/filing-history/:transaction_id", () => {
  const { records } = createMemoryReader({ filings: storeAll(filingRecord, samples) });
  const company_number = model.uri.split("/")[2] ?? "";

  it("finds a filing of the company", async () => {
    const read = await filingHistoryItem.read(records, { company_number, transaction_id: model.id }, {});
    expect(version.present(read, { today: "2026-11-02" })).toEqual(model.data);
  });

  it.each([
    ["another company's filing", "99000064", model.id],
    ["an unknown id", company_number, "OTkwMDAwMDk5OWFkaXF6a2N4"],
  ])("does not find %s", async (_what, number, transaction_id) => {
    expect(await filingHistoryItem.read(records, { company_number: number, transaction_id }, {})).toBeNull();
    expect(filingHistoryItem.notFound).toBe("filing-history-item-not-found");
  });
});

describe("the order of filings", () => {
  it("puts the latest transaction of a day first, and ids of another form last", () => {
    const ids = ["OTkwMDAwMDAxMGFkaXF6a2N4", "OTkwMDAwMDA4M2FkaXF6a2N4", "another-make"];
    const stored = ids.map((id) =>
      storeOne(filingRecord, {
        ...{ ...model, id, uri: model.uri.replace(model.id, id) },
        data: { ...model.data, transaction_id: id },
      }),
    );
    const ordered = stored.toSorted((a, b) => (a.filing_order < b.filing_order ? -1 : 1));
    expect(ordered.map(({ _id }) => _id)).toEqual([ids[1], ids[0], ids[2]]);
  });
});

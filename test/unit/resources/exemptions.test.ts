import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { exemptions, exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/exemptions.jsonl");
const streamed = readSamples("streams/company-exemptions.ndjson");
const [model] = samples as [IncomingResource];
const { records } = createMemoryReader({
  exemptions: storeAll(exemptionsRecord, [...samples, ...streamed]),
});
const [version] = exemptions.versions;
const check = compileCheck(version.schema);

function withExemption(name: string, exemption: unknown): IncomingResource {
  return { ...model, data: { ...model.data, exemptions: { [name]: exemption } } };
}

describe("GET /company/:company_number/exemptions", () => {
  it("accepts every sample", () => {
    expect(storeAll(exemptionsRecord, samples)).toHaveLength(facts.api_shaped.exemptions);
  });

  it.each(samples.map((sample) => [sample.id, sample] as const))(
    "answers %s as it came",
    async (company_number, { data }) => {
      const read = await exemptions.read(records, { company_number }, {});
      const body = version.present(read, { today: "2026-11-01" });
      expect(check(body)).toBeNull();
      expect(body).toEqual(data);
    },
  );

  it.each([
    ["a company without exemptions", "99000001"],
    ["a company whose exemptions were deleted", "99000052"],
  ])("does not find %s", async (_what, company_number) => {
    expect(await exemptions.read(records, { company_number }, {})).toBeNull();
  });

  it("has no ETag header", () => {
    expect(exemptions.hasEtag).toBeUndefined();
  });
});

describe("exemptions", () => {
  const ITEM = { exempt_from: "2020-01-01" };
  const NAME = "psc_exempt_as_shares_admitted_on_market";
  const TYPE = "psc-exempt-as-shares-admitted-on-market";

  it("may have their links in a list, and one item without its list", () => {
    const resource = withExemption(NAME, { items: ITEM });
    const loose = {
      ...resource,
      data: { ...resource.data, links: [{ self: "/company/99000050/exemptions" }] },
    };
    expect(storeOne(exemptionsRecord, loose).data.exemptions).toEqual({ [NAME]: { items: [ITEM] } });
  });

  it.each([[], undefined])(
    "are loaded without an exemption that has no period, but the items %j",
    (items) => {
      const exemptions = {
        [NAME]: { exemption_type: TYPE, items },
        psc_exempt_as_trading_on_regulated_market: { items: [ITEM] },
      };
      const resource = { ...model, data: { ...model.data, exemptions } };
      expect(storeOne(exemptionsRecord, resource).data.exemptions).toEqual({
        psc_exempt_as_trading_on_regulated_market: { items: [ITEM] },
      });
    },
  );

  it.each([
    [
      "with the type of another exemption",
      withExemption(NAME, { items: [ITEM], exemption_type: "fancy" }),
      "exemption_type: must be",
    ],
    [
      "with an impossible day",
      withExemption(NAME, { items: [{ exempt_from: "2020-02-30" }] }),
      "must be a day",
    ],
    ["of another kind", { ...model, data: { ...model.data, kind: "fancy" } }, "kind: must be exemptions"],
  ])("are refused %s", (_what, resource, reason) => {
    expect(() => storeOne(exemptionsRecord, resource)).toThrow(reason);
  });
});

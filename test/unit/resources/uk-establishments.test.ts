import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { ukEstablishments, ukEstablishmentsRecord } from "../../../api/resources/uk-establishments/index.ts";
import { toStored } from "../../support/stored.ts";
import { aCompany } from "../../support/stored-company.ts";
import facts from "../../fixtures/register/facts.json" with { type: "json" };
import { readSamples, storeAll, storeOne } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

const samples = readSamples("api-shaped/uk-establishments.jsonl");
const [model] = samples as [IncomingResource];
const company = aCompany("99000001");
const { records } = createMemoryReader({
  uk_establishments: storeAll(ukEstablishmentsRecord, samples),
  companies: [company],
});
const [version] = ukEstablishments.versions;
const check = compileCheck(version.schema);

const ITEM = { company_number: "BR099001", company_name: "SAMPLE", company_status: "open" };

describe("GET /company/:company_number/uk-establishments", () => {
  it("accepts every sample", () => {
    expect(storeAll(ukEstablishmentsRecord, samples)).toHaveLength(facts.api_shaped["uk-establishments"]);
  });

  it.each(samples.map((sample) => [sample.id, sample] as const))(
    "answers %s as it came",
    async (company_number, { data }) => {
      const read = await ukEstablishments.read(records, { company_number }, {});
      const body = version.present(read, { today: "2026-11-01" });
      expect(check(body)).toBeNull();
      expect(body).toEqual(data);
    },
  );

  it("answers a known company without any with an empty list", async () => {
    const read = await ukEstablishments.read(records, { company_number: "99000001" }, {});
    const body = version.present(read, { today: "2026-11-01" });
    expect(check(body)).toBeNull();
    expect(body).toEqual({
      etag: company.etag,
      kind: "related-companies",
      links: { self: "/company/99000001" },
      items: [],
    });
  });

  describe("together with the establishments' own profiles", () => {
    const profiles = storeAll(companyRecord, readSamples("api-shaped/company-profile.jsonl"));
    const lists = storeAll(ukEstablishmentsRecord, samples);
    const read = async (stored: { uk_establishments?: typeof lists; companies: typeof profiles }) => {
      const { records: reader } = createMemoryReader(stored);
      const found = await ukEstablishments.read(reader, { company_number: "FC099001" }, {});
      const body = version.present(found, { today: "2026-11-01" }) as {
        etag: string;
        items: Establishment[];
      };
      expect(check(body)).toBeNull();
      return body;
    };
    type Establishment = { company_number: string; company_status: string };

    it("answers the same whichever of the two is stored", async () => {
      const { items } = await read({ uk_establishments: lists, companies: [] });
      expect((await read({ companies: profiles })).items).toEqual(items);
      expect(await read({ uk_establishments: lists, companies: profiles })).toEqual(model.data);
    });

    it("shows each as its own profile does, and includes those that the list does not have", async () => {
      const closed = profiles.map((profile) =>
        profile._id === "BR099001"
          ? { ...profile, data: { ...profile.data, company_status: "closed" as const } }
          : profile,
      );
      const short = toStored(ukEstablishmentsRecord, { company_number: "FC099001", items: [ITEM] }, 1);
      const body = await read({ uk_establishments: [short as (typeof lists)[number]], companies: closed });
      expect(
        body.items.map(({ company_number, company_status }) => [company_number, company_status]),
      ).toEqual([
        ["BR099001", "closed"],
        ["BR099002", "open"],
        ["BR099003", "closed"],
      ]);
      expect(body.etag).not.toBe((model.data as { etag: string }).etag);
    });
  });

  it.each([
    [{ company_status: "open" }, true],
    [{ company_status: "closed" }, true],
    [{ company_status: "a new word" }, true],
    [{ company_status: "active" }, false],
    [{}, false],
  ])("shows a profile that names it as parent and has %j: %p", async (members, isShown) => {
    const branch_company_details = { parent_company_number: "99000001" };
    const branch = aCompany("BR099009", { ...members, branch_company_details });
    const { records: reader } = createMemoryReader({ companies: [company, branch] });
    const read = await ukEstablishments.read(reader, { company_number: "99000001" }, {});
    expect(version.present(read, { today: "2026-11-01" }).items).toHaveLength(isShown ? 1 : 0);
  });

  it("does not find an unknown company", async () => {
    expect(await ukEstablishments.read(records, { company_number: "99000002" }, {})).toBeNull();
    expect(ukEstablishments.notFound).toBe("company-profile-not-found");
  });

  it("has no ETag header", () => {
    expect(ukEstablishments.hasEtag).toBeUndefined();
  });
});

describe("UK establishments", () => {
  const withData = (change: Record<string, unknown>) => ({ ...model, data: { ...model.data, ...change } });

  it("are accepted under the kind of the published schema", () => {
    const resource = withData({ kind: "ukestablishment-companies", items: ITEM });
    expect(storeOne(ukEstablishmentsRecord, resource).data.items).toEqual([ITEM]);
  });

  it.each([
    ["an empty status", { items: [{ ...ITEM, company_status: "" }] }, "must not be empty"],
    [
      "the link of another establishment",
      { items: [{ ...ITEM, links: { company: "/company/BR099002" } }] },
      "company: must be",
    ],
    ["another kind", { kind: "fancy" }, "kind: must be related-companies or ukestablishment-companies"],
    ["no items", { items: undefined }, "must have the member items"],
  ])("are refused with %s", (_what, change, reason) => {
    expect(() => storeOne(ukEstablishmentsRecord, withData(change))).toThrow(reason);
  });
});

import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import { companyProfile } from "../../../api/resources/company-profile/index.ts";
import { exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import { insolvencyRecord } from "../../../api/resources/insolvency/index.ts";
import { registersRecord } from "../../../api/resources/registers/index.ts";
import { ukEstablishmentsRecord } from "../../../api/resources/uk-establishments/index.ts";
import { aCompany } from "../../support/stored-company.ts";
import { readSamples, storeAll } from "../../support/incoming-samples.ts";
import { createMemoryReader } from "../../support/record-reader.ts";

/** Resources with records of their own, each named as in the path that the profile links to. */
const RESOURCES = ["charges", "exemptions", "insolvency", "registers", "uk-establishments"];

const profiles = readSamples("api-shaped/company-profile.jsonl");
const [version] = companyProfile.versions;
const check = compileCheck(version.schema);

const stored = {
  charges: storeAll(chargeRecord, readSamples("api-shaped/charges.jsonl")),
  exemptions: storeAll(exemptionsRecord, [
    ...readSamples("api-shaped/exemptions.jsonl"),
    ...readSamples("streams/company-exemptions.ndjson"),
  ]),
  insolvency: storeAll(insolvencyRecord, readSamples("api-shaped/insolvency.jsonl")),
  registers: storeAll(registersRecord, readSamples("api-shaped/registers.jsonl")),
  uk_establishments: storeAll(ukEstablishmentsRecord, readSamples("api-shaped/uk-establishments.jsonl")),
};

async function linksOf(company_number: string, others: Record<string, unknown[]> = {}) {
  const collections = { ...stored, ...others, companies: [aCompany(company_number)] };
  const { records } = createMemoryReader(collections);
  const read = await companyProfile.read(records, { company_number }, {});
  const body = version.present(read, { today: "2026-11-01" });
  expect(check(body)).toBeNull();
  return body.links as Record<string, string>;
}

describe("links of a company profile", () => {
  it.each(profiles.map(({ id, data }) => [id, data.links as Record<string, string>] as const))(
    "of %s lead to its stored records, as in the sample",
    async (number, expected) => {
      const links = await linksOf(number);
      const expectedNames = Object.keys(expected).map((name) => name.replace("uk_", "uk-"));
      expect(Object.keys(links).filter((name) => RESOURCES.includes(name))).toEqual(
        RESOURCES.filter((name) => expectedNames.includes(name)),
      );
      for (const name of RESOURCES) if (links[name]) expect(links[name]).toBe(`/company/${number}/${name}`);
    },
  );

  it.each([
    ["pscs", "persons_with_significant_control", "persons-with-significant-control"],
    [
      "psc_statements",
      "persons_with_significant_control_statements",
      "persons-with-significant-control-statements",
    ],
  ])("lead to stored %s", async (collection, member, segment) => {
    const links = await linksOf("99000001", { [collection]: [{ company_number: "99000001" }] });
    expect(links[member]).toBe(`/company/99000001/${segment}`);
    expect(await linksOf("99000001")).not.toHaveProperty(member);
  });

  it("do not lead to removed exemptions, or to an empty list of establishments", async () => {
    const [list] = stored.uk_establishments;
    const empty = { ...list, _id: "99000052", data: { ...list?.data, items: [] } };
    const links = await linksOf("99000052", { uk_establishments: [empty] });
    expect(Object.keys(links)).toEqual(["self", "filing_history"]);
  });
});

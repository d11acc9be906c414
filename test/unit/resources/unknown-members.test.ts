import { describe, expect, it } from "@jest/globals";
import { readdirSync } from "node:fs";
import { isMembers, type Members } from "../../../api/shared/values/members.ts";
import type { RecordDefinition } from "../../../api/shared/definitions/define-record.ts";
import type { IncomingResource } from "../../../api/shared/definitions/incoming-resource.ts";
import { records } from "../../../api/resources/index.ts";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import { exemptionsRecord } from "../../../api/resources/exemptions/index.ts";
import { filingRecord } from "../../../api/resources/filing-history/record.ts";
import { readSamples } from "../../support/incoming-samples.ts";

const UNKNOWN = "fancy_capital";

const files = ["api-shaped", "streams"].flatMap((folder) =>
  readdirSync(`test/fixtures/register/${folder}`)
    .filter((name) => /\.(jsonl|ndjson)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

const samples = files.flatMap((file) =>
  readSamples(file).flatMap((resource): [RecordDefinition, IncomingResource][] => {
    const record = records.find(({ incoming }) => incoming?.kinds.includes(resource.kind));
    return record && isWhole(record, resource) ? [[record, resource]] : [];
  }),
);

/** False for the remains of a deleted resource. */
function isWhole(record: RecordDefinition, resource: IncomingResource): boolean {
  try {
    return record.check(normalise(record, resource).data) === null;
  } catch {
    return false;
  }
}

function normalise(record: RecordDefinition, resource: IncomingResource) {
  const warnings: string[] = [];
  const data = record.incoming?.normalise(resource, warnings);
  return { data, warnings };
}

/** The value with an unknown member added to each of its objects, and the paths of these. */
function grow(value: unknown, added: unknown, path = ""): { value: unknown; paths: string[] } {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => grow(item, added, path));
    return { value: items.map((item) => item.value), paths: items.flatMap(({ paths }) => paths) };
  }
  if (!isMembers(value)) return { value, paths: [] };
  const grown = Object.entries(value).map(([name, member]) => {
    return { name, ...grow(member, added, `${path}${name}.`) };
  });
  const members: Members = Object.fromEntries(grown.map(({ name, value: member }) => [name, member]));
  return {
    value: { ...members, [UNKNOWN]: added },
    paths: [...grown.flatMap(({ paths }) => paths), path + UNKNOWN],
  };
}

const modelOf = (wanted: RecordDefinition): IncomingResource => {
  const [, resource] = samples.find(([record]) => record === wanted) ?? [];
  if (!resource) throw new Error(`no sample of ${wanted.name}`);
  return resource;
};

describe("unknown members", () => {
  it("are tried in every kind of record that can be loaded API-shaped", () => {
    const tried = new Set(samples.map(([record]) => record));
    expect(records.filter(({ incoming }) => incoming).filter((record) => !tried.has(record))).toEqual([]);
  });

  it.each(samples.map(([record, resource]) => [record.name, resource.uri, record, resource] as const))(
    "are left out of %s %s at every depth, each with a warning",
    (_name, _uri, record, resource) => {
      const plain = normalise(record, resource);
      expect(plain.warnings.filter((warning) => warning.includes("is not a member"))).toEqual([]);
      for (const added of ["new", false, { of: ["2027"] }]) {
        const grown = grow(resource.data, added);
        const { data, warnings } = normalise(record, { ...resource, data: grown.value as Members });
        expect(data).toEqual(plain.data);
        const expected = grown.paths.map((path) => `${path}: is not a member of this kind, ignored`);
        expect(warnings.filter((warning) => !plain.warnings.includes(warning)).sort()).toEqual(
          expected.sort(),
        );
      }
    },
  );

  it.each(
    records
      .filter((record) => record.incoming && record.identify({ company_number: "99000064" }) === "99000064")
      .map((record) => [record.name, record] as const),
  )("do not include the link to itself of %s, which a company has only once", (_name, record) => {
    const model = modelOf(record);
    const links = { ...(model.data.links as Members | undefined), self: "/company/99000064" };
    const { warnings } = normalise(record, { ...model, data: { ...model.data, links } });
    expect(warnings.filter((warning) => warning.startsWith("links"))).toEqual([]);
  });

  it("do not lead to a refusal, even if an object has no others", () => {
    const load = (record: RecordDefinition, change: Members) => {
      const model = modelOf(record);
      return normalise(record, { ...model, data: { ...model.data, ...change } }).data;
    };
    const filing = load(filingRecord, { description_values: { fancy: 1 }, links: { fancy: "/" } });
    expect(filingRecord.check(filing)).toBeNull();
    expect(filing).not.toHaveProperty("links");
    const charge = load(chargeRecord, { scottish_alterations: [{ fancy: true }] });
    expect(charge).not.toHaveProperty("scottish_alterations");
    const entitled = load(chargeRecord, { persons_entitled: [{}, { name: "A BANK PLC" }, { fancy: 1 }] });
    expect(chargeRecord.check(entitled)).toBeNull();
    expect(entitled).toHaveProperty("persons_entitled", [{ name: "A BANK PLC" }]);
    const exemptions = load(exemptionsRecord, { exemptions: { fancy: "new" } });
    expect(exemptionsRecord.check(exemptions)).toBeNull();
    expect(exemptions).toHaveProperty("exemptions", {});
  });
});

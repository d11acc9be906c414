/**
 * Lookups with more values than fit into one MongoDB query: a group of rows that is not cut, or the correction of a
 * nominee, looks up some 100,000s of ids at once.
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { collectCommands } from "../support/mongodb/collect-commands.ts";
import { toStored } from "../support/stored.ts";
import { openRegister } from "../support/register.ts";

const { collection } = companyRecord;
// 18 MB as a list, where MongoDB takes 16. Ids longer than real ones, so that fewer suffice: each costs time.
const IDS = Array.from({ length: 45_000 }, (_, position) => idAt(position));
const [FIRST, MIDDLE, LAST] = [idAt(0), idAt(22_500), idAt(44_999)];
const STORED = [FIRST, MIDDLE, LAST];

const register = forAllTests(() => openRegister({ withWorker: false }));
beforeAll(async () => {
  const { writer } = register.stores.mongo;
  const establishments = [FIRST, LAST, LAST].map((parent, place) => company(`BR00000${place}`, parent));
  await writer.insertMissing(companyRecord, [...STORED.map((id) => company(id)), ...establishments]);
});

describe("more values than fit into one query", () => {
  it("find records by identity, each once", async () => {
    const found = await register.stores.mongo.records.fetchByIds(companyRecord, [...IDS, ...STORED]);
    expect(found.map(({ _id }) => _id).sort()).toEqual(STORED);
  });

  it("find documents by a member, together with other conditions", async () => {
    const { documents } = register.stores.mongo;
    const found = await documents.fetchAll(collection, { _id: IDS, revision: 1 });
    expect(found.map(({ _id }) => String(_id)).sort()).toEqual(STORED);
  });

  it("find groups, and name those that are too large", async () => {
    const query = { field: "parent_company_number", values: IDS, most: 1 };
    const { records, large } = await register.stores.mongo.records.fetchGroups(companyRecord, query);
    expect(records.map(({ _id }) => _id)).toEqual(["BR000000"]);
    expect(large).toEqual([LAST]);
  });
});

describe("groups of which very many are too large", () => {
  const names = Array.from({ length: 128 }, (_, position) => `P${String(position).padStart(7, "0")}`);
  const isLarge = (position: number) => position % 2 === 0;

  it("are each requested a few times, not once more for each that is too large", async () => {
    const { records: reader, writer } = register.stores.mongo;
    const establishments = names.flatMap((parent, position) =>
      (isLarge(position) ? ["1", "2"] : ["1"]).map((one) => company(`${parent}-${one}`, parent)),
    );
    await writer.insertMissing(companyRecord, establishments);
    const query = { field: "parent_company_number", values: [...names, ...names], most: 1 };
    const commands = await collectCommands(async () => {
      const { records, large } = await reader.fetchGroups(companyRecord, query);
      const small = names.filter((_, position) => !isLarge(position));
      expect(records.map(({ _id }) => _id).sort()).toEqual(small.map((parent) => `${parent}-1`));
      expect(large.sort()).toEqual(names.filter((_, position) => isLarge(position)));
    });
    const sent = commands.flatMap(({ filter }) => {
      const asked = filter?.parent_company_number as { $in: string[] } | undefined;
      return asked?.$in ?? [];
    });
    expect(sent.length / names.length).toBeLessThan(10);
  });
});

function idAt(position: number): string {
  return String(position).padStart(400, "0");
}

function company(number: string, parent?: string): StoredRecord {
  const branch = parent && { branch_company_details: { parent_company_number: parent } };
  const data = { company_number: number, company_name: "SAMPLE LTD", type: "ltd", ...branch };
  return toStored(companyRecord, data, 1);
}

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { records, resources } from "../../api/resources/index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;

beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

describe("MongoDB has every index that a read is served by", () => {
  const indexes = records.flatMap(({ collection, indexes: declared }) =>
    declared.map(({ fields }) => [collection, fields] as const),
  );

  it.each(indexes)("%s by %j", async (collection, fields) => {
    const name = fields.map((field) => `${field}_1`).join("_");
    const held = await register.stores.mongo.fetchIndexes(collection);
    expect(held.map((index) => index.name)).toContain(name);
  });
});

describe("every list of a company begins its index with the company", () => {
  const lists = resources.filter(
    ({ path, parameters }) => path.startsWith("/company/") && "items_per_page" in parameters,
  );

  it.each(lists.map(({ name, record }) => [name, record?.indexes ?? []] as const))(
    "%s",
    (_name, declared) => {
      expect(declared.some(({ fields }) => fields[0] === "company_number")).toBe(true);
    },
  );
});

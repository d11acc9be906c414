/** MongoDB indexes: every read has one, and creating one may take long. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { openMongo } from "../../api/shared/stores/mongodb/mongo.ts";
import { records, resources } from "../../api/resources/index.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

describe("MongoDB has every index that a read uses", () => {
  const indexes = records.flatMap(({ collection, indexes: declared }) =>
    declared.map(({ fields }) => [collection, fields] as const),
  );

  it.each(indexes)("%s by %j", async (collection, fields) => {
    const name = fields.map((field) => `${field}_1`).join("_");
    const stored = await register.stores.mongo.fetchIndexes(collection);
    expect(stored.map((index) => index.name)).toContain(name);
  });
});

describe("the index for a company's list begins with the company", () => {
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

it("waits for an index that takes longer to create than any answer may", async () => {
  const { MONGODB_URL, DATABASE_NAME } = register.config;
  const proxy = await openFaultProxy(MONGODB_URL);
  const mongo = openMongo({ url: proxy.address, database: DATABASE_NAME, timeoutMs: 500 });
  try {
    await mongo.ping();
    const making = mongo.createIndexes([{ collection: "slow", indexes: [{ fields: ["data.slow"] }] }]);
    const made = expect(making).resolves.toBeUndefined();
    proxy.freeze();
    await sleep(1_500);
    await proxy.restore();
    await made;
    expect((await mongo.fetchIndexes("slow")).map(({ keys }) => keys)).toContain("data.slow_1");
  } finally {
    await mongo.close();
    await proxy.close();
  }
});

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

describe("an index for a list begins with the parameter of the list's path", () => {
  const lists = resources
    .filter(({ parameters }) => "items_per_page" in parameters)
    .map(({ path, record }) => [path, /:(\w+)/.exec(path)?.[1] ?? "", record?.indexes ?? []] as const);

  it.each(lists)("%s", (_path, parameter, declared) => {
    expect(declared.map(({ fields }) => fields[0])).toContain(parameter);
  });
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

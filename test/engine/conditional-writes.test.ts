/** Conditional writes by several workers to one document: none is lost. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openMongo, type MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { testConfig } from "../support/register.ts";

const RANKS = [3, 1, 6, 2, 5, 4];
const DOCUMENTS = Array.from({ length: 40 }, (_, number) => `document-${number}`);

const config = testConfig();
let mongo: MongoStore;
beforeAll(() => {
  mongo = openMongo({ url: config.MONGODB_URL, database: config.DATABASE_NAME, timeoutMs: 30_000 });
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

it("only one of many that claim a document at once gets it", async () => {
  const { documents } = mongo;
  await documents.putMissing(
    "claimed",
    DOCUMENTS.map((_id) => ({ _id })),
  );
  const claim = (_id: string, by: number) =>
    documents.amendIf("claimed", { _id, by: { $exists: false } }, { by });
  const claims = DOCUMENTS.flatMap((_id) =>
    RANKS.map(async (rank) => ((await claim(_id, rank)) ? [_id] : [])),
  );
  expect((await Promise.all(claims)).flat().sort()).toEqual([...DOCUMENTS].sort());
  expect(await claim("nobody's", 1)).toBe(false);
});

it("removeBefore removes documents that ended before a moment, and no others", async () => {
  const { documents } = mongo;
  const ends = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];
  await documents.putMissing(
    "ending",
    ends.map((expires_at, at) => ({ _id: `ending-${at}`, expires_at })),
  );
  await documents.putMissing("ending", [{ _id: "endless" }]);
  await documents.removeBefore("ending", "expires_at", ends[1] ?? "");
  const left = (await documents.fetchAll("ending", {})).map(({ _id }) => String(_id));
  expect(left.sort()).toEqual(["ending-1", "ending-2", "endless"]);
});

it("keeps the highest rank when several are written at once", async () => {
  const { documents } = mongo;
  const writes = DOCUMENTS.flatMap((_id) => RANKS.map((rank) => ({ _id, rank })));
  await Promise.all(writes.map((write) => documents.raise("ranked", [write], { rank: "rank" })));
  const stored = await documents.fetchAll("ranked", {});
  expect(stored.map(({ rank }) => Number(rank))).toEqual(DOCUMENTS.map(() => Math.max(...RANKS)));
});

/** The stand-in engines of `bench -- worker` count what the stores send, and keep only what ingest reads again. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  openElasticsearch,
  type ElasticsearchStore,
} from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { openMongo, type MongoStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { indices } from "../../index-mappings/index.ts";
import { createCountingElasticsearch } from "../../scripts/bench/worker/counting-elasticsearch.ts";
import { createCountingMongo } from "../../scripts/bench/worker/counting-mongo.ts";

const countingMongo = createCountingMongo();
const countingElasticsearch = createCountingElasticsearch();
let mongo: MongoStore;
let elasticsearch: ElasticsearchStore;

async function listen(server: Pick<Server, "listen" | "address">): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const url = `mongodb://${await listen(countingMongo.server as Server)}/`;
  mongo = openMongo({ url, database: "counted", timeoutMs: 5_000 });
  const node = `http://${await listen(countingElasticsearch.server)}`;
  elasticsearch = openElasticsearch({ url: node, prefix: "counted-", timeoutMs: 5_000 });
});

afterAll(async () => {
  await Promise.all([mongo.close(), elasticsearch.close()]);
  countingMongo.server.close();
  countingElasticsearch.server.close();
});

function anAppointment(id: string, officer: string) {
  return { _id: id, etag: "", revision: 1, data: { name: "é".repeat(1_000) }, officer_id: officer };
}

test("counts records and their groups once each, and keeps no records in memory", async () => {
  const many = Array.from({ length: 3_000 }, (_none, at) => anAppointment(`id-${at}`, `officer-${at % 10}`));
  await mongo.writer.insertMissing(appointmentRecord, many);
  await mongo.writer.insertMissing(appointmentRecord, many.slice(0, 5));
  expect(countingMongo.count()).toEqual({ "counted.appointments": { records: 3_000, groups: 10 } });
  expect(await mongo.records.fetchStored(appointmentRecord as never, ["id-1"])).toEqual([]);
});

test("keeps ingest's own documents", async () => {
  const { documents } = mongo;
  await documents.putMissing("loads", [
    { _id: "b", state: "running" },
    { _id: "a", state: "running" },
  ]);
  expect(await documents.putMissing("loads", [{ _id: "a", state: "other" }])).toEqual(new Set(["a"]));
  expect(await documents.amendIf("loads", { _id: "a", state: "running" }, { state: "done" })).toBe(true);
  expect(await documents.amendIf("loads", { _id: "a", state: "running" }, { state: "lost" })).toBe(false);
  expect(await documents.listLatest("loads", 1)).toEqual([{ _id: "b", state: "running" }]);
  expect(await documents.fetchAll("loads", { _id: ["a", "none"] })).toEqual([{ _id: "a", state: "done" }]);
  await documents.put("loads", { _id: "c", state: "new" });
  await documents.removeBetween("loads", { after: "a", before: "c" });
  expect((await documents.list("loads", {}, 10)).map(({ _id }) => String(_id))).toEqual(["a", "c"]);
});

test("counts each document once, deleted ones too, since none can be read back", async () => {
  const [index] = indices;
  await elasticsearch.createIndex(index!, new Date());
  expect(await elasticsearch.createIndex(index!, new Date())).toBeNull();
  expect(await elasticsearch.fetchLiveIndices([index!.name])).toHaveLength(1);
  const document = { text: '{"index":{"_id":"no"}}' };
  await elasticsearch.write(index!.name, [
    { id: "one", version: 1, document },
    { id: "two", version: 1, document },
    { id: "two", version: 2, document },
    { id: "three", version: 1, document: null },
  ]);
  expect(countingElasticsearch.count()).toMatchObject({ [`counted-${index!.name}`]: 3 });
});

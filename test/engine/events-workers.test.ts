/** Two workers on one company: what one changes between the other's read and its writes is not lost. */
import { describe, expect, it } from "@jest/globals";
import { fetchBounds } from "../../api/shared/stores/collections/events.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { batchRunner, company, event, fetchNameOnRecord, snapshot } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

describe("two workers on one company", () => {
  const number = "99000077";

  /** Stores of a worker that is interrupted once by `first`, before it writes to MongoDB or to Elasticsearch. */
  function interrupted(method: "insertMissing" | "write", first: () => Promise<unknown>): Stores {
    const { mongo, elasticsearch } = register.stores;
    let isFirst = true;
    const once = async () => {
      if (isFirst) {
        isFirst = false;
        await first();
      }
    };
    const insertMissing: typeof mongo.writer.insertMissing = async (record, documents) => {
      if (method === "insertMissing") await once();
      return mongo.writer.insertMissing(record, documents);
    };
    const write: typeof elasticsearch.write = async (index, writes) => {
      if (method === "write") await once();
      return elasticsearch.write(index, writes);
    };
    return {
      ...register.stores,
      mongo: { ...mongo, writer: { ...mongo.writer, insertMissing } },
      elasticsearch: { ...elasticsearch, write },
    };
  }

  const deletion = (timepoint: number) =>
    event({ ...company("", number), data: undefined }, timepoint, "2026-11-02", "deleted");

  it("a snapshot does not bring back a record that is deleted just before the snapshot is written", async () => {
    const stores = interrupted("insertMissing", () => run(deletion(20)));
    await run(snapshot("2026-11-01", "BACK AGAIN LIMITED", number), stores);
    expect(await fetchNameOnRecord(register.stores, number)).toBeUndefined();
    await expectStoresAgree(register.stores);
  });

  it("an older change does not bring back a record that is deleted just before the change is written", async () => {
    const stores = interrupted("insertMissing", () => run(deletion(22)));
    await run(event(company("OLDER LIMITED", number), 21, "2026-11-02"), stores);
    expect(await fetchNameOnRecord(register.stores, number)).toBeUndefined();
    await expectStoresAgree(register.stores);
  });

  it("a search document that is being written does not stay after the deletion of its record", async () => {
    const own = "99000078";
    const gone = event({ ...company("", own), data: undefined }, 30, "2026-11-02", "deleted");
    const stores = interrupted("write", () => run(gone));
    await run(snapshot("2026-11-01", "ON ITS WAY LIMITED", own), stores);
    expect(await fetchNameOnRecord(register.stores, own)).toBeUndefined();
    await expectStoresAgree(register.stores);
  });

  it("a newer change is stored, though the record is removed while it is being written", async () => {
    await run(event(company("TO BE REMOVED LIMITED", number), 40, "2026-11-02"));
    const { mongo } = register.stores;
    let isFirst = true;
    const fetchStored: typeof mongo.records.fetchStored = async (record, ids) => {
      if (isFirst) {
        isFirst = false;
        await run(deletion(41));
      }
      return mongo.records.fetchStored(record, ids);
    };
    const stores = { ...register.stores, mongo: { ...mongo, records: { ...mongo.records, fetchStored } } };
    await run(event(company("NEWER LIMITED", number), 42, "2026-11-02"), stores);
    expect(await fetchNameOnRecord(register.stores, number)).toBe("NEWER LIMITED");
    await expectStoresAgree(register.stores);
  });
});

it("the streams contain a change, even if another worker writes the same change meanwhile", async () => {
  const [number, other] = ["99000079", "99000080"];
  const rename = (name: string, timepoint: number, of = number) =>
    event(company(name, of), timepoint, "2026-11-02");
  await run(rename("BEFORE LIMITED", 50));
  await run(rename("BEFORE LIMITED", 50, other));
  const { mongo } = register.stores;
  let calls = 0;
  const replaceUnchanged: typeof mongo.writer.replaceUnchanged = async (record, replacements) => {
    calls += 1;
    if (calls === 1) await run(rename("OTHER LIMITED", 52, other));
    const replaced = await mongo.writer.replaceUnchanged(record, replacements);
    if (calls === 1) await run(rename("AFTER LIMITED", 52));
    return replaced;
  };
  const stores = { ...register.stores, mongo: { ...mongo, writer: { ...mongo.writer, replaceUnchanged } } };
  const both = [rename("AFTER LIMITED", 51), rename("LATE LIMITED", 51, other)];
  const from = (await fetchBounds(mongo.documents)).reached;
  await run({ ...rename("", 51), rows: both.flatMap(({ rows }) => rows) }, stores);
  const ids = (await mongo.documents.fetchAll("events", {})).flatMap(({ _id, ids: told }) =>
    String(_id) > `companies/${from}` ? String(told).split("\n") : [],
  );
  expect(ids).toContain(number);
});

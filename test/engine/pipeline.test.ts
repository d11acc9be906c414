/** One batch through the pipeline: reruns, older batches, and another batch that overtakes it. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { RefusedDocumentError, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { closeUnfinishedChanges } from "../../ingest/log/changes.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue/queue.ts";
import { findSource, findMergeRules } from "../../ingest/sources/index.ts";
import { absorb } from "../../ingest/statements/absorb.ts";
import { company, event } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { listNotFollowed } from "../support/register-state.ts";
import { SAMPLE } from "../support/sample-register.ts";

const FILE = `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`;
const source = findSource("company-csv");
const [header = "", ...texts] = readFileSync(FILE, "utf8").split("\n");

const register = forAllTests(() => openRegister({ withWorker: false }));

function aBatch(revision: number, change: (text: string) => string = (text) => text): BatchJob {
  return {
    load: "load-1",
    file: "companies.csv",
    source: source.name,
    context: source.open({ line: 1, text: header }, "companies.csv"),
    revision,
    rows: texts.map((text, at) => ({ line: at + 2, text: change(text) })),
  };
}

/** A worker's stores with an unavailable Elasticsearch. */
function withoutElasticsearch(stores: Stores): Stores {
  const write = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
  return { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
}

async function searchName(words: string): Promise<string[]> {
  await register.stores.elasticsearch.refresh();
  const { body } = await register.get(`/search/companies?q=${encodeURIComponent(words)}`);
  return (body as { items: { title: string }[] }).items.map(({ title }) => title);
}

describe("a batch", () => {
  it("that reached only MongoDB reaches Elasticsearch with its rerun, which counts it as written", async () => {
    const stores = register.stores;
    await expect(processBatch(withoutElasticsearch(stores), source, aBatch(1), "job-1")).rejects.toThrow(
      UnavailableError,
    );
    expect(await stores.mongo.records.count(companyRecord, {})).toBe(texts.length);
    await stores.elasticsearch.refresh();
    expect(await stores.elasticsearch.count("companies")).toBe(0);

    // A worker does this before it tries again.
    await closeUnfinishedChanges(stores.mongo.documents, { job: "job-1" });
    const counts = await processBatch(stores, source, aBatch(1), "job-1");
    await followNow(stores);
    await stores.elasticsearch.refresh();
    expect(counts).toMatchObject({ written: texts.length, unchanged: 0 });
    expect(await stores.elasticsearch.count("companies")).toBe(texts.length);
    expect(await listNotFollowed(stores)).toEqual([]);
  });

  it("with new content replaces the record and its search document", async () => {
    const renamed = aBatch(5, rename("RENAMED WORKSHOP LIMITED"));
    expect(await processBatch(register.stores, source, renamed, "job-5")).toMatchObject({
      written: texts.length,
    });
    expect(await searchName("renamed workshop")).toHaveLength(texts.length);
  });

  it("older than the stored records changes nothing in either store", async () => {
    expect(await processBatch(register.stores, source, aBatch(3), "job-3")).toMatchObject({
      written: 0,
      unchanged: texts.length,
    });
    expect(await searchName("renamed workshop")).toHaveLength(texts.length);
  });

  it("that failed for good is written to Elasticsearch by the follower of the log", async () => {
    const lost = aBatch(7, rename("LOST AND FOUND LIMITED"));
    await expect(processBatch(withoutElasticsearch(register.stores), source, lost, "job-7")).rejects.toThrow(
      UnavailableError,
    );
    await followNow(register.stores);
    expect(await searchName("lost and found")).toHaveLength(texts.length);
  });

  it("that another one overtakes between read and write is merged with what that one wrote", async () => {
    const { mongo } = register.stores;
    const [first] = await mongo.records.fetchPage(companyRecord, {
      filter: {},
      sort: [["_id", 1]],
      skip: 0,
      limit: 1,
    });
    if (!first) throw new Error("no company is stored");
    const data = { ...first.data, registered_office_is_in_dispute: true };
    const statement = { at: "", place: 8, data };
    const absorbing = { record: companyRecord, revision: 8, findMergeRules };
    const disputed = absorb(first, { id: first._id, statements: [statement], isUndated: true }, absorbing);
    if (!disputed) throw new Error("nothing is disputed");
    let isFirstLook = true;
    const fetchStored: typeof mongo.records.fetchStored = async (record, wanted) => {
      const stored = await mongo.records.fetchStored(record, wanted);
      if (isFirstLook) await mongo.writer.replaceUnchanged(companyRecord, [{ now: disputed, before: first }]);
      isFirstLook = false;
      return stored;
    };
    const racing = { ...register.stores, mongo: { ...mongo, records: { ...mongo.records, fetchStored } } };
    await processBatch(racing, source, aBatch(9, rename("OVERTAKEN LIMITED")), "job-9");
    const after = await mongo.records.fetchOne(companyRecord, { _id: first._id });
    expect(after?.data).toMatchObject({
      company_name: "OVERTAKEN LIMITED",
      registered_office_is_in_dispute: true,
    });
  });

  const edition = (day: string, name: string, revision: number): BatchJob => ({
    ...aBatch(revision, rename(name)),
    context: source.open({ line: 1, text: header }, `BasicCompanyData-${day}.csv`),
  });
  const countEvents = async () => {
    const events = await register.stores.mongo.documents.fetchAll("events", {});
    return events.filter(({ _id }) => String(_id).startsWith("companies/")).length;
  };

  it("that is rerun has the events of records that a later batch wrote first", async () => {
    const { stores } = register;
    await processBatch(stores, source, edition("2026-11-01", "BEFORE LIMITED", 900), "job-900");
    await followNow(stores);
    const before = await countEvents();
    const later = edition("2026-11-02", "AFTER LIMITED", 500);
    const broken = withoutElasticsearch(stores);
    await expect(processBatch(broken, source, later, "job-500")).rejects.toThrow(UnavailableError);
    await closeUnfinishedChanges(stores.mongo.documents, { job: "job-500" });
    await processBatch(stores, source, later, "job-500");
    await followNow(stores);
    expect(await countEvents()).toBe(before + 1);
  });

  it("that is rerun after its events were stored stores no others", async () => {
    const { stores } = register;
    await followNow(stores);
    const before = await countEvents();
    const job = edition("2026-11-03", "AGAIN LIMITED", 950);
    await expect(processBatch(withoutElasticsearch(stores), source, job, "job-950")).rejects.toThrow("away");
    await closeUnfinishedChanges(stores.mongo.documents, { job: "job-950" });
    await followNow(stores);
    expect(await countEvents()).toBe(before + 1);
    await processBatch(stores, source, job, "job-950");
    await followNow(stores);
    expect(await countEvents()).toBe(before + 1);
  });

  it("of a killed stream has its event, though the stream repeated it before the batch was closed", async () => {
    const { stores } = register;
    const streamed = (timepoint: number): BatchJob => {
      const { source: name, rows, fileName } = event(company("STREAMED LIMITED"), timepoint, "2026-11-25");
      const job = { load: "follow", file: fileName, source: name, context: {}, revision: 2_000 + timepoint };
      return { ...job, rows: rows.map((text, line) => ({ line, text })) };
    };
    await followNow(stores);
    const before = await countEvents();
    const events = findSource("streaming-events");
    const broken = withoutElasticsearch(stores);
    await expect(processBatch(broken, events, streamed(1), "follow-1")).rejects.toThrow(UnavailableError);
    await processBatch(stores, events, streamed(50), "follow-50");
    await closeUnfinishedChanges(stores.mongo.documents, { job: "follow-1" });
    await followNow(stores);
    expect(await countEvents()).toBe(before + 1);
  });

  it("with a document rejected by Elasticsearch keeps its refused rows", async () => {
    const { stores } = register;
    const write = () => Promise.resolve([{ id: "99000001", reason: "mapper_parsing_exception" }]);
    const refusing: Stores = { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
    const batch = { ...aBatch(1_000, rename("REFUSED LIMITED")), load: "refusing" };
    const rows = [...batch.rows, { line: 99, bytes: "", reason: "cannot be read" }];
    await expect(processBatch(refusing, source, { ...batch, rows }, "job-1000")).rejects.toThrow(
      RefusedDocumentError,
    );
    expect(await stores.mongo.documents.fetchAll("dead_letters", { load: "refusing" })).toHaveLength(1);
  });
});

function rename(name: string): (text: string) => string {
  return (text) => text.replace(/^"[^"]*"/, `"${name}"`);
}

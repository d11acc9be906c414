import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { markDrawn } from "../../ingest/writers/versions.ts";
import { walkGroups } from "../../ingest/walk-groups.ts";
import { indices, findIndex } from "../../index-mappings/index.ts";
import type { IndexName } from "../../index-mappings/define-index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const COMPANIES = "companies/BasicCompanyDataAsOneFile-2026-11-01.zip";
const OFFICERS = "officers/Prod195_4321_ew_1_01112026010001.dat";
const DISQUALIFIED = "disqualified/Prod192_4287.txt";

interface Report {
  equal: boolean;
  indices: {
    index: IndexName;
    expected: number;
    found: number;
    missing: number;
    extra: number;
    different: number;
    repaired?: object;
    named: { id: string; kind: string; what?: string }[];
  }[];
}

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister();
  await register.load(COMPANIES, OFFICERS, DISQUALIFIED);
}, 60_000);
afterAll(() => register.close());

async function verify(options: Record<string, string> = {}) {
  const run = await register.run(verifyCommand, [], { json: "true", ...options });
  if (run.error) throw run.error;
  return { exitCode: run.exitCode, report: JSON.parse(run.printed.join("\n")) as Report };
}

async function firstIds(name: IndexName, count: number): Promise<string[]> {
  for await (const groups of walkGroups(register.stores.mongo, findIndex(name), { isSorted: true }))
    return groups.slice(0, count).map(({ id }) => id);
  return [];
}

/** What somebody else does to an index, past the service: the engine then counts versions by itself. */
async function tamper(method: string, name: IndexName, path: string, body?: object): Promise<void> {
  const { ELASTICSEARCH_URL, INDEX_PREFIX } = register.config;
  const response = await fetch(`${ELASTICSEARCH_URL}/${INDEX_PREFIX}${name}/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

describe("a register just loaded", () => {
  it("is equal, in every index", async () => {
    const { exitCode, report } = await verify();
    expect(report).toMatchObject({ equal: true });
    expect(exitCode).toBe(0);
    expect(report.indices.map(({ index }) => index)).toEqual(indices.map(({ name }) => name));
    for (const { expected, found } of report.indices) expect([expected, found]).toEqual([found, expected]);
    expect(Math.min(...report.indices.map(({ expected }) => expected))).toBeGreaterThan(0);
  });

  it("is told in words without --json", async () => {
    const { printed } = await register.run(verifyCommand, [], { index: "companies" });
    expect(printed).toEqual([
      expect.stringMatching(/^companies: equal: \d+ documents expected, \d+ found; 0 missing/),
    ]);
  });

  it("is equal when records make no document by design", async () => {
    const { mongo } = register.stores;
    const [someone] = await mongo.records.fetchPage(appointmentRecord, {
      filter: {},
      sort: [["_id", 1]],
      skip: 0,
      limit: 1,
    });
    const unnamed = Object.entries(someone?.data ?? {}).filter(
      ([member]) => !/^(name|former_name)/.test(member),
    );
    const data: unknown = Object.fromEntries(unnamed);
    const nameless = { ...someone, _id: "nameless", officer_id: "nameless", data } as unknown as StoredRecord;
    await mongo.writer.insertMissing(appointmentRecord, [nameless]);
    expect((await verify({ index: "officers" })).exitCode).toBe(0);
  });
});

describe.each(["companies", "officers", "disqualified-officers"] as const)(
  "differences planted in %s",
  (name) => {
    let ids: string[];
    beforeEach(async () => {
      ids = await firstIds(name, 4);
      const [deleted = "", altered = "", ahead = "", stray = ""] = ids;
      const { elasticsearch } = register.stores;
      const [held] = await elasticsearch.fetchDocuments(name, [ahead]);
      await tamper("DELETE", name, `_doc/${deleted}`);
      await tamper("POST", name, `_update/${altered}`, { doc: { words: 77 } });
      const future = Date.now() * 1000 + 3_600_000_000;
      await elasticsearch.write(name, [{ id: ahead, version: future, document: held?.source ?? {} }]);
      await tamper("PUT", name, `_doc/planted-1`, { words: 1 });
      await elasticsearch.write(name, [{ id: "planted-2", version: future, document: {} }]);
      expect(stray).not.toBe("");
    });

    it("are named, each by its sort, and left alone until --repair mends them", async () => {
      const [deleted, altered, ahead] = ids;
      const planted = [
        { id: deleted, kind: "missing" },
        { id: altered, kind: "different", what: "content" },
        { id: ahead, kind: "different", what: "version" },
        { id: "planted-1", kind: "extra" },
        { id: "planted-2", kind: "extra" },
      ];
      const found = await verify({ index: name });
      expect(found.exitCode).toBe(2);
      expect(found.report.indices[0]).toMatchObject({ missing: 1, extra: 2, different: 2 });
      expect(byId(found.report)).toEqual(byId({ indices: [{ named: planted }] }));

      const dry = await verify({ index: name, repair: "true", dryRun: "true" });
      expect(dry.exitCode).toBe(2);

      const mended = await verify({ index: name, repair: "true" });
      expect(mended.exitCode).toBe(0);
      expect(mended.report.indices[0]).toMatchObject({
        missing: 0,
        extra: 0,
        different: 0,
        repaired: { missing: 1, extra: 2, different: 2 },
      });
      expect((await verify({ index: name })).exitCode).toBe(0);
    }, 60_000);
  },
);

it("names no more of each sort than asked for, and counts all", async () => {
  const writes = ["a", "b", "c"].map((id) => ({ id: `planted-${id}`, version: 1, document: {} }));
  await register.stores.elasticsearch.write("companies", writes);
  const { report } = await verify({ index: "companies", show: "2", repair: "true" });
  expect(report.indices[0]).toMatchObject({ repaired: { extra: 3 } });
  expect(report.indices[0]?.named).toHaveLength(2);
}, 60_000);

it("mends what a later write of the worker reaches", async () => {
  const [number = ""] = await firstIds("companies", 1);
  const { elasticsearch, mongo } = register.stores;
  const version = Date.now() * 1000 + 3_600_000_000;
  await elasticsearch.write("companies", [{ id: number, version, document: {} }]);
  await verify({ index: "companies", repair: "true" });
  const [record] = await mongo.records.fetchByIds(companyRecord, [number]);
  const [held] = await elasticsearch.fetchDocuments("companies", [number]);
  expect(held?.version).toBe(record?.revision);
}, 60_000);

it("waits for a batch that has written MongoDB and not yet Elasticsearch", async () => {
  const file = "companies/edge-cases/no-final-newline-lf.csv";
  const [header = "", ...texts] = readFileSync(`test/fixtures/register/${file}`, "utf8").split("\n");
  const source = findSource("company-csv");
  const revision = await register.stores.redis.nextRevision();
  const rows = texts.map((text, at) => ({ line: at + 2, text: text.replace(/^"[^"]*"/, '"SLOW LIMITED"') }));
  const context = source.open({ line: 1, text: header }, file);
  const { elasticsearch, mongo } = register.stores;
  let isTruthWritten: (() => void) | undefined;
  const truth = new Promise<void>((resolve) => (isTruthWritten = resolve));
  const write: typeof elasticsearch.write = async (...given) => {
    isTruthWritten?.();
    // Longer than the two looks that follow the first.
    await pause(4_000);
    return elasticsearch.write(...given);
  };
  const slow = { ...register.stores, elasticsearch: { ...elasticsearch, write } };
  const job = { load: "slow", file, source: source.name, context, revision, rows, unreadable: [] };
  const batch = processBatch(slow, source, job, "slow-1");
  await truth;
  expect((await verify({ index: "companies" })).report).toMatchObject({ equal: true });
  await batch;
  const names = await mongo.records.fetchPage(companyRecord, { filter: {}, sort: [], skip: 0, limit: 1_000 });
  expect(names.map(({ data }) => data.company_name)).toContain("SLOW LIMITED");
}, 60_000);

it("reports no difference while loads are running", async () => {
  const loads = (async () => {
    await register.load("companies/BasicCompanyDataAsOneFile-2026-11-01.zip");
    await register.load(
      "companies/BasicCompanyData-2026-11-01-part1_2.csv",
      "companies/dissolved-extract.csv",
    );
    await register.load("officers/Prod216_4321_ew_1_01112026010001.dat");
    await register.load(
      "officers/Prod195_4321_sc_1_01112026010001.dat",
      "officers/Prod195_4321_ni_1_01112026010001.dat",
    );
  })();
  let isLoading = true;
  void loads.finally(() => (isLoading = false));
  const outcomes: number[] = [];
  while (isLoading) outcomes.push((await verify()).exitCode);
  await loads;
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter((code) => code !== 0)).toEqual([]);
  expect((await verify()).report).toMatchObject({ equal: true });
}, 120_000);

describe("an index whose versions are drawn, since records have been removed", () => {
  it("is equal under any version of the clock, and differs under one ahead of it", async () => {
    const { elasticsearch, mongo, redis } = register.stores;
    await markDrawn(mongo.documents, companyRecord.collection);
    const [first = "", second = ""] = await firstIds("companies", 2);
    const held = await elasticsearch.fetchDocuments("companies", [first, second]);
    const version = await redis.nextRevision();
    const [document, other] = [first, second].map((id) => held.find((item) => item.id === id)?.source ?? {});
    await elasticsearch.write("companies", [{ id: first, version, document: document ?? {} }]);
    expect((await verify({ index: "companies" })).exitCode).toBe(0);

    const ahead = { id: second, version: version + 3_600_000_000, document: other ?? {} };
    await elasticsearch.write("companies", [ahead]);
    expect((await verify({ index: "companies" })).report.indices[0]).toMatchObject({ different: 1 });
    expect((await verify({ index: "companies", repair: "true" })).exitCode).toBe(0);
  }, 60_000);
});

describe("the walk over groups", () => {
  it("gives every group once and whole, in order, and goes on behind an id", async () => {
    const { mongo } = register.stores;
    const index = findIndex("officers");
    const all: { id: string; records: StoredRecord[] }[] = [];
    for await (const groups of walkGroups(mongo, index)) all.push(...groups);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(all.flatMap(({ records }) => records)).toHaveLength(
      await mongo.records.count(appointmentRecord, {}),
    );

    const middle = ids[Math.floor(ids.length / 2)] ?? "";
    const rest: string[] = [];
    for await (const groups of walkGroups(mongo, index, { after: middle }))
      rest.push(...groups.map(({ id }) => id));
    expect(rest).toEqual(ids.slice(ids.indexOf(middle) + 1));
  });

  it.each(indices.filter(({ groupBy }) => groupBy !== "_id").map((index) => [index.name, index] as const))(
    "is served by an index of MongoDB: %s",
    (_name, { record, groupBy }) => {
      expect(record.indexes.map(({ fields }) => fields[0])).toContain(groupBy);
    },
  );
});

function byId({ indices: reports }: { indices: { named: { id?: string | undefined }[] }[] }) {
  return reports.flatMap(({ named }) => named).sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1));
}

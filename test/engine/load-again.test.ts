/** Editions that say what the one before said: what is not read again, and what is all the same. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import {
  AGAIN,
  beginEdition,
  fetchPrints,
  keepEdition,
  touchEditions,
} from "../../ingest/history/fingerprints.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { openQueue } from "../../ingest/queue/queue.ts";
import { startWorker } from "../../ingest/worker.ts";
import { batchRunner, company, event, fetchHeldName, NUMBER } from "../support/event-batches.ts";
import { load, OFFICERS, PSC, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const BY_HAND = "etag-by-hand";
const ROWS = 40;

let register: TestRegister;

/** Spoils every record of a kind by hand: whoever reads one sees that it is not as its row says, and writes it again. */
async function spoil({ collection }: RecordDefinition<never>): Promise<number> {
  const client = new MongoClient(register.config.MONGODB_URL);
  try {
    const records = client.db(register.config.DATABASE_NAME).collection(collection);
    return (await records.updateMany({}, { $set: { etag: BY_HAND } })).modifiedCount;
  } finally {
    await client.close();
  }
}

async function loadOf(files: string[], options: Record<string, string> = {}) {
  const { exitCode, printed, error } = await load(register, files, options);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  const count = (what: string) =>
    Number(printed.map((line) => RegExp(`^${what} +(\\d+)`).exec(line)?.[1]).find(Boolean));
  return { written: count("written"), unchanged: count("unchanged") };
}

const eventOf = (name: string, day: string) => {
  const [row = ""] = event(company(name), 1, day).rows;
  return writeFile(folder, `companies-${day}.ndjson`, `${row}\n`);
};

const edition = (day: string, rename: (row: string) => string = (row) => row, rows = readCompanies()) =>
  writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, [...rows.map(rename), ""].join("\r\n"));

/** One of two parts; the company that events name is in it under that name, or is not in it. */
function partOf(part: number, day: string, name?: string): string {
  const [header = "", ...rows] = readCompanies();
  const isNamed = (row: string) => row.includes(`"${NUMBER}"`);
  const others = rows.filter((row, at) => !isNamed(row) && at % 2 === part % 2);
  const own = rows.filter((row) => name !== undefined && isNamed(row));
  const lines = [header, ...others, ...own.map((row) => row.replace(/^"[^"]*"/, `"${name}"`)), ""];
  return writeFile(folder, `BasicCompanyData-${day}-part${part}_2.csv`, lines.join("\r\n"));
}

/** The header, and some rows: that of the company which events name is one of them. */
function readCompanies(): string[] {
  const [header = "", ...rows] = readAll();
  const named = rows.findIndex((row) => row.includes(`"${NUMBER}"`));
  return [header, ...rows.slice(named, named + ROWS)];
}

function readAll(): string[] {
  return readLines(writeEdition(folder, "all.csv", () => true));
}

// Its tests have one register, in which each finds what those before it have left.
describe("the same file again", () => {
  const companies = edition("2026-11-01");
  beforeAll(async () => {
    register = await openRegister();
  });
  afterAll(() => register.close());

  it("is compared with the records of officers, which keep the day of each edition", async () => {
    const officers = OFFICERS.slice(-1);
    const first = await loadOf(officers);
    expect(await loadOf(officers)).toEqual({ written: 0, unchanged: first.written + first.unchanged });
    const spoiled = await spoil(appointmentRecord as never);
    expect(spoiled).toBeGreaterThan(0);
    expect(await loadOf(officers)).toMatchObject({ written: spoiled });
    const { documents } = register.stores.mongo;
    expect(await documents.fetchAll("fingerprints", {})).toEqual([]);
  });

  it.each<[string, string[], RecordDefinition<never>]>([
    ["companies", [companies], companyRecord as never],
    ["persons with significant control", PSC, pscRecord as never],
  ])("is not compared with the records: %s", async (_what, files, kind) => {
    const first = await loadOf(files);
    const spoiled = await spoil(kind);
    expect(spoiled).toBeGreaterThanOrEqual(ROWS);
    expect(await loadOf(files)).toEqual({ written: 0, unchanged: first.written + first.unchanged });
    // By force it is.
    expect(await loadOf(files, { force: "true" })).toMatchObject({ written: spoiled });
  });

  it("is not compared with the records although a later load had the other kinds of its load", async () => {
    await loadOf([companies, ...PSC]);
    await loadOf([edition("2026-12-01")]);
    expect(await spoil(pscRecord as never)).toBeGreaterThan(100);
    expect(await loadOf(PSC)).toMatchObject({ written: 0 });
  });

  it("changes nothing that events have stated since", async () => {
    const latest = edition("2026-12-01");
    await loadOf([eventOf("TOLD SINCE LIMITED", "2026-12-02")]);
    expect(await loadOf([latest])).toMatchObject({ written: 0 });
    expect(await fetchHeldName(register.stores)).toBe("TOLD SINCE LIMITED");
  });
});

describe("a later edition", () => {
  const first = edition("2026-11-01");
  beforeEach(async () => {
    register = await newRegister();
  });

  it("writes the rows that are others, and reads no others", async () => {
    await loadOf([first]);
    await spoil(companyRecord as never);
    const renamed = edition("2026-12-01", (row) =>
      row.includes(`"${NUMBER}"`) ? row.replace(/^"[^"]*"/, '"RENAMED LIMITED"') : row,
    );
    expect(await loadOf([renamed])).toEqual({ written: 1, unchanged: ROWS - 1 });
    expect(await fetchHeldName(register.stores)).toBe("RENAMED LIMITED");
    expect(await loadOf([edition("2026-12-02")])).toEqual({ written: 1, unchanged: ROWS - 1 });
  });

  it("is compared with every record if other sources have stated something of companies", async () => {
    await loadOf([first]);
    const before = await fetchHeldName(register.stores);
    await loadOf([eventOf("TOLD BETWEEN LIMITED", "2026-11-15")]);
    expect(await fetchHeldName(register.stores)).toBe("TOLD BETWEEN LIMITED");
    expect(await loadOf([edition("2026-12-01")])).toMatchObject({ written: 1 });
    expect(await fetchHeldName(register.stores)).toBe(before);
  });

  it("is compared with every record after one in another number of parts, or after a part alone", async () => {
    const before = await loadOf([first]).then(() => fetchHeldName(register.stores));
    const { documents } = register.stores.mongo;
    const [inOne] = await fetchLatestLoads(documents, 1);
    await loadOf([partOf(1, "2026-12-01"), partOf(2, "2026-12-01", "IN PARTS LIMITED")]);
    expect(await fetchHeldName(register.stores)).toBe("IN PARTS LIMITED");
    // None is left behind that no edition can be compared with any more.
    const ids = (await documents.fetchAll("fingerprints", {})).map(({ _id }) => String(_id));
    expect(ids.filter((id) => id.startsWith(inOne?._id ?? ""))).toEqual([]);
    expect(await documents.fetchAll("fingerprints", { kind: "edition" })).toHaveLength(2);
    await loadOf([edition("2027-01-01")]);
    expect(await fetchHeldName(register.stores)).toBe(before);
    // The company moves to the other part, of which alone the next edition is loaded, and back.
    await loadOf([partOf(1, "2027-02-01"), partOf(2, "2027-02-01", before)]);
    await loadOf([partOf(1, "2027-03-01", "MOVED LIMITED")]);
    expect(await fetchHeldName(register.stores)).toBe("MOVED LIMITED");
    await loadOf([partOf(2, "2027-04-01", before)]);
    expect(await fetchHeldName(register.stores)).toBe(before);
  });

  it.each([
    ["before", (csv: string, events: string) => [events, csv]],
    ["after", (csv: string, events: string) => [csv, events]],
  ])("is compared with every record if one load had events %s the edition before", async (_when, order) => {
    const before = await loadOf([first]).then(() => fetchHeldName(register.stores));
    await loadOf(order(edition("2026-12-01"), eventOf("BESIDE LIMITED", "2026-12-02")));
    expect(await fetchHeldName(register.stores)).toBe("BESIDE LIMITED");
    await loadOf([edition("2027-01-01")]);
    expect(await fetchHeldName(register.stores)).toBe(before);
  });

  it("is compared with every record after one that failed in the middle", async () => {
    // All rows: a load fails once a hundred are refused.
    const all = readAll();
    const asItIs = (row: string) => row;
    await loadOf([edition("2026-11-01", asItIs, all)]);
    const broken = edition(
      "2026-12-01",
      (row) => (row.includes("1") ? row.replace(/"\d{8}"/, '"no number"') : row),
      all,
    );
    expect((await load(register, [broken])).error?.message).toMatch(/REFUSED_MAX_PERCENT/);
    await spoil(companyRecord as never);
    expect(await loadOf([edition("2026-12-02", asItIs, all)])).toMatchObject({ written: 200 });
  });
});

it("a later edition is compared with every record after one that lost its locks to a load of other sources", async () => {
  const ONE_BY_ONE = { BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1", LOCK_MS: "300000" };
  register = await newRegister(ONE_BY_ONE, false);
  const { config } = register;
  const [header = "", ...rows] = readCompanies();
  const row = rows.find((line) => line.includes(`"${NUMBER}"`)) ?? "";
  const lines = [header, row, ...rows.filter((line) => line !== row), ""];
  const of = (day: string) => writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, lines.join("\r\n"));
  const queue = openQueue(register.stores.redis, config.QUEUE_PREFIX);
  const stores = openStores(config, { forWorker: true });
  let stop = () => Promise.resolve();
  let isOver = false;
  const begin = (file: string) => register.run(loadCommand, [file], { encoding: "utf-8" }, () => isOver);
  const areQueued = (count: number) => async () => (await queue.getPrioritizedCount()) === count;
  try {
    const edition = begin(of("2026-11-01"));
    await waitUntil(areQueued(2), "two batches of the edition wait");
    // As a Redis that has lost its data.
    await register.stores.redis.connection.del(`${config.QUEUE_PREFIX}:locks`);
    const told = begin(eventOf("TOLD MEANWHILE LIMITED", "2026-11-15"));
    await waitUntil(areQueued(3), "the event waits behind the first of them");
    stop = startWorker(config, stores, createLogger("silent", "worker"));
    expect(await Promise.all([edition, told])).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(await fetchHeldName(register.stores)).toBe("TOLD MEANWHILE LIMITED");
    expect(await begin(of("2026-12-01"))).toMatchObject({ exitCode: 0 });
    expect(row).toContain(`"${await fetchHeldName(register.stores)}"`);
  } finally {
    isOver = true;
    await stop();
    await queue.close();
    await closeStores(stores);
  }
});

describe("a company that two batches of an edition name", () => {
  const [header = "", ...all] = readCompanies();
  const [row = "", ...others] = all.slice(0, 8);
  const nameOf = () => fetchHeldName(register.stores, numberIn(row));
  const numberIn = (line: string) => /"(\d{8})"/.exec(line)?.[1] ?? "";
  const named = (name: string) => row.replace(/^"[^"]*"/, `"${name}"`);
  const loadEdition = (day: string, rows: string[]) =>
    loadOf([writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, [header, ...rows, ""].join("\r\n"))]);

  beforeEach(async () => {
    register = await newRegister({ BATCH_ROWS: "4" });
  });

  it("is as its last row says, also where that says what the edition before said", async () => {
    await loadEdition("2026-11-01", [...others.slice(0, 4), named("LAST LTD"), ...others.slice(4)]);
    expect(await nameOf()).toBe("LAST LTD");
    const twice = (name: string) => [
      ...[...others.slice(0, 3), named(name)],
      ...[named("LAST LTD"), ...others.slice(4)],
    ];
    await loadEdition("2026-12-01", twice("FIRST LTD"));
    expect(await nameOf()).toBe("LAST LTD");
    await loadEdition("2027-01-01", twice("EARLIER LTD"));
    expect(await nameOf()).toBe("LAST LTD");
  });

  it("is so where both rows said the same in the edition before", async () => {
    const rows = (name: string) => [
      ...others.slice(0, 3),
      named(name),
      named("LAST LTD"),
      ...others.slice(4),
    ];
    await loadEdition("2026-11-01", rows("LAST LTD"));
    await loadEdition("2026-12-01", rows("FIRST LTD"));
    expect(await nameOf()).toBe("LAST LTD");
  });

  it("has no fingerprint in either of them", async () => {
    const rows = [...others.slice(0, 3), named("FIRST LTD"), named("LAST LTD"), ...others.slice(4)];
    await loadEdition("2026-11-01", rows);
    const [of] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    const printOf = async (first: string) => {
      const prints = await fetchPrints(register.stores.mongo.documents, of?._id, { companies: [first] });
      return prints.get(numberIn(row));
    };
    expect(await printOf(numberIn(others[0] ?? ""))).toBe(AGAIN);
    expect(await printOf(numberIn(row))).toBe(AGAIN);
  });
});

it("an edition that was kept while a batch of another load was frozen before its write is good no longer", async () => {
  register = await newRegister();
  const { mongo } = register.stores;
  const { documents, writer } = mongo;
  const filled = [companyRecord.collection];
  const files = [{ _id: "companies", collections: filled }];
  const insertMissing: typeof writer.insertMissing = async (...given) => {
    await beginEdition(documents, "edition", { files, filled });
    await keepEdition(documents, "edition", { files, filled, repeated: new Set() });
    return writer.insertMissing(...given);
  };
  const frozen: Stores = {
    ...register.stores,
    mongo: { ...mongo, writer: { ...writer, insertMissing } },
  };
  await batchRunner(() => frozen)(event(company("WRITTEN BESIDE LIMITED"), 1, "2026-11-02"));
  expect(await touchEditions(documents, "next", filled)).toEqual([]);
});

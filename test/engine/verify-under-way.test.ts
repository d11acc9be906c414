/** A comparison of the stores while batches and loads write: what is still being written is no difference. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchCounts } from "../../ingest/queue/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { compareIndex, countDifferences } from "../../ingest/verify/compare-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { SILENT } from "../support/reindex.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { removeRecords } from "../support/statements.ts";
import { fetchFirstIds, verify } from "../support/verify.ts";

const FILE = "companies/edge-cases/no-final-newline-lf.csv";
// The first look finds the difference; the second one would report it.
const NAMING_LOOK = 2;

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.load(FILE);
});

/** Writes the file's companies under another name through these stores, as one batch. */
async function writeRenamed(stores: Stores, name: string): Promise<BatchCounts> {
  const [header = "", ...texts] = readFileSync(`${SAMPLE}/${FILE}`, "utf8").split("\n");
  const source = findSource("company-csv");
  const revision = await stores.redis.nextRevision(0);
  const rows = texts.map((text, at) => ({ line: at + 2, text: text.replace(/^"[^"]*"/, `"${name}"`) }));
  const context = source.open({ line: 1, text: header }, FILE);
  const job = { load: name, file: FILE, source: source.name, context, revision, rows };
  return processBatch(stores, source, job, `${name}-1`);
}

type Write = Stores["elasticsearch"]["write"];

/** The register's stores, with another way to write Elasticsearch. */
function writingBy(write: Write): Stores {
  const { stores } = register;
  return { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
}

function openGate(): { isOpen: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open };
}

it("waits for a batch that has written MongoDB but not yet Elasticsearch", async () => {
  const mongoWritten = openGate();
  const slow = writingBy(async (...given) => {
    mongoWritten.open();
    // Longer than the two looks after the first one.
    await pause(4_000);
    return register.stores.elasticsearch.write(...given);
  });
  const batch = writeRenamed(slow, "LATE LIMITED");
  await mongoWritten.isOpen;
  expect((await verify(register, { index: "companies" })).report).toMatchObject({ equal: true });
  expect((await batch).written).toBeGreaterThan(0);
});

it("does not report what a batch writes between the look at the index and the look at the records", async () => {
  const { elasticsearch } = register.stores;
  const mongoWritten = openGate();
  const indexChecked = openGate();
  const slow = writingBy(async (...given) => {
    mongoWritten.open();
    await indexChecked.isOpen;
    return elasticsearch.write(...given);
  });
  const batch = writeRenamed(slow, "SLOW LIMITED");
  await mongoWritten.isOpen;

  let looks = 0;
  const fetchDocuments: typeof elasticsearch.fetchDocuments = async (...given) => {
    const documents = await elasticsearch.fetchDocuments(...given);
    looks += 1;
    indexChecked.open();
    if (looks === NAMING_LOOK) await writeRenamed(register.stores, "QUICK LIMITED");
    return documents;
  };
  const stores = { ...register.stores, elasticsearch: { ...elasticsearch, fetchDocuments } };
  const options = { observer: SILENT, what: "companies" };
  const { compared } = await compareIndex(stores, findIndex("companies"), options);
  await batch;
  expect(countDifferences(compared)).toBe(0);
  expect(looks).toBeGreaterThan(NAMING_LOOK);
}, 60_000);

it("reports no difference while loads are running", async () => {
  const loaded: number[] = [];
  const loads = (async () => {
    for (const files of [
      ["companies/BasicCompanyDataAsOneFile-2026-11-01.zip"],
      ["companies/BasicCompanyData-2026-11-01-part1_2.csv", "companies/dissolved-extract.csv"],
      ["officers/Prod216_4321_ew_1_01112026010001.dat"],
      ["officers/Prod195_4321_sc_1_01112026010001.dat", "officers/Prod195_4321_ni_1_01112026010001.dat"],
    ]) {
      loaded.push((await register.load(...files)).exitCode);
    }
  })();
  let isLoading = true;
  void loads.finally(() => (isLoading = false));
  const outcomes: number[] = [];
  while (isLoading) outcomes.push((await verify(register)).exitCode);
  await loads;
  expect(loaded).toEqual([0, 0, 0, 0]);
  expect(outcomes.length).toBeGreaterThan(0);
  expect(outcomes.filter((code) => code !== 0)).toEqual([]);
  expect((await verify(register)).report).toMatchObject({ equal: true });
}, 120_000);

// The last test, since it leaves a document without records.
it("finds a document without records even if as many records are removed meanwhile", async () => {
  const { stores } = register;
  const index = findIndex("companies");
  await stores.elasticsearch.write("companies", [{ id: "planted", version: 1, document: {} }]);
  const ids = await fetchFirstIds(register, "companies", 1);
  const find = () => stores.mongo.records.fetchByIds(companyRecord, ids) as Promise<StoredRecord[]>;
  let isRemoved = false;
  const fetchDocuments: typeof stores.elasticsearch.fetchDocuments = async (...given) => {
    const documents = await stores.elasticsearch.fetchDocuments(...given);
    if (!isRemoved) await removeRecords(stores, companyRecord, "removal", find);
    if (!isRemoved) await followNow(stores);
    isRemoved = true;
    return documents;
  };
  const beside = { ...stores, elasticsearch: { ...stores.elasticsearch, fetchDocuments } };
  const { compared } = await compareIndex(beside, index, { observer: SILENT, what: "companies" });
  // Otherwise the counts alone would show it.
  expect(compared.found).toBe(compared.expected);
  expect(compared).toMatchObject({ missing: 0, extra: 1, different: 0 });
}, 60_000);

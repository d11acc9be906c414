/** A comparison while a batch writes at the worst moment. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { compareIndex, countDifferences } from "../../ingest/verify/compare-index.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { SILENT } from "../support/reindex.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { removeRecords } from "../support/statements.ts";
import { fetchFirstIds } from "../support/verify.ts";

const FILE = "companies/edge-cases/no-final-newline-lf.csv";
// The first look finds the difference; the second one would report it.
const NAMING_LOOK = 2;

const register = forAllTests(openRegister);
beforeAll(async () => {
  await register.load(FILE);
});

/** Writes the file's companies under another name through these stores. */
async function writeRenamed(stores: Stores, name: string): Promise<void> {
  const [header = "", ...texts] = readFileSync(`${SAMPLE}/${FILE}`, "utf8").split("\n");
  const source = findSource("company-csv");
  const revision = await stores.redis.nextRevision(0);
  const rows = texts.map((text, at) => ({ line: at + 2, text: text.replace(/^"[^"]*"/, `"${name}"`) }));
  const context = source.open({ line: 1, text: header }, FILE);
  const job = { load: name, file: FILE, source: source.name, context, revision, rows };
  await processBatch(stores, source, job, `${name}-1`);
}

function openGate(): { isOpen: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open };
}

it("does not report what a batch writes between the look at the index and the look at the records", async () => {
  const { elasticsearch } = register.stores;
  const mongoWritten = openGate();
  const indexChecked = openGate();
  const write: typeof elasticsearch.write = async (...given) => {
    mongoWritten.open();
    await indexChecked.isOpen;
    return elasticsearch.write(...given);
  };
  const slow = { ...register.stores, elasticsearch: { ...elasticsearch, write } };
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

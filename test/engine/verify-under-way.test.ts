/** A comparison beside a batch that is under way at the worst moment. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Stores } from "../../api/core/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { confirmDifferences } from "../../ingest/verify/look.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const FILE = "companies/edge-cases/no-final-newline-lf.csv";
// The difference, and two more looks at it: the last of those that would name it.
const NAMING_LOOK = 3;

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister();
  await register.load(FILE);
}, 60_000);
afterAll(() => register.close());

/** Writes the file's companies under another name, to these stores. */
async function writeRenamed(stores: Stores): Promise<void> {
  const [header = "", ...texts] = readFileSync(`${SAMPLE}/${FILE}`, "utf8").split("\n");
  const source = findSource("company-csv");
  const revision = await stores.redis.nextRevision();
  const rows = texts.map((text, at) => ({ line: at + 2, text: text.replace(/^"[^"]*"/, '"SLOW LIMITED"') }));
  const context = source.open({ line: 1, text: header }, FILE);
  const job = { load: "slow", file: FILE, source: source.name, context, revision, rows, unreadable: [] };
  await processBatch(stores, source, job, "slow-1");
}

function openGate(): { isOpen: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open };
}

it("does not name what a batch writes between the look at the index and the look at the notes", async () => {
  const { elasticsearch, mongo } = register.stores;
  const truth = openGate();
  const index = openGate();
  const write: typeof elasticsearch.write = async (...given) => {
    truth.open();
    await index.isOpen;
    return elasticsearch.write(...given);
  };
  const batch = writeRenamed({ ...register.stores, elasticsearch: { ...elasticsearch, write } });
  await truth.isOpen;

  let looks = 0;
  const fetchDocuments: typeof elasticsearch.fetchDocuments = async (...given) => {
    const documents = await elasticsearch.fetchDocuments(...given);
    if ((looks += 1) === NAMING_LOOK) {
      index.open();
      await batch;
    }
    return documents;
  };
  const stores = { ...register.stores, elasticsearch: { ...elasticsearch, fetchDocuments } };
  const page = { filter: {}, sort: [] as [string, 1][], skip: 0, limit: 1_000 };
  const ids = (await mongo.records.fetchPage(companyRecord, page)).map(({ _id }) => _id);
  expect(ids.length).toBeGreaterThan(0);
  expect(await confirmDifferences(stores, findIndex("companies"), ids)).toEqual([]);
  expect(looks).toBeGreaterThanOrEqual(NAMING_LOOK);
}, 60_000);

/** The record of batches on the real MongoDB: what of it is read for which question. */
import { expect, it } from "@jest/globals";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { readBatchNames, withCountsSoFar, writeBatchRecord } from "../../ingest/load/batch-records.ts";
import { fetchLoad, noCounts } from "../../ingest/loads.ts";
import { keepLoad } from "../support/loads.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const newRegister = registersPerTest();
const LOAD = "20261121T061200123-3f9c";

/** A store of a running load of two batches, which keeps what is read in pages. */
async function openWatched() {
  const { documents } = (await newRegister({}, false)).stores.mongo;
  await keepLoad(documents, { _id: LOAD, state: "running" });
  for (const revision of [1, 2]) {
    const counts = { ...noCounts(), read: 30, written: 28, warnings: { "no day": 2 } };
    await writeBatchRecord(documents, { load: LOAD }, { revision, counts, named: { companies: ["a", "b"] } });
  }
  const seen: object[] = [];
  const listBetween: DocumentStore["listBetween"] = async (...query) => {
    const page = await documents.listBetween(...query);
    seen.push(...page);
    return page;
  };
  return { documents: { ...documents, listBetween }, seen };
}

const membersOf = (seen: readonly object[]) => seen.map((document) => Object.keys(document).sort());

it("counts of a load that runs are added up without the names of its records", async () => {
  const { documents, seen } = await openWatched();
  const load = await fetchLoad(documents, LOAD);
  const shown = load && (await withCountsSoFar(documents, load));
  expect(shown?.counts).toMatchObject({ read: 60, written: 56, warnings: { "no day": 4 } });
  expect(membersOf(seen)).toEqual(Array(2).fill(["_id", "counts", "revision"]));
});

it("names of records are read without the counts", async () => {
  const { documents, seen } = await openWatched();
  const names = [];
  for await (const named of readBatchNames(documents, LOAD)) names.push(named);
  expect(names).toEqual(Array(2).fill({ companies: ["a", "b"] }));
  expect(membersOf(seen)).toEqual(Array(2).fill(["_id", "named"]));
});

/** Rows of one record in several batches of a file, in an order of writing that the test gives: as in the order of rows. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads, REVISIONS_PER_BATCH } from "../../ingest/history/loads.ts";
import type { Change } from "../../ingest/log/changes.ts";
import { startWorker } from "../../ingest/worker.ts";
import { company, fetchHeldName, NUMBER } from "../support/event-batches.ts";
import { PARTS, STOPPED, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

interface Ordered {
  /** Batches, counted from 0, of which the worker writes the first runs in this order. */
  order?: number[];
  /** What the worker does before it enters a change. */
  onChange?: (change: Partial<Change>) => Promise<void>;
  write?: Stores["elasticsearch"]["write"];
  isStopping?: () => boolean;
  /** Called when the load has ended, before the worker does. */
  ended?: () => void;
}

/** Loads with a worker of its own, or resumes the latest load, without files. */
async function runInOrder(
  { config, stores: { mongo }, run }: TestRegister,
  files: string[],
  { order = [], onChange, write, isStopping, ended }: Ordered,
) {
  const stores = openStores(config, { forWorker: true });
  const { documents } = stores.mongo;
  const waitForTurn = async ({ load: of = "", revision = 0 }: Partial<Change>) => {
    const [latest] = await fetchLatestLoads(documents, 1);
    const first = latest?.plan.revision ?? 0;
    const own = order.indexOf((revision - first) / REVISIONS_PER_BATCH);
    const before = order.slice(0, Math.max(0, own)).map((at) => first + at * REVISIONS_PER_BATCH);
    const isTurn = async () => {
      const written = await documents.fetchAll("changes", { load: of, state: "written" });
      return before.every((one) => written.some((change) => change.revision === one));
    };
    await waitUntil(isTurn, "the batches before it are written");
  };
  const putMissing: Stores["mongo"]["documents"]["putMissing"] = async (collection, items) => {
    const [item = {}] = items as Partial<Change>[];
    if (collection === "changes") await waitForTurn(item);
    if (collection === "changes") await onChange?.(item);
    return documents.putMissing(collection, items);
  };
  const elasticsearch = write ? { ...stores.elasticsearch, write } : stores.elasticsearch;
  const ordered = {
    ...stores,
    elasticsearch,
    mongo: { ...stores.mongo, documents: { ...documents, putMissing } },
  };
  const stop = startWorker(config, ordered, createLogger("silent", "worker"));
  const [latest] = await fetchLatestLoads(mongo.documents, 1);
  const options = { encoding: "utf-8", ...(files.length === 0 && { resume: latest?._id ?? "" }) };
  const { error } = await run(loadCommand, files, options, isStopping);
  ended?.();
  await stop();
  await closeStores(stores);
  return error;
}

async function loadInOrder(register: TestRegister, files: string[], order: number[] = []) {
  expect(await runInOrder(register, files, { order })).toBeUndefined();
}

const open = () => newRegister({ BATCH_ROWS: "1" }, false);

const lines = (name: string, ...names: string[]) =>
  writeFile(folder, name, names.map((one) => `${JSON.stringify(company(one))}\n`).join(""));

/** An event of a minute ago. */
function eventFile(): string {
  const published_at = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
  const told = { ...company("EVENT LTD"), event: { timepoint: 7, published_at, type: "changed" } };
  return writeFile(folder, "companies.ndjson", `${JSON.stringify(told)}\n`);
}

it("an event of a later file counts beside a row without a day that had to run again", async () => {
  const register = await open();
  await loadInOrder(register, [lines("stored.jsonl", "STORED LTD")]);
  await loadInOrder(register, [lines("saved.jsonl", "OTHER LTD", "STORED LTD"), eventFile()], [1, 0]);
  expect(await fetchHeldName(register.stores)).toBe("EVENT LTD");
});

it("also where the batch of the event had been written, but not ended, before the load was resumed", async () => {
  const register = await open();
  await loadInOrder(register, [lines("stored.jsonl", "STORED LTD")]);
  const files = [lines("saved.jsonl", "OTHER LTD", "STORED LTD"), eventFile()];
  const { elasticsearch } = register.stores;
  const write: typeof elasticsearch.write = async (index, writes) =>
    (await fetchHeldName(register.stores)) === "EVENT LTD"
      ? [{ id: writes[0]?.id ?? "", reason: "mapper_parsing_exception" }]
      : elasticsearch.write(index, writes);
  const error = await runInOrder(register, files, { order: [1, 0], write });
  expect(error?.message).toMatch(/mapper_parsing_exception/);
  expect(await runInOrder(register, [], {})).toBeUndefined();
  expect(await fetchHeldName(register.stores)).toBe("EVENT LTD");
});

it("rows that ran again are not counted twice where the load is stopped meanwhile", async () => {
  const register = await open();
  await loadInOrder(register, [lines("stored.jsonl", "STORED LTD")]);
  const { documents } = register.stores.mongo;
  const again: string[] = [];
  let hasEnded = false;
  const onChange = async ({ job = "" }: Partial<Change>) => {
    if (!job.endsWith("-again") || again.push(job) === 1) return;
    // The first of them is written and counted, the second one held until the load has ended.
    const isWritten = async () =>
      (await documents.fetchAll("changes", { job: again[0] ?? "", state: "written" })).length > 0;
    await waitUntil(isWritten, "the first of them is written");
    isStopping = true;
    await waitUntil(() => Promise.resolve(hasEnded), "the load has ended");
  };
  let isStopping = false;
  const file = lines("saved.jsonl", "OTHER LTD", "STORED LTD", "STORED LTD");
  const ended = () => (hasEnded = true);
  const error = await runInOrder(register, [file], {
    ...{ order: [1, 2, 0], onChange, ended, isStopping: () => isStopping },
  });
  expect(error?.message).toMatch(STOPPED);
  const [stopped] = await fetchLatestLoads(documents, 1);
  expect(stopped?.counts.read).toBe(3);
});

it("a row that is not the last of its record is compared again, too", async () => {
  const register = await open();
  const [header = ""] = readFileSync(PARTS[0] ?? "", "utf8").split("\r\n");
  const row = (IncorporationDate: string) => {
    const fields: Record<string, string> = {
      ...{ CompanyName: "SAMPLE LTD", CompanyNumber: NUMBER, IncorporationDate },
      ...{ CompanyCategory: "Private Limited Company", CompanyStatus: "Active" },
    };
    return header
      .split(",")
      .map((name) => `"${fields[name.trim()] ?? ""}"`)
      .join(",");
  };
  const edition = (day: string, ...dates: string[]) =>
    writeFile(folder, `BasicCompanyData-${day}.csv`, [header, ...dates.map(row), ""].join("\r\n"));
  await loadInOrder(register, [edition("2026-11-01", "01/01/2001")]);
  await loadInOrder(register, [edition("2026-11-02", "02/02/2002", "01/01/2001", "")], [1, 0, 2]);
  const held = await register.stores.mongo.records.fetchOne(companyRecord, { _id: NUMBER });
  expect(held?.data.date_of_creation).toBe("2001-01-01");
});

/** Rows of one record in several batches of a file, in an order of writing that the test gives: as in the order of rows. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { fetchLatestLoads, REVISIONS_PER_BATCH } from "../../ingest/history/loads.ts";
import { startWorker } from "../../ingest/worker.ts";
import { company, fetchHeldName, NUMBER } from "../support/event-batches.ts";
import { load, PARTS, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

/** Loads with a worker that writes the first runs of these batches, counted from 0, in this order. */
async function loadInOrder({ config, ...register }: TestRegister, files: string[], order: number[] = []) {
  const stores = openStores(config, { forWorker: true });
  const { documents } = stores.mongo;
  const waitForTurn = async ({ load: of = "", revision = 0 }: { load?: string; revision?: number }) => {
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
    const [item = {}] = items as { load?: string; revision?: number }[];
    if (collection === "changes") await waitForTurn(item);
    return documents.putMissing(collection, items);
  };
  const ordered = { ...stores, mongo: { ...stores.mongo, documents: { ...documents, putMissing } } };
  const stop = startWorker(config, ordered, createLogger("silent", "worker"));
  const { error } = await load({ config, ...register }, files);
  await stop();
  await closeStores(stores);
  expect(error).toBeUndefined();
}

const open = () => newRegister({ BATCH_ROWS: "1" }, false);

it("an event of a later file counts beside a row without a day that had to run again", async () => {
  const register = await open();
  const lines = (name: string, ...names: string[]) =>
    writeFile(folder, name, names.map((one) => `${JSON.stringify(company(one))}\n`).join(""));
  await loadInOrder(register, [lines("stored.jsonl", "STORED LTD")]);
  const published_at = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
  const told = { ...company("EVENT LTD"), event: { timepoint: 7, published_at, type: "changed" } };
  const events = writeFile(folder, "companies.ndjson", `${JSON.stringify(told)}\n`);
  await loadInOrder(register, [lines("saved.jsonl", "OTHER LTD", "STORED LTD"), events], [1, 0]);
  expect(await fetchHeldName(register.stores)).toBe("EVENT LTD");
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

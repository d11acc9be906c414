/** Rows of one record in several batches, the first of which is slow: the result is as in the order of the rows. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import type { Change } from "../../ingest/log/changes.ts";
import { company, fetchNameOnRecord, NUMBER } from "../support/event-batches.ts";
import { addWorker } from "../support/further-worker.ts";
import { load, PARTS, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const LATE_MS = 300;

/** Loads the files with its own worker, which is slow with the first batch; without files, resumes the latest load. */
async function runSlowly(
  register: TestRegister,
  files: string[],
  elasticsearch: Partial<Stores["elasticsearch"]> = {},
) {
  const stop = addWorker(register, (stores) => {
    const { documents } = stores.mongo;
    const putMissing: typeof documents.putMissing = async (collection, items) => {
      const [{ revision } = {}] = items as Partial<Change>[];
      const [latest] = await fetchLatestLoads(documents, 1);
      if (collection === "changes" && revision === latest?.plan.revision) await sleep(LATE_MS);
      return documents.putMissing(collection, items);
    };
    return {
      ...stores,
      elasticsearch: { ...stores.elasticsearch, ...elasticsearch },
      mongo: { ...stores.mongo, documents: { ...documents, putMissing } },
    };
  });
  const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const { error } = await load(register, files, files.length === 0 ? { resume: latest?._id ?? "" } : {});
  await stop();
  return error;
}

async function loadSlowly(register: TestRegister, files: string[]) {
  expect(await runSlowly(register, files)).toBeUndefined();
}

const open = () => newRegister({ BATCH_ROWS: "1" }, false);

const lines = (name: string, ...names: string[]) =>
  writeFile(folder, name, names.map((one) => `${JSON.stringify(company(one))}\n`).join(""));

/** Writes an event that is one minute old. */
function eventFile(): string {
  const published_at = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
  const told = { ...company("EVENT LTD"), event: { timepoint: 7, published_at, type: "changed" } };
  return writeFile(folder, "companies.ndjson", `${JSON.stringify(told)}\n`);
}

it("an event in a later file outranks a row without a day whose record came earlier in its own file", async () => {
  const register = await open();
  await loadSlowly(register, [lines("stored.jsonl", "STORED LTD")]);
  await loadSlowly(register, [lines("saved.jsonl", "OTHER LTD", "STORED LTD"), eventFile()]);
  expect(await fetchNameOnRecord(register.stores)).toBe("EVENT LTD");
});

it("such an event outranks the row even if its batch was written but not ended before the load was resumed", async () => {
  const register = await open();
  await loadSlowly(register, [lines("stored.jsonl", "STORED LTD")]);
  const files = [lines("saved.jsonl", "OTHER LTD", "STORED LTD"), eventFile()];
  const { elasticsearch } = register.stores;
  const write: typeof elasticsearch.write = async (index, writes) =>
    (await fetchNameOnRecord(register.stores)) === "EVENT LTD"
      ? [{ id: writes[0]?.id ?? "", reason: "mapper_parsing_exception" }]
      : elasticsearch.write(index, writes);
  const error = await runSlowly(register, files, { write });
  expect(error?.message).toMatch(/mapper_parsing_exception/);
  expect(await runSlowly(register, [])).toBeUndefined();
  expect(await fetchNameOnRecord(register.stores)).toBe("EVENT LTD");
});

it("a row of several about one company counts if the rows after it do not state its members", async () => {
  const register = await open();
  // Without a column of the accounts, the last row does not state that there are none.
  const [first = ""] = readFileSync(PARTS[0] ?? "", "utf8").split("\r\n");
  const header = first.replace(",Accounts.AccountCategory", "");
  const row = (due: string) => {
    const fields: Record<string, string> = {
      ...{ CompanyName: "SAMPLE LTD", CompanyNumber: NUMBER, "Accounts.NextDueDate": due },
      ...{ CompanyCategory: "Private Limited Company", CompanyStatus: "Active" },
    };
    return header
      .split(",")
      .map((name) => `"${fields[name.trim()] ?? ""}"`)
      .join(",");
  };
  const edition = (day: string, ...days: string[]) =>
    writeFile(folder, `BasicCompanyData-${day}.csv`, [header, ...days.map(row), ""].join("\r\n"));
  await loadSlowly(register, [edition("2026-11-01", "01/01/2027")]);
  await loadSlowly(register, [edition("2026-11-02", "02/02/2027", "01/01/2027", "")]);
  const stored = await register.stores.mongo.records.fetchOne(companyRecord, { _id: NUMBER });
  expect(stored?.data.accounts?.next_accounts?.due_on).toBe("2027-01-01");
});

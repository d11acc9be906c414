/** A reindex beside loads and searches: nothing that is written is lost, no request fails, the alias moves once. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { listAnnouncements } from "../support/reindex.ts";

const ROWS = 2_000;
const SEARCH_EVERY_MS = 50;
const REMOVED = 100;

const folder = mkdtempSync(join(tmpdir(), "company-register-reindex-"));
let register: TestRegister;
let file = "";
beforeAll(async () => {
  register = await openRegister({ settings: { BATCH_ROWS: "20", QUEUE_DEPTH: "4" } });
  [file = ""] = writeManyRows(folder, ROWS).files;
  await load(file);
}, 60_000);
afterAll(async () => {
  await register.close();
  rmSync(folder, { recursive: true });
});

async function load(path: string): Promise<void> {
  const { error } = await register.run(loadCommand, [path], { encoding: "utf-8" });
  if (error) throw error;
}

/** The same companies under other names. */
function writeRenamed(): string {
  const path = join(folder, "BasicCompanyData-2026-12-01-part1_1.csv");
  const [header = "", ...rows] = readFileSync(file, "utf8").split("\n");
  writeFileSync(path, [header, ...rows.map((row) => row.replace(/^"/, '"NEWLY '))].join("\n"));
  return path;
}

/** Events that delete companies. */
function writeRemovals(numbers: string[]): string {
  const path = join(folder, "removals.ndjson");
  const lines = numbers.map((number, index) =>
    JSON.stringify({
      ...{ resource_kind: "company-profile", resource_id: number, resource_uri: `/company/${number}` },
      event: { timepoint: index + 1, published_at: "2026-12-20T09:00:00", type: "deleted" },
    }),
  );
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

async function companyNumbers(count: number): Promise<string[]> {
  const page = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: count };
  return (await register.stores.mongo.records.fetchPage(companyRecord, page)).map(({ _id }) => _id);
}

/** The load has begun to write. */
async function waitForRenamed(): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(SEARCH_EVERY_MS)) {
    const page = { filter: {}, sort: [] as [string, 1][], skip: 0, limit: 10_000 };
    const records = await register.stores.mongo.records.fetchPage(companyRecord, page);
    if (records.some(({ data }) => data.company_name.startsWith("NEWLY "))) return;
  }
  throw new Error("the load has written nothing");
}

async function searchUntil(isOver: () => boolean): Promise<{ asked: number; failed: number[] }> {
  const open: Promise<number>[] = [];
  while (!isOver()) {
    open.push(register.get("/search/companies?q=limited").then(({ status }) => status));
    await pause(SEARCH_EVERY_MS);
  }
  const statuses = await Promise.all(open);
  return { asked: statuses.length, failed: statuses.filter((status) => status !== 200) };
}

async function watchAlias(isOver: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  while (!isOver()) {
    const [live] = await register.stores.elasticsearch.fetchLiveIndices(["companies"]);
    if (live && live.name !== seen.at(-1)) seen.push(live.name);
    await pause(SEARCH_EVERY_MS);
  }
  return seen;
}

it("loses no change and no removal, fails no search and moves the alias once", async () => {
  const removed = await companyNumbers(REMOVED);
  const before = await register.stores.mongo.records.count(companyRecord, {});
  let isOver = false;
  const searches = searchUntil(() => isOver);
  const moves = watchAlias(() => isOver);
  const loads = load(writeRenamed()).then(() => load(writeRemovals(removed)));
  await waitForRenamed();
  const loadsEndedAt = loads.then(() => performance.now());
  const beganAt = performance.now();
  const { error } = await register.run(reindexCommand, ["companies"]);
  // Otherwise this shows nothing: give the load more rows.
  expect(await loadsEndedAt).toBeGreaterThan(beganAt);
  isOver = true;
  const { asked, failed } = await searches;

  expect(error).toBeUndefined();
  expect(asked).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  expect(await moves).toHaveLength(2);
  expect((await register.run(verifyCommand, [], { show: "20" })).exitCode).toBe(0);
  expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(before - REMOVED);
  expect(await register.stores.elasticsearch.count("companies")).toBe(before - REMOVED);
  expect(await listAnnouncements(register.stores)).toEqual([]);
}, 60_000);

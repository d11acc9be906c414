/** A reindex beside loads and searches: no write is lost, no request fails, and the alias moves once. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Locks } from "../../api/shared/stores/redis/locks.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { REINDEX_LOCK } from "../../ingest/reindex/index-set.ts";
import { writeManyRows } from "../support/faults/many-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { happensBefore, listBegun } from "../support/reindex.ts";
import { isEqual, listNames, liveName } from "../support/reindex-command.ts";

const ROWS = 1_000;
const RENAMED = 60;
const REMOVED = 5;
const LOOK_EVERY_MS = 50;
// Longer than a batch takes.
const MOVE_MS = 500;
const DEADLINE_MS = 60_000;

const folder = makeOwnFolder();
let register: TestRegister;
let header = "";
/** One row per company, by number. */
let rows: [number: string, row: string][] = [];
/** The names that must be stored in the end, by number. */
let names: Map<string, string>;

beforeAll(async () => {
  register = await openRegister({ settings: { BATCH_ROWS: "20", QUEUE_DEPTH: "4" } });
  const [file = ""] = writeManyRows(folder, ROWS).files;
  await load(file);
  names = await fetchNames();
  const [first = "", ...others] = readFileSync(file, "utf8").split("\n");
  header = first;
  const numbered = others.map((row) => [/^"[^"]*","(\w+)"/.exec(row)?.[1] ?? "", row] as const);
  rows = [...new Map(numbered.filter(([number]) => names.has(number)))];
}, 120_000);
afterAll(() => register.close());

async function load(...files: string[]): Promise<void> {
  const { error } = await register.run(loadCommand, files, { encoding: "utf-8" });
  if (error) throw error;
}

async function fetchNames(): Promise<Map<string, string>> {
  const page = { filter: {}, sort: [] as [string, 1][], skip: 0, limit: 10_000 };
  const records = await register.stores.mongo.records.fetchPage(companyRecord, page);
  return new Map(records.map(({ _id, data }) => [_id, data.company_name]));
}

/** Writes some companies under other names; a row of a removed company changes nothing. */
function writeRenamed(time: number): string {
  const path = join(folder, "renamed-2026-12-01.csv");
  const first = (time * RENAMED) % rows.length;
  const renamed = rows.slice(first, first + RENAMED).map(([number, row]) => {
    const name = `NAME ${time} OF ${number} LIMITED`;
    if (names.has(number)) names.set(number, name);
    return row.replace(/^"[^"]*"/, `"${name}"`);
  });
  writeFileSync(path, [header, ...renamed].join("\n"));
  return path;
}

/** Writes events that delete some companies. */
function writeRemovals(time: number): string {
  const path = join(folder, "removals.ndjson");
  const removed = [...names.keys()].slice(0, REMOVED);
  const lines = removed.map((number, at) => {
    names.delete(number);
    return JSON.stringify({
      ...{ resource_kind: "company-profile", resource_id: number, resource_uri: `/company/${number}` },
      event: { timepoint: time * REMOVED + at, published_at: "2026-12-20T09:00:00", type: "deleted" },
    });
  });
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** Counts the small loads, one after the other, that have begun and ended. */
const loads = { begun: 0, ended: 0 };

/** Loads until `isOver`, and once more after that. */
async function writeUntil(isOver: () => boolean): Promise<void> {
  for (let isLast = false; !isLast;) {
    isLast = isOver();
    loads.begun += 1;
    await load(writeRenamed(loads.begun), writeRemovals(loads.begun));
    loads.ended += 1;
  }
}

/** Waits until a load has ended that had not begun yet. */
async function waitForLoad(): Promise<void> {
  const { begun } = loads;
  for (const until = Date.now() + DEADLINE_MS; loads.ended <= begun; await pause(LOOK_EVERY_MS)) {
    if (Date.now() > until) throw new Error(`load ${begun + 1} has not ended; did one fail before?`);
  }
}

/** The command, with whole loads before its check and before its move; loads also go on during the move. */
function besideLoads(steps: string[]): CommandDefinition {
  const step = (name: string, wait: () => Promise<void>) => () => {
    steps.push(name);
    return wait();
  };
  const disturb = (stores: Stores): Stores => {
    const scanned = happensBefore(stores, "finish", step("finish", waitForLoad));
    const moving = happensBefore(
      scanned,
      "move",
      step("move", () => pause(MOVE_MS)),
    );
    const { locks } = stores.redis;
    const acquire: Locks["acquire"] = async (name) => {
      const lock = await locks.acquire(name);
      if (!lock || name !== REINDEX_LOCK) return lock;
      const checked = step("check", waitForLoad);
      // After the move the lock is checked again, so that a load's end leaves the build alone; do not wait then.
      const isMoved = () => steps.includes("move");
      return { ...lock, isHeld: () => (isMoved() ? lock.isHeld() : checked().then(() => lock.isHeld())) };
    };
    return { ...moving, redis: { ...stores.redis, locks: { ...locks, acquire } } };
  };
  return {
    ...reindexCommand,
    run: (context, ...given) => {
      const openStores = () => disturb(context.openStores());
      return reindexCommand.run({ ...context, openStores }, ...given);
    },
  };
}

async function searchUntil(isOver: () => boolean): Promise<{ asked: number; failed: number[] }> {
  const open: Promise<number>[] = [];
  while (!isOver()) {
    open.push(register.get("/search/companies?q=limited").then(({ status }) => status));
    await pause(LOOK_EVERY_MS);
  }
  const statuses = await Promise.all(open);
  return { asked: statuses.length, failed: statuses.filter((status) => status !== 200) };
}

/** Every index that the alias has pointed to, in order; the last look comes after the end. */
async function watchAlias(isOver: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  for (let isLast = false; !isLast; await pause(LOOK_EVERY_MS)) {
    isLast = isOver();
    const [live] = await register.stores.elasticsearch.fetchLiveIndices(["companies"]);
    if (live && live.name !== seen.at(-1)) seen.push(live.name);
  }
  return seen;
}

it("a reindex beside loads and searches loses no change, fails no search and moves the alias once", async () => {
  const before = await liveName(register, "companies");
  let isReindexed = false;
  let isOver = false;
  let isWriting = true;
  const searches = searchUntil(() => isOver);
  const moves = watchAlias(() => isOver);
  const writing = writeUntil(() => isReindexed).finally(() => (isWriting = false));
  const steps: string[] = [];
  const { error, exitCode, printed } = await register.run(besideLoads(steps), ["companies"]);
  expect(isWriting).toBe(true);
  isReindexed = true;
  await writing;
  isOver = true;
  const { asked, failed } = await searches;

  expect({ error, exitCode, printed }).toMatchObject({ error: undefined, exitCode: 0 });
  expect(steps).toEqual(["finish", "check", "move"]);
  expect(asked).toBeGreaterThan(0);
  expect(failed).toEqual([]);
  const live = await liveName(register, "companies");
  expect(await moves).toEqual([before, live]);
  expect(await listNames(register, "companies")).toEqual([before, live]);
  expect(await fetchNames()).toEqual(names);
  expect(await isEqual(register)).toBe(true);
  expect(await register.stores.elasticsearch.count("companies")).toBe(names.size);
  expect(await listBegun(register.stores)).toEqual([]);
}, 240_000);

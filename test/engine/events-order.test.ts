/** Random histories of events, in any order, by any number of workers, end as a plain model says. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Statement } from "../../api/shared/definitions/define-record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { filingRecord } from "../../api/resources/filing-history/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { createRandom, shuffle, type Random } from "../../scripts/bench/random.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import {
  describeStored,
  drawHistory,
  modelDeletions,
  modelRecords,
  type History,
} from "../support/event-histories.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const SEED = 20_261_121;
const EVENTS = 16;

const register = forAllTests(() => openRegister({ withWorker: false }));
let runs = 0;
let jobs = 0;
let deaths = 0;

beforeEach(() => {
  deaths = 0;
});

interface BatchOptions {
  /** Stores of the first attempt, in which the worker dies; the second attempt has the real ones. */
  dying?: Stores;
  isTriedAgain?: boolean;
  /** A second worker takes over the batch while the first one, thought dead, still works on it. */
  isTakenOver?: boolean;
  source?: string;
}

async function runBatch(texts: string[], options: BatchOptions = {}): Promise<void> {
  const { dying, isTriedAgain = true, isTakenOver = false, source = "streaming-events" } = options;
  const jobId = `job-${(jobs += 1)}`;
  const job = {
    ...{ load: "a-load", file: "events.ndjson", source, context: {} },
    revision: jobs,
    rows: texts.map((text, at) => ({ line: at + 1, text })),
  };
  if (dying && (await deathOf(processBatch(dying, findSource(source), job, jobId)))) deaths += 1;
  if (dying && !isTriedAgain) return;
  const workers = isTakenOver ? [1, 2] : [1];
  const counts = workers.map(() => processBatch(register.stores, findSource(source), job, jobId));
  for (const { refused } of await Promise.all(counts)) expect(refused).toBe(0);
}

async function begin(random: Random): Promise<History> {
  const history = drawHistory((runs += 1), random, EVENTS);
  await runBatch(history.file, { source: "api-json-lines" });
  return history;
}

/** Cuts lines into batches of one to seven lines. */
function cut(lines: string[], random: Random): string[][] {
  const batches: string[][] = [];
  for (let at = 0; at < lines.length; at += batches.at(-1)?.length ?? 1) {
    batches.push(lines.slice(at, at + 1 + random.below(7)));
  }
  return batches;
}

async function expectModel(history: History): Promise<void> {
  const { mongo } = register.stores;
  const stored: string[] = [];
  const stated: Statement[] = [];
  for (const record of [companyRecord, appointmentRecord, filingRecord]) {
    const field = record === companyRecord ? "_id" : "company_number";
    const { records } = await mongo.records.fetchGroups(record, { field, values: history.companies });
    stored.push(...records.map(({ data }) => describeStored(record.collection, data)));
    stated.push(...records.flatMap(({ told = [] }) => told));
  }
  expect(stored.sort()).toEqual(modelRecords(history).sort());
  expect(await fetchDeletions(history, stated)).toEqual(modelDeletions(history));
}

/** The timepoint at which each address was deleted, unless an event in `stated`, of the stored records, is as late. */
async function fetchDeletions(
  { entities }: History,
  stated: readonly Statement[],
): Promise<Record<string, number>> {
  const known: Record<string, number> = {};
  const uris = new Set(entities.map(({ uri }) => uri));
  for (const { collection } of [companyRecord, appointmentRecord, filingRecord]) {
    for (const { told } of await register.stores.mongo.documents.list(collection, { gone: true }, 10_000)) {
      // The cast: `told` is the list of statements, as JSON.
      for (const { event } of JSON.parse(told as string) as Statement[])
        if (event && uris.has(event.uri)) known[event.uri] = Math.max(known[event.uri] ?? 0, event.timepoint);
    }
  }
  for (const { event } of stated)
    if (event && event.timepoint >= (known[event.uri] ?? 0)) delete known[event.uri];
  return known;
}

/** The first `count` seeds, the same in every run. */
function seeds(count: number): [number][] {
  return Array.from({ length: count }, (_, at) => [SEED + at]);
}

describe("a history of events ends as its highest timepoints state", () => {
  it.each(seeds(2))("in order, one event a batch (seed %i)", async (seed) => {
    const history = await begin(createRandom(seed));
    for (const { line } of history.events) await runBatch([line]);
    await expectModel(history);
  });

  it.each(seeds(4))("shuffled, with repeats, in batches (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const history = await begin(random);
    const lines = history.events.map(({ line }) => line);
    const repeats = lines.filter(() => random.next() < 0.4);
    for (const batch of cut(shuffle([...lines, ...repeats], random), random)) await runBatch(batch);
    await expectModel(history);
  });

  it.each(seeds(8))(
    "by many workers at once, some of which die so that their batch runs again (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const history = await begin(random);
      const lines = history.events.map(({ line }) => line);
      const batches = cut(shuffle([...lines, ...lines], random), random).map((batch) => {
        const n = 1 + random.below(12);
        const isDone = random.next() < 0.5;
        const isTakenOver = random.next() < 0.3;
        const dying = dyingAt(register.stores, n, isDone);
        return random.next() < 0.5 ? { batch, isTakenOver, dying } : { batch, isTakenOver };
      });
      await Promise.all(batches.map(({ batch, ...options }) => runBatch(batch, options)));
      expect(deaths).toBeGreaterThan(0);
      await expectModel(history);
    },
  );

  it.each(seeds(2))(
    "when batches are lost for good and another load brings their events (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const history = await begin(random);
      const lines = shuffle(
        history.events.map(({ line }) => line),
        random,
      );
      for (const batch of cut(lines, random)) {
        const dying = dyingAt(register.stores, 1 + random.below(12), random.next() < 0.5);
        await runBatch(batch, { dying, isTriedAgain: false });
      }
      expect(deaths).toBeGreaterThan(0);
      await followNow(register.stores);
      for (const batch of cut(shuffle(lines, random), random)) await runBatch(batch);
      await expectModel(history);
    },
  );
});

// Runs after the other tests, since it checks what they leave.
describe("the search indices after all these tests", () => {
  it("agree with MongoDB, and no batch is left between the stores", async () => {
    await followNow(register.stores);
    await expectStoresAgree(register.stores);
  });
});

/** Data that grows over the years: operations that need part of it neither read it all nor give up too soon. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "../../api/shared/metrics/metrics.ts";
import { openMongo } from "../../api/shared/stores/mongodb/mongo.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { enterChange, markRefused } from "../../ingest/log/changes.ts";
import { buildPrivatePages } from "../../ingest/private-pages.ts";
import { retryRefused } from "../../ingest/projection/project.ts";
import { openQueue } from "../../ingest/queue/queue.ts";
import { countRefusedRows, removeKeptRows, writeKeptRows } from "../../ingest/refused-rows/refused-rows.ts";
import { openFaultProxy } from "../../scripts/bench/fault-proxy.ts";
import { examine } from "../support/doctor.ts";
import { COMPANIES, load } from "../support/load-command.ts";
import { collectCommands } from "../support/mongodb/collect-commands.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const LOADS = ["20261121T061200000-0001", "20261121T061200000-0002"] as const;
const [FIRST] = LOADS;

const newRegister = registersPerTest();

/** Runs the work, and returns the `find` and `aggregate` commands that it sent for a collection. */
async function collectReads(collection: string, work: () => Promise<unknown>) {
  const commands = await collectCommands(work);
  const about = (name: string) => commands.filter((command) => command[name] === collection);
  return { finds: about("find"), aggregates: about("aggregate") };
}

const refusedRows = LOADS.flatMap((of) =>
  [1, 2].map((line) => ({ load: of, file: "a.csv", line, source: "company-csv", reason: "odd", text: "x" })),
);

describe("refused rows", () => {
  it("are not all read at the end of a load or for metrics; a command reads only those of its load", async () => {
    const register = await newRegister();
    const { stores, config } = register;
    await writeKeptRows(stores.mongo.documents, refusedRows);
    const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
    const pages = buildPrivatePages({ stores, queue, metrics: createMetrics("worker"), keptMs: 0 });
    const ended = await collectReads("dead_letters", async () => {
      expect(await load(register, [COMPANIES])).toMatchObject({ exitCode: 0 });
      expect(JSON.stringify(await pages["/metrics"]?.())).toContain("refused_rows 4");
    });
    await queue.close();
    const discarded = await collectReads("dead_letters", async () => {
      const { printed } = await register.run(refusedRowsCommands.discard, [FIRST], { yes: "true" });
      expect(printed).toEqual([`discarded 2 refused rows of ${FIRST}`]);
    });
    expect(ended.aggregates).toEqual([]);
    for (const { pipeline } of discarded.aggregates)
      expect(pipeline?.[0]).toEqual({ $match: { _id: { $gt: `${FIRST}:`, $lt: `${FIRST};` } } });
    expect([...ended.finds, ...discarded.finds].filter(({ limit }) => !limit)).toEqual([]);
  });

  it("are counted and deleted even if that takes longer than any request may", async () => {
    const { stores, config } = await newRegister({}, false);
    await writeKeptRows(stores.mongo.documents, refusedRows);
    const proxy = await openFaultProxy(config.MONGODB_URL);
    const { documents, ...mongo } = openMongo({
      ...{ url: proxy.address, database: config.DATABASE_NAME, timeoutMs: 500 },
    });
    try {
      await mongo.ping();
      await documents.fetchAny("dead_letters");
      const work = [countRefusedRows(documents, FIRST), removeKeptRows(documents, LOADS[1])];
      const done = expect(Promise.all(work)).resolves.toEqual([2, undefined]);
      proxy.freeze();
      await sleep(1_500);
      await proxy.restore();
      await done;
      expect(await countRefusedRows(documents, LOADS[1])).toBe(0);
    } finally {
      await mongo.close();
      await proxy.close();
    }
  });
});

it("of changes rejected by Elasticsearch, only the reasons are read all at once", async () => {
  const register = await newRegister({}, false);
  const { stores } = register;
  for (const job of ["one", "two"]) {
    const change = await enterChange(stores, { load: FIRST, job, ids: { companies: ["00000001"] } });
    await markRefused(stores.mongo.documents, change, "odd");
  }
  const { finds } = await collectReads("changes", async () => {
    await examine(register);
    expect(await retryRefused(stores)).toEqual({ mended: 2, refused: [] });
  });
  const ofAll = finds.filter(({ filter }) => filter?.state === "refused");
  expect(ofAll.map(({ projection }) => projection)).toEqual([{ reason: 1 }, { reason: 1 }]);
});

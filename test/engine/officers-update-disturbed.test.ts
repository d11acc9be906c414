/** The officers' daily update under disturbances: interruption, killed workers, and several workers at once. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import { batchRunner } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { addWorker } from "../support/further-worker.ts";
import { load, STOPPED } from "../support/load-command.ts";
import { anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { UPDATE, updateLines, writeSnapshots } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { fetchState, type RegisterState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

// Each batch has one company; the machine may be busy with other work.
jest.setTimeout(180_000);

const snapshots = writeSnapshots(makeOwnFolder());
const newRegister = registersPerTest();
/** Opens a register with the snapshots loaded. */
async function openLoaded(settings: Record<string, string> = {}): Promise<TestRegister> {
  const register = await newRegister(settings);
  expect(await load(register, snapshots)).toMatchObject({ exitCode: 0 });
  return register;
}

/** What both stores contain after snapshots and update, without any disturbance. */
let undisturbed: RegisterState;
beforeAll(async () => {
  const register = await openLoaded();
  expect(await register.load(UPDATE)).toMatchObject({ exitCode: 0 });
  undisturbed = await fetchState(register.stores);
});

describe("a disturbed update ends as an undisturbed one", () => {
  it("after its load was interrupted and then resumed or begun again", async () => {
    const register = await openLoaded({ WORKER_CONCURRENCY: "1" });
    let asked = 0;
    const broken = await register.loadRowByRow([UPDATE], () => (asked += 1) > 1);
    expect(broken.error?.message).toMatch(STOPPED);
    expect(await register.loadRowByRow([UPDATE])).toMatchObject({ exitCode: 0 });
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
    const [, begun] = await fetchLatestLoads(register.stores.mongo.documents, 2);
    const resumed = await register.run(loadCommand, [], { encoding: "utf-8", resume: begun?._id ?? "" });
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });

  it("after its worker was killed at each of its writes, before or after it", async () => {
    const register = await openLoaded();
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const first = { line: 1, text: header };
    const rows = rest.map((text, at) => ({ line: at + 2, text }));
    // Batches of one company, as the smallest limits would cut them.
    const numbers = [...new Set(rows.map(({ text }) => text.slice(0, 8)))];
    const deaths = new Set<string | null>();
    let n = 0;
    for (const number of numbers) {
      const group = rows.filter(({ text }) => text.startsWith(number));
      const job: BatchJob = {
        ...{ load: "a-load", file: "Prod198_4322.dat", source: source.name, rows: group },
        ...{ context: source.open(first, "Prod198_4322.dat") },
        revision: await register.stores.redis.nextRevision(0),
      };
      const jobId = `a-load-${job.revision}`;
      // Over six companies, each write kills the worker once before it is done and once after.
      let isDone = n % 6 < 3;
      for (let write = 1 + (n % 3); write < 14; write += 3) {
        const dying = dyingAt(register.stores, write, isDone);
        deaths.add(await deathOf(processBatch(dying, source, job, jobId)));
        isDone = !isDone;
      }
      n += 1;
      await processBatch(register.stores, source, job, jobId);
    }
    expect([...deaths]).toEqual(
      expect.arrayContaining(["putMissing", "insertMissing", "replaceUnchanged", "amendIf"]),
    );
    await followNow(register.stores);
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });

  it("after a killed worker changed the class of a record whose day differs from the line's", async () => {
    const { stores } = await newRegister({}, false);
    const run = batchRunner(() => stores);
    const company = "99000501";
    await run({
      ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat", first: "DDDDSNAP432120261101" },
      rows: [aPersonLine({ company, type: "00", appointed: "20200202" })],
    });
    const update = {
      ...{ source: "officers-update", fileName: "Prod198_4322.dat", first: "DDDDUPDT432220261102" },
      ...{
        rows: [anUpdateLine({ company, oldType: "00", newType: "01", appointed: "20200101" })],
        revision: 9,
      },
    };
    const deaths: string[] = [];
    for (let write = 1; ; write += 1) {
      const death = await deathOf(run(update, dyingAt(stores, write, true)));
      if (death === null) break;
      deaths.push(death);
    }
    expect(deaths).toEqual(expect.arrayContaining(["insertMissing"]));
    const query = { field: "company_number", values: [company] };
    const { records } = await stores.mongo.records.fetchGroups(appointmentRecord, query);
    expect(records.map(({ data }) => data)).toMatchObject([
      { officer_role: "director", appointed_on: "2020-02-02" },
    ]);
    await expectStoresAgree(stores);
  });

  it("in small batches by several workers", async () => {
    const register = await openLoaded({ WORKER_CONCURRENCY: "4" });
    const stops = [addWorker(register), addWorker(register)];
    expect(await register.loadRowByRow([UPDATE])).toMatchObject({ exitCode: 0 });
    for (const stop of stops) await stop();
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });

  it("when four batches with the same rows run at once", async () => {
    const register = await openLoaded();
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const jobs = await Promise.all(
      [1, 2, 3, 4].map(async (number) => ({
        ...{ load: `load-${number}`, file: "Prod198_4322.dat", source: source.name },
        ...{ context: source.open({ line: 1, text: header }, "Prod198_4322.dat") },
        rows: rest.map((text, at) => ({ line: at + 2, text })),
        revision: await register.stores.redis.nextRevision(0),
      })),
    );
    await Promise.all(jobs.map((job) => processBatch(register.stores, source, job, `${job.load}-1`)));
    await followNow(register.stores);
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });
});

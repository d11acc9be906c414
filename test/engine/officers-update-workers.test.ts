/** The officers' daily update by several workers at once: each a batch of its own, or all the same one. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { processBatch } from "../../ingest/pipeline.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { followNow } from "../support/follow.ts";
import { addWorker } from "../support/further-worker.ts";
import { fetchUndisturbed, loadSnapshots, UPDATE, updateLines } from "../support/officers-update.ts";
import type { RegisterState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

// Batches of one company each, on machines that have other things to do.
jest.setTimeout(180_000);

const newRegister = registersPerTest();
let undisturbed: RegisterState;
beforeAll(async () => {
  undisturbed = await fetchUndisturbed();
}, 60_000);

describe("an update that is disturbed ends as if it had not been", () => {
  it("in small batches by several workers", async () => {
    const register = await loadSnapshots(await newRegister({ WORKER_CONCURRENCY: "4" }));
    const stops = [addWorker(register), addWorker(register)];
    expect(await register.loadRowByRow([UPDATE])).toMatchObject({ exitCode: 0 });
    for (const stop of stops) await stop();
    expect(await expectStoresAgree(register.stores)).toEqual(undisturbed);
  });

  it("by the same batch in many hands at once", async () => {
    const register = await loadSnapshots(await newRegister());
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const jobs = await Promise.all(
      [1, 2, 3, 4].map(async (number) => ({
        ...{ load: `load-${number}`, file: "Prod198_4322.dat", source: source.name, unreadable: [] },
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

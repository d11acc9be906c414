/** The officers' daily update by workers that are killed before or after any of their writes. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { deathOf, dyingAt } from "../support/dying-stores.ts";
import { followNow } from "../support/follow.ts";
import { fetchUndisturbed, loadSnapshots, updateLines } from "../support/officers-update.ts";
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
  it("with a worker that is killed at any of its writes, before or after", async () => {
    const register = await loadSnapshots(await newRegister());
    const [header = "", ...rest] = updateLines;
    const source = findSource("officers-update");
    const first = { line: 1, text: header };
    const rows = rest.map((text, at) => ({ line: at + 2, text }));
    // In batches of one company, as the smallest limits would cut them.
    const numbers = [...new Set(rows.map(({ text }) => text.slice(0, 8)))];
    const deaths = new Set<string | null>();
    let n = 0;
    for (const number of numbers) {
      const group = rows.filter(({ text }) => text.startsWith(number));
      const job: BatchJob = {
        ...{ load: "a-load", file: "Prod198_4322.dat", source: source.name, unreadable: [], rows: group },
        ...{ context: source.open(first, "Prod198_4322.dat") },
        revision: await register.stores.redis.nextRevision(0),
      };
      const jobId = `a-load-${job.revision}`;
      for (const isDone of [false, true]) {
        for (let write = 1 + (n % 3); write < 14; write += 3) {
          const dying = dyingAt(register.stores, write, isDone);
          deaths.add(await deathOf(processBatch(dying, source, job, jobId)));
        }
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
});

/** The officers' daily update by a load that is interrupted, gone on with and begun anew. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { STOPPED } from "../support/load-command.ts";
import { fetchUndisturbed, loadSnapshots, UPDATE } from "../support/officers-update.ts";
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
  it("by a load that is interrupted, and gone on with or begun anew", async () => {
    const register = await loadSnapshots(await newRegister({ WORKER_CONCURRENCY: "1" }));
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
});

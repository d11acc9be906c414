/** How long failed batches, which contain rows of files, stay in the queue. */
import { expect, it } from "@jest/globals";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { askElasticsearch, examine, findingOf } from "../support/doctor.ts";
import { COMPANIES, load } from "../support/load-command.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import type { TestRegister } from "../support/register.ts";

const newRegister = registersPerTest();
const countFailed = async ({ stores, config }: TestRegister) =>
  (await fetchQueueState(stores.redis, config.QUEUE_PREFIX, Date.now())).failed;

/** Fails a load's batch of companies by blocking writes to their index; returns the load's id. */
async function failBatch(register: TestRegister): Promise<string> {
  const block = (isBlocked: boolean | null) =>
    askElasticsearch(register.config, "PUT", `${register.config.INDEX_PREFIX}companies/_settings`, {
      "index.blocks.write": isBlocked,
    });
  await block(true);
  expect((await load(register, [COMPANIES])).error).toBeDefined();
  await block(null);
  const [failed] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  return failed?._id ?? "";
}

it("they stay while their load can be resumed, and go once its file is loaded again", async () => {
  const register = await newRegister();
  await failBatch(register);
  expect(await load(register, [`${SAMPLE}/disqualified/Prod192_4287.txt`])).toMatchObject({ exitCode: 0 });
  expect(await countFailed(register)).toBe(1);
  const { verdict, hint } = findingOf(await examine(register), "Failed batches");
  expect([verdict, hint]).toEqual(["warn", expect.stringMatching(/loads list .*; loads show LOAD says why/)]);
  expect(await load(register, [COMPANIES], { force: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countFailed(register)).toBe(0);
  expect(findingOf(await examine(register), "Failed batches").verdict).toBe("ok");
});

it("they go when their load is undone", async () => {
  const register = await newRegister();
  const id = await failBatch(register);
  expect(await countFailed(register)).toBe(1);
  expect(await register.run(loadsCommands.undo, [id], { yes: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countFailed(register)).toBe(0);
});

/**
 * An index that rejects what a load has written to MongoDB: other loads go on, doctor reports what is missing, and the
 * failed batches, which contain rows of files, stay in the queue only as long as they are of use.
 */
import { expect, it } from "@jest/globals";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { fetchQueueState } from "../../ingest/queue/queue-state.ts";
import { askElasticsearch, examine, findingOf } from "../support/doctor.ts";
import { COMPANIES, load, OFFICERS } from "../support/load-command.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { SAMPLE } from "../support/sample-register.ts";

const TITLE = "Batches rejected by Elasticsearch";
const newRegister = registersPerTest();

/** Makes an index reject writes; null makes it accept them again. */
const block = ({ config }: TestRegister, isBlocked: true | null, index = "companies") =>
  askElasticsearch(config, "PUT", `${config.INDEX_PREFIX}${index}/_settings`, {
    "index.blocks.write": isBlocked,
  });

it("a batch that Elasticsearch rejects stops no other load, and is completed once it is accepted", async () => {
  const register = await newRegister();
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await block(register, true);
  const failed = await load(register, [COMPANIES]);
  expect(failed.error?.message).toMatch(/index companies rejected \d+ documents, the first \S+: .*blocked/);

  const other = await load(register, [`${SAMPLE}/disqualified/Prod192_4287.txt`]);
  expect(other.exitCode).toBe(0);
  expect(other.messages.join("\n")).toMatch(
    /Elasticsearch still rejects 1 batch of an earlier load: index companies rejected .* doctor says what to do/,
  );
  const finding = findingOf(await examine(register), TITLE);
  expect(finding).toMatchObject({
    verdict: "fail",
    found: expect.stringMatching(/^1 batch, stored in MongoDB but not searchable: index companies rejected/),
    hint: expect.stringMatching(/cli -- reindex.*cli -- verify/),
  });

  await block(register, null);
  const next = await load(register, [`${SAMPLE}/disqualified/Prod192_4287.txt`]);
  expect(next.messages.join("\n")).toMatch(
    /Elasticsearch had rejected 1 batch of an earlier load, and has now accepted it/,
  );
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await register.stores.elasticsearch.refresh();
  expect(await register.stores.elasticsearch.count("companies")).toBe(200);
});

it("an undo rejected by Elasticsearch can be run again once Elasticsearch accepts it", async () => {
  const register = await newRegister();
  await load(register, [COMPANIES]);
  const [{ _id } = { _id: "" }] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  await block(register, true);
  const undo = () => register.run(loadsCommands.undo, [_id], { yes: "true" });
  expect((await undo()).error?.message).toMatch(/index companies rejected/);
  await block(register, null);
  expect(await undo()).toMatchObject({ exitCode: 0 });
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await expectStoresAgree(register.stores);
});

it("a repair ends doctor's complaint about rejected batches, and so does a new index", async () => {
  const register = await newRegister();
  await block(register, true);
  await load(register, [COMPANIES]);
  await block(register, null);
  expect(await register.run(verifyCommand, [], { repair: "true" })).toMatchObject({ exitCode: 0 });
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");

  await block(register, true);
  await load(register, [`${SAMPLE}/api-shaped/company-profile.jsonl`]);
  expect(findingOf(await examine(register), TITLE).verdict).toBe("fail");
  expect(await register.run(reindexCommand, ["companies"], {})).toMatchObject({ exitCode: 0 });
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await expectStoresAgree(register.stores);
});

it("a load ends with the reason if Elasticsearch rejects officers after all rows are written", async () => {
  const register = await newRegister();
  const [first = "", second = ""] = OFFICERS;
  expect(await load(register, [first])).toMatchObject({ exitCode: 0 });
  await block(register, true, "officers");
  const failed = await load(register, [second]);
  expect(failed.error?.message).toMatch(/index officers rejected \d+ documents, the first \S+: .*blocked/);
  expect(findingOf(await examine(register), TITLE).verdict).toBe("fail");

  await block(register, null, "officers");
  await load(register, [COMPANIES]);
  expect(findingOf(await examine(register), TITLE).verdict).toBe("ok");
  await expectStoresAgree(register.stores);
});

const countFailed = async ({ stores, config }: TestRegister) =>
  (await fetchQueueState(stores.redis, config.QUEUE_PREFIX, Date.now())).failed;

/** Fails a load's batch of companies by blocking writes to their index; returns the load's id. */
async function failBatch(register: TestRegister): Promise<string> {
  await block(register, true);
  expect((await load(register, [COMPANIES])).error).toBeDefined();
  await block(register, null);
  const [failed] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  return failed?._id ?? "";
}

it("failed batches stay while their load can be resumed, and go once its file is loaded again", async () => {
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

it("failed batches go when their load is undone", async () => {
  const register = await newRegister();
  const id = await failBatch(register);
  expect(await countFailed(register)).toBe(1);
  expect(await register.run(loadsCommands.undo, [id], { yes: "true" })).toMatchObject({ exitCode: 0 });
  expect(await countFailed(register)).toBe(0);
});

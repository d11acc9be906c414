/** Only one load at a time writes a kind of record: a second one waits, with a message; other kinds run beside it. */
import { expect, it, jest } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { Members } from "../../api/shared/values/members.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { lockKinds } from "../../ingest/load/kind-locks.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { company, fetchNameOnRecord, NUMBER } from "../support/event-batches.ts";
import { COMPANIES, countCompanies, load, PSC, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { waitUntil } from "../support/wait-until.ts";

jest.setTimeout(120_000);

const folder = makeOwnFolder();
const newRegister = registersPerTest();

it("a second load waits until the first has ended, and a load of another kind does not", async () => {
  const register = await newRegister();
  const { redis } = register.stores;
  const notes: string[] = [];
  const wait = { isStopping: () => false, tell: (note: string) => void notes.push(note) };
  const { release } = await lockKinds(redis, [companyRecord.collection], wait);
  expect(await load(register, PSC)).toMatchObject({ exitCode: 0 });
  // A file that may contain any kind is judged by its lines.
  expect(await load(register, [`${SAMPLE}/streams/filings.ndjson`])).toMatchObject({ exitCode: 0 });
  let isOver = false;
  const second = load(register, [COMPANIES]).then((run) => ((isOver = true), run));
  await waitUntil(
    async () => (await register.stores.mongo.documents.listLatest("loads", 3)).length > 2,
    "the load has begun",
  );
  expect(await countCompanies(register)).toBe(0);
  expect(isOver).toBe(false);
  await release();
  expect(await second).toMatchObject({ exitCode: 0 });
  expect(await countCompanies(register)).toBe(200);
  expect(notes).toEqual([]);
  expect((await redis.locks.list()).filter((name) => name.startsWith("write:"))).toEqual([]);
});

it("a load that waited counts as later than what was written meanwhile, though it began earlier", async () => {
  const register = await newRegister();
  const { redis, mongo } = register.stores;
  const notes: string[] = [];
  const wait = { isStopping: () => false, tell: (note: string) => void notes.push(note) };
  const { release } = await lockKinds(redis, [companyRecord.collection], wait);
  const [told, later] = ["WAITED LIMITED", "WRITTEN MEANWHILE LIMITED"].map((name) => company(name));
  const waiting = load(register, [writeFile(folder, "waits.jsonl", `${JSON.stringify(told)}\n`)]);
  await waitUntil(
    async () => (await mongo.documents.listLatest("loads", 1)).length > 0,
    "the load has begun",
  );
  const [{ data, ...stamp }] = [{ at: "2026-11-01", data: (later as { data: Members }).data }];
  const revision = await redis.nextRevision(0);
  const incoming = [{ id: NUMBER, statements: [{ ...stamp, place: revision, data }] }];
  await BatchChange.write(register.stores, { load: "b", job: "b-1", revision }, companyRecord, incoming);
  await release();
  expect(await waiting).toMatchObject({ exitCode: 0 });
  expect(await fetchNameOnRecord(register.stores)).toBe("WAITED LIMITED");
});

it("a load that waits reports it once", async () => {
  const register = await newRegister({}, false);
  const { redis } = register.stores;
  const notes: string[] = [];
  const wait = { isStopping: () => false, tell: (note: string) => void notes.push(note) };
  const { release } = await lockKinds(redis, [pscRecord.collection, companyRecord.collection], wait);
  const waiting = lockKinds(redis, [companyRecord.collection], wait);
  await waitUntil(() => Promise.resolve(notes.length > 0), "the second one waits");
  await release();
  await (await waiting).release();
  expect(notes).toEqual(["another load writes companies; this load waits until it has ended"]);
});

it("two loads of one file at once end as one after the other", async () => {
  const register = await newRegister({ BATCH_ROWS: "20" });
  const edition = writeEdition(folder, "BasicCompanyDataAsOneFile-2026-12-01.csv", () => true);
  const runs = await Promise.all([load(register, [edition]), load(register, [edition])]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const written = runs.map(({ printed }) => printed.find((line) => line.startsWith("written")));
  expect(written.sort()).toEqual([expect.stringMatching(/ 0$/), expect.stringMatching(/ 200$/)]);
});

it("a waiting load stops on request, and leaves no lock", async () => {
  const register = await newRegister({}, false);
  const { redis } = register.stores;
  const { release } = await lockKinds(redis, [companyRecord.collection], {
    isStopping: () => false,
    tell: () => undefined,
  });
  const waiting = lockKinds(redis, [pscRecord.collection, companyRecord.collection], {
    isStopping: () => true,
    tell: () => undefined,
  });
  await expect(waiting).rejects.toThrow(/stopped while it waited for another load/);
  await release();
  expect((await redis.locks.list()).filter((name) => name.startsWith("write:"))).toEqual([]);
});

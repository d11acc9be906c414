/** Interrupted loads are resumed as if nothing had happened. */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads, writeLoad } from "../../ingest/history/loads.ts";
import { fetchRunning, formatProgress } from "../../ingest/history/running.ts";
import { BATCH_QUEUE, openQueue, type BatchJob } from "../../ingest/queue/queue.ts";
import { company, event, fetchNameOnRecord } from "../support/event-batches.ts";
import { addWorker } from "../support/further-worker.ts";
import { countCompanies, DISSOLVED, load, loadInPart, PARTS, writeFile } from "../support/load-command.ts";
import { FOLLOW_LOCK } from "../../ingest/log/log-follower.ts";
import { aCompanyLine, aFile, aPersonLine } from "../support/officer-lines.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("an interrupted load", () => {
  const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" };

  it("continues with unwritten batches, and ends as if it had not been interrupted", async () => {
    const register = await newRegister(SETTINGS);
    const { id } = await loadInPart(register, PARTS);
    const run = await load(register, [], { resume: id });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed[0]).toMatch(/^read {6}200 rows/);
    expect(await countCompanies(register)).toBe(200);
    await expectStoresAgree(register.stores);
    const { printed } = await register.run(loadsCommands.show, [id], {});
    expect(printed[0]).toBe(`${id}: succeeded`);
    expect((await load(register, [], { resume: id })).error?.message).toMatch(/has succeeded/);
  });

  it("writes complete documents of officers for whom another load has written appointments meanwhile", async () => {
    const register = await newRegister({ ...SETTINGS, BATCH_ROWS: "1" });
    const snapshot = (region: string, companies: string[], number: (at: number) => string) => {
      const lines = companies.flatMap((company, at) => [
        aCompanyLine(company, "MOCK LTD"),
        aPersonLine({ company, number: number(at) }),
      ]);
      const name = `Prod195_4321_${region}_1_01112026010001.dat`;
      return writeFile(folder, name, aFile("DDDDSNAP432120261101", lines));
    };
    const numberOf = (at: number) => `1000${String(at).padStart(4, "0")}0001`;
    const companies = Array.from({ length: 12 }, (_, at) => String(96_000_000 + at));
    const first = snapshot("ew", companies, numberOf);
    const { id } = await loadInPart(register, [first]);
    const [begun] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(begun?.plan.first).toContain("appointments");
    expect(await load(register, [snapshot("sc", ["SC960001"], () => numberOf(11))])).toMatchObject({
      exitCode: 0,
    });
    expect(await load(register, [], { resume: id })).toMatchObject({ exitCode: 0 });
    await expectStoresAgree(register.stores);
  });

  /** Loads files and stops while the load waits for the search; returns the load's id. */
  async function stopBeforeSearch(register: TestRegister, files: string[]): Promise<string> {
    const { redis, mongo } = register.stores;
    // Holds the follow lock, as if the only worker had stopped right after the last batch.
    let follow = await redis.locks.acquire(FOLLOW_LOCK);
    while (!follow) follow = await redis.locks.acquire(FOLLOW_LOCK);
    let isWaiting = false;
    const poll = setInterval(() => {
      void fetchRunning(register.stores).then((loads) => {
        isWaiting = loads.some((one) => formatProgress(one).startsWith("updating the search"));
      });
    }, 50);
    const broken = await register.run(loadCommand, files, { encoding: "utf-8" }, () => isWaiting);
    clearInterval(poll);
    expect(broken.error?.message).toMatch(/^stopped; all rows are written, and the workers go on/);
    await follow.release();
    const [begun] = await fetchLatestLoads(mongo.documents, 1);
    return begun?._id ?? "";
  }

  it("counts refused rows file by file, without those of a later file", async () => {
    const register = await newRegister();
    const rows = [JSON.stringify(company("MOCK LTD")), ...Array<string>(60).fill("{}"), ""].join("\n");
    const files = ["one.jsonl", "other.jsonl"].map((name) => writeFile(folder, name, rows));
    const id = await stopBeforeSearch(register, files);
    const resumed = await load(register, [], { resume: id });
    expect(resumed.error).toBeUndefined();
    // Each file has fewer refused rows than may stop a load; both together have more.
    expect(resumed.exitCode).toBe(2);
  });

  it("can be stopped and resumed while it waits for the search; later events and editions still replace its rows", async () => {
    const register = await newRegister();
    const id = await stopBeforeSearch(register, PARTS);
    const before = await fetchNameOnRecord(register.stores);
    const [row = ""] = event(company("TOLD MEANWHILE LIMITED"), 1, "2026-11-02").rows;
    const told = writeFile(folder, "companies-2026-11-02.ndjson", `${row}\n`);
    expect(await load(register, [told])).toMatchObject({ exitCode: 0 });
    expect(await load(register, [], { resume: id })).toMatchObject({ exitCode: 0 });
    expect(await fetchNameOnRecord(register.stores)).toBe("TOLD MEANWHILE LIMITED");
    const next = [1, 2].map((part) => {
      const name = `BasicCompanyData-2026-12-01-part${part}_2.csv`;
      return writeFile(folder, name, readFileSync(PARTS[part - 1] ?? ""));
    });
    expect(await load(register, next)).toMatchObject({ exitCode: 0 });
    expect(await fetchNameOnRecord(register.stores)).toBe(before);
  });

  it("replaces batches that still wait from before with its own", async () => {
    const register = await newRegister(SETTINGS, false);
    const { redis, mongo } = register.stores;
    const { id } = await loadInPart(register, PARTS);
    const [{ plan } = {}] = await fetchLatestLoads(mongo.documents, 1);
    // Queues a batch as a killed process would leave it, with other content than the resumed load gives it.
    const queue = openQueue(redis, register.config.QUEUE_PREFIX);
    const stale = { load: id, file: "", source: "company-csv", rows: [], context: {} };
    const job = { ...stale, revision: plan?.revision ?? 0 };
    await queue.add(job.source, job, { jobId: `${id}-${job.revision}` });
    await queue.close();
    const resumed = load(register, [], { resume: id });
    const key = `${register.config.QUEUE_PREFIX}:${BATCH_QUEUE}:${id}-${job.revision}`;
    const fetchRows = async () =>
      (JSON.parse((await redis.connection.hget(key, "data")) ?? "{}") as Partial<BatchJob>).rows ?? [];
    await waitUntil(async () => (await fetchRows()).length > 0, "the batch has its rows");
    const stop = addWorker(register);
    expect(await resumed).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(200);
    await stop();
  });

  it("does not repeat what an earlier run has written", async () => {
    const register = await newRegister(SETTINGS, false);
    const writtenBefore = new Set<string>();
    const stopBroken = addWorker(register, ({ elasticsearch, ...others }) => ({
      ...others,
      elasticsearch: {
        ...elasticsearch,
        // Rejected for good, as by a bug: the batch fails at once.
        write: (index, writes) => {
          if (writtenBefore.size >= 80)
            return Promise.resolve([{ id: writes[0]?.id ?? "", reason: "mapper_parsing_exception" }]);
          for (const { id } of writes) writtenBefore.add(id);
          return elasticsearch.write(index, writes);
        },
      },
    }));
    const run = await load(register, PARTS);
    expect(run.error?.message).toMatch(/mapper_parsing_exception/);
    const id = /--resume (\S+)/.exec(run.messages.join("\n"))?.[1] ?? "";
    await stopBroken();

    const writtenAgain: string[] = [];
    const stop = addWorker(register, ({ elasticsearch, ...others }) => ({
      ...others,
      elasticsearch: {
        ...elasticsearch,
        write: (index, writes) => {
          writtenAgain.push(...writes.map((write) => write.id).filter((one) => writtenBefore.has(one)));
          return elasticsearch.write(index, writes);
        },
      },
    }));
    const again = await load(register, [], { resume: id });
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.printed[0]).toMatch(/^read {6}200 rows/);
    expect(writtenAgain).toEqual([]);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(200);
    await stop();
  });

  it("cannot be resumed while its process runs", async () => {
    const register = await newRegister(SETTINGS, false);
    let isStopped = false;
    const running = register.run(loadCommand, PARTS, { encoding: "utf-8" }, () => isStopped);
    let id = "";
    await waitUntil(async () => {
      id = (await fetchLatestLoads(register.stores.mongo.documents, 1))[0]?._id ?? "";
      return id !== "";
    }, "the load is known");
    expect((await load(register, [], { resume: id })).error?.message).toMatch(/under way in another process/);
    expect((await register.run(loadsCommands.list, [], {})).printed[0]).toMatch(/running/);
    isStopped = true;
    await running;
  });

  it("is listed as interrupted after its process was killed", async () => {
    const register = await newRegister();
    await load(register, [DISSOLVED]);
    const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    if (!record) throw new Error("no load was kept");
    await writeLoad(register.stores.mongo.documents, { ...record, state: "running" });
    expect((await register.run(loadsCommands.list, [], {})).printed[0]).toMatch(/interrupted/);
  });
});

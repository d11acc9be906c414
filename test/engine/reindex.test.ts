/** The command `reindex`: from its plan to the moved alias, interrupted, and refused. */
import { describe, expect, it } from "@jest/globals";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { FOLLOW_LOCK } from "../../ingest/log/log-follower.ts";
import { sayingNo } from "../support/changed-command.ts";
import { askElasticsearch } from "../support/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { beginBuild, listBegun } from "../support/reindex.ts";
import {
  isEqual,
  listIndices,
  listNames,
  liveName,
  openLoaded,
  reindex,
} from "../support/reindex-command.ts";
import { FILES } from "../support/verify.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { planReindex } from "../../ingest/reindex/run-reindex.ts";

const NAMES = indices.map(({ name }) => name);

const register = forAllTests(() => openLoaded(...FILES));

const names = () => listNames(register, "companies");
const saysNo = sayingNo(reindexCommand);

/** Runs a reindex that stops at its first safe point, as after Ctrl-C. */
const breakOff = (args: string[]) =>
  register.run(reindexCommand, args, { json: "true", yes: "true" }, () => true);

describe("a reindex of every index", () => {
  it("makes new indices live, keeps the former ones and leaves nothing else", async () => {
    const before = new Map(
      await Promise.all(NAMES.map(async (name) => [name, await liveName(register, name)] as const)),
    );
    const { error, data, exitCode } = await reindex(register, []);
    expect(error).toBeUndefined();
    expect(exitCode).toBe(0);
    expect(data?.indices.map(({ index }) => index)).toEqual(NAMES);
    for (const { index, built, former, documents } of data?.indices ?? []) {
      const name = index as (typeof NAMES)[number];
      expect(former).toBe(before.get(name));
      expect(await liveName(register, name)).toBe(built);
      expect((await listIndices(register, name)).map((one) => [one.name, one.isNext])).toEqual([
        [former, false],
        [built, false],
      ]);
      expect(await register.stores.elasticsearch.count(name)).toBe(documents);
      expect(built).toMatch(/-v\d+-\d{8}t\d{4,}$/);
    }
    expect(await listBegun(register.stores)).toEqual([]);
    // The follow lock is the worker's own; it comes and goes as the worker follows the change log.
    const locks = await register.stores.redis.locks.list();
    expect(locks.filter((name) => name !== FOLLOW_LOCK)).toEqual([]);
    const states = await register.stores.elasticsearch.health.fetchIndices();
    for (const { settings } of states) expect(settings["index.refresh_interval"]).toBeUndefined();
    expect(await isEqual(register)).toBe(true);
  });

  it("keeps only one former index the next time", async () => {
    const [first, second] = await listNames(register, "companies");
    const { data } = await reindex(register, ["companies"]);
    expect(data?.indices[0]).toMatchObject({ former: second, pruned: [first] });
    expect(await listNames(register, "companies")).toEqual([second, data?.indices[0]?.built]);
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(data?.indices[0]?.documents);
  });
});

describe("two reindexes at once", () => {
  it("exclude each other by a lock; --resume waits for it as long as a killed process may hold it", async () => {
    const before = await names();
    const lock = await register.stores.redis.locks.acquire("reindex");
    const { error } = await reindex(register, ["companies"]);
    expect(error?.message).toMatch(
      /^a reindex is under way in another process\. .* its lock ends within 2 s: run this again after that$/,
    );
    const waited = await reindex(register, [], { resume: "true" });
    expect(waited.messages[0]).toMatch(/^another reindex holds the lock; waiting 2 s/);
    expect(waited.error?.message).toMatch(/^a reindex is under way/);
    expect(await names()).toEqual(before);
    await lock?.release();
  });
});

describe("a dry run", () => {
  it("reports what would be built and deleted and the space needed, and writes nothing", async () => {
    const before = await names();
    const { printed } = await register.run(reindexCommand, ["companies"], { dryRun: "true" });
    const count = await register.stores.mongo.records.count(companyRecord, {});
    expect(printed[0]).toMatch(
      new RegExp(`^companies: version \\d+ would be built from about ${count} records$`),
    );
    expect(printed[1]).toBe(`  ${await liveName(register, "companies")} would be the former index`);
    expect(printed.at(-1)).toMatch(/^[\d.]+ [KM]B of disk needed, [\d.]+ [GT]B free$/);
    const all = await register.run(reindexCommand, [], { dryRun: "true" });
    const room = all.printed.filter((line) => line.includes("disk needed"));
    expect(room).toEqual([all.printed.at(-1)]);
    expect(room).not.toEqual([printed.at(-1)]);
    expect(await names()).toEqual(before);
    expect(await listBegun(register.stores)).toEqual([]);
  });

  it("does not count records by reading them", async () => {
    const { mongo } = register.stores;
    const count = () => Promise.reject(new Error("counted"));
    const stores = { ...register.stores, mongo: { ...mongo, records: { ...mongo.records, count } } };
    const plan = await planReindex({ stores, index: findIndex("companies") });
    expect(plan.records).toBe(await mongo.records.count(companyRecord, {}));
  });
});

it.each([
  [["people"], {}, `there is no index people; there are ${NAMES.join(", ")}`],
  [[], { resume: "true", back: "true" }, "--resume and --back exclude each other"],
  [[], { discard: "true", force: "true" }, "--discard and --force exclude each other"],
])("refuses invalid requests: %j %j", async (args, options, sentence) => {
  expect((await reindex(register, args, options)).error?.message).toBe(sentence);
});

describe("an interrupted reindex", () => {
  it("leaves the live index untouched and a build that --resume continues", async () => {
    const before = await liveName(register, "companies");
    const [former] = await names();
    const { error } = await breakOff(["companies"]);
    expect(error?.message).toMatch(
      /^stopped; the live index is untouched; `npm run cli -- reindex --resume` continues/,
    );
    expect(await liveName(register, "companies")).toBe(before);
    const [build] = await listBegun(register.stores);
    expect(build).toMatchObject({ index: "companies" });
    expect(await isEqual(register)).toBe(true);
    const dry = await register.run(reindexCommand, [], { resume: "true", dryRun: "true" });
    expect(dry.printed).toEqual([
      expect.stringMatching(`^companies: ${build?._id} would be continued from about \\d+ records$`),
      `  ${before} would be the former index`,
      `  ${former} would be deleted`,
    ]);

    const { data } = await reindex(register, [], { resume: "true" });
    expect(data?.indices).toMatchObject([{ index: "companies", built: build?._id, former: before }]);
    expect(await listBegun(register.stores)).toEqual([]);
    expect(await isEqual(register)).toBe(true);
  });

  it("is replaced by a new run only after a confirmation", async () => {
    await breakOff(["companies"]);
    const [build] = await listBegun(register.stores);
    const asked = await reindex(register, ["companies"]);
    expect(asked.error?.message).toContain(`${build?._id} was interrupted and will be deleted`);
    expect(await names()).toContain(build?._id);

    const { data, messages } = await reindex(register, ["companies"], { yes: "true" });
    // The new build may get the same name, since the former one was deleted within the same second.
    expect(messages).toContain(`removed the interrupted build ${build?._id}`);
    expect(await liveName(register, "companies")).toBe(data?.indices[0]?.built);
    expect(await listBegun(register.stores)).toEqual([]);
  });

  it("is asked about before the first index is built", async () => {
    const before = await names();
    const built = await beginBuild(register.stores, findIndex("officers"));
    const { error } = await reindex(register, ["companies", "officers"]);
    expect(error?.message).toContain(`${built} was interrupted and will be deleted`);
    expect(await names()).toEqual(before);
    await register.run(reindexCommand, ["officers"], { discard: "true", yes: "true" });
  });

  it("is removed completely by --discard, but not by a dry run or after the answer no", async () => {
    const before = await names();
    await breakOff(["companies"]);
    const dry = await register.run(reindexCommand, ["companies"], { discard: "true", dryRun: "true" });
    expect(dry.printed).toEqual([expect.stringMatching(/^\S*companies-v\S+ would be deleted$/)]);
    expect(await register.run(saysNo, ["companies"], { discard: "true" })).toMatchObject({
      ...{ exitCode: 1, printed: ["nothing was deleted"], messages: ["nothing was done"] },
    });
    expect((await names()).length).toBe(before.length + 1);
    expect(await register.run(reindexCommand, [], { discard: "true", yes: "true" })).toMatchObject({
      exitCode: 0,
    });
    expect(await names()).toEqual(before);
    expect(await listBegun(register.stores)).toEqual([]);
    expect((await reindex(register, [], { resume: "true" })).error?.message).toMatch(
      /no build was interrupted/,
    );
  });

  it("is named by --discard, which asks first, even if the process died before it noted the build", async () => {
    const { elasticsearch } = register.stores;
    const index = findIndex("companies");
    const built = await elasticsearch.builds.create(index, new Date());
    const discard = (command: typeof reindexCommand, options: Record<string, string> = {}) =>
      register.run(command, ["companies"], { discard: "true", ...options });
    expect((await discard(reindexCommand, { dryRun: "true" })).printed).toEqual([
      `${built} would be deleted`,
    ]);
    expect((await discard(saysNo)).printed).toEqual(["nothing was deleted"]);
    expect(await names()).toContain(built);
    expect((await discard(reindexCommand, { yes: "true" })).printed).toEqual([`${built} was deleted`]);

    // The build is noted, but its index is gone.
    await elasticsearch.builds.remove(await beginBuild(register.stores, index));
    expect((await discard(reindexCommand, { dryRun: "true" })).printed).toEqual(["nothing would be deleted"]);
    expect((await discard(reindexCommand)).printed).toEqual(["nothing was deleted"]);
    expect(await listBegun(register.stores)).toEqual([]);
  });

  it("is continued even if a live write and a damaged document differ from what was built", async () => {
    await breakOff(["companies"]);
    const { elasticsearch } = register.stores;
    await elasticsearch.write("companies-next", [{ id: "planted", version: 1, document: {} }]);
    const { data, error } = await reindex(register, ["companies"], { resume: "true" });
    expect(error).toBeUndefined();
    expect(data?.indices[0]).toMatchObject({ repaired: 1 });
    expect(await isEqual(register)).toBe(true);
  });

  it("goes live with its defined settings, even if a document's version had to be forgotten", async () => {
    await breakOff(["companies"]);
    const { elasticsearch, mongo } = register.stores;
    const id = String((await mongo.documents.fetchAny(companyRecord.collection))?._id);
    const planted = { id, version: Date.now() * 1000 + 3_600_000_000, document: {} };
    await elasticsearch.write("companies-next", [planted]);
    const { data } = await reindex(register, ["companies"], { resume: "true" });
    expect(data?.indices[0]).toMatchObject({ repaired: 1 });
    const path = `${register.config.INDEX_PREFIX}companies/_settings/index.gc_deletes`;
    const settings = (await askElasticsearch(register.config, "GET", path)) as object;
    const { gc_deletes } = findIndex("companies").settings;
    expect(Object.values(settings)).toMatchObject([{ settings: { index: { gc_deletes } } }]);
  });
});

// The last test, since it leaves the register smaller.
describe("several indices, one of which would shrink", () => {
  const two = ["officers", "disqualified-officers"] as const;
  const liveNames = () => Promise.all(two.map((name) => liveName(register, name)));

  it("go live all or none, since a release may only be able to search all former or all new ones", async () => {
    const before = await liveNames();
    const { record } = findIndex("disqualified-officers");
    await removeHalf(record);
    const { exitCode, data } = await reindex(register, [...two]);
    expect(exitCode).toBe(2);
    expect(data?.indices).toEqual([]);
    expect(data?.fault).toMatch(
      /disqualified-officers.*less than COMPLETE_MIN_PERCENT \(95 %\); --force continues.* `npm run cli -- reindex --resume` continues/,
    );
    expect(await liveNames()).toEqual(before);

    const forced = await reindex(register, [], { resume: "true", force: "true" });
    expect(forced.data?.indices.map(({ index, former }) => [index, former])).toEqual(
      two.map((name, at) => [name, before[at]]),
    );
    expect(forced.data?.indices[1]?.documents).toBe(await register.stores.mongo.records.count(record, {}));
    expect(forced.exitCode).toBe(0);
    expect(await isEqual(register)).toBe(true);
  });
});

/** Removes half of a kind's records from MongoDB, but not from the live index. */
async function removeHalf(record: RecordDefinition): Promise<void> {
  const { mongo } = register.stores;
  const page = { filter: {}, sort: [] as [string, 1][], skip: 0, limit: 100 };
  const some = await mongo.records.fetchPage(record, page);
  const going = some.slice(0, Math.ceil(some.length / 2)).map((stored) => {
    const { _id, etag, revision } = stored;
    return { before: stored, now: { _id, etag, revision: revision + 1, gone: true as const } };
  });
  await mongo.writer.replaceUnchanged(record, going);
}

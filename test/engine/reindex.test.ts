/** A reindex from its plan to the moved alias, two reindexes at once, and what is refused. */
import { describe, expect, it } from "@jest/globals";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { FOLLOW_LOCK } from "../../ingest/log/log-follower.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { listBegun } from "../support/reindex.ts";
import {
  isEqual,
  listIndices,
  listNames,
  liveName,
  openLoaded,
  reindex,
} from "../support/reindex-command.ts";
import { findIndex, indices } from "../../index-mappings/index.ts";
import { planReindex } from "../../ingest/reindex/run-reindex.ts";

const NAMES = indices.map(({ name }) => name);
const FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "officers/Prod195_4321_ew_1_01112026010001.dat",
  "disqualified/Prod192_4287.txt",
  "psc/psc-snapshot-2026-11-01_1of2.txt",
  "psc/psc-snapshot-2026-11-01_2of2.txt",
];

const register = forAllTests(() => openLoaded(...FILES));

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

const names = () => listNames(register, "companies");

describe("two reindexes at once", () => {
  it("exclude each other by a lock; --resume waits for it as long as a killed process may hold it", async () => {
    const before = await names();
    const lock = await register.stores.redis.locks.acquire("reindex");
    const { error } = await reindex(register, ["companies"]);
    expect(error?.message).toMatch(
      /^a reindex is under way in another process\. .* its lock ends within 2 s: run this again after that$/,
    );
    const waited = await reindex(register, [], { resume: "true" });
    expect(waited.told[0]).toMatch(/^another reindex holds the lock; waiting 2 s/);
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

// The last tests, since they leave the register smaller.
describe("several indices, one of which would shrink", () => {
  const two = ["officers", "disqualified-officers"] as const;
  const liveNames = () => Promise.all(two.map((name) => liveName(register, name)));

  it("go live all or none, since a release may only be able to search all former or all new ones", async () => {
    const before = await liveNames();
    await removeHalf(findIndex("disqualified-officers").record);
    const { exitCode, data } = await reindex(register, [...two]);
    expect(exitCode).toBe(2);
    expect(data?.indices).toEqual([]);
    expect(data?.fault).toMatch(
      /disqualified-officers.*--force continues.* `npm run cli -- reindex --resume` continues/,
    );
    expect(await liveNames()).toEqual(before);

    const forced = await reindex(register, [], { resume: "true", force: "true" });
    expect(forced.data?.indices.map(({ index, former }) => [index, former])).toEqual(
      two.map((name, at) => [name, before[at]]),
    );
    expect(forced.exitCode).toBe(0);
    expect(await isEqual(register)).toBe(true);
  });
});

describe("an index that would shrink", () => {
  it("does not go live without --force", async () => {
    const before = await liveName(register, "companies");
    await removeHalf(companyRecord);
    const { exitCode, data } = await reindex(register, ["companies"]);
    expect(exitCode).toBe(2);
    expect(data?.fault).toMatch(/less than COMPLETE_MIN_PERCENT \(95 %\); --force continues/);
    expect(await liveName(register, "companies")).toBe(before);

    const forced = await reindex(register, ["companies"], { resume: "true", force: "true" });
    expect(forced.exitCode).toBe(0);
    expect(forced.data?.indices[0]?.documents).toBe(
      await register.stores.mongo.records.count(companyRecord, {}),
    );
    expect(await isEqual(register)).toBe(true);
  });
});

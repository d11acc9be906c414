import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import type { StoredRecord } from "../../api/resources/define-record.ts";
import { listAnnouncements } from "../support/reindex.ts";
import { indices } from "../../index-mappings/index.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const NAMES = indices.map(({ name }) => name);
const FILES = [
  "companies/BasicCompanyDataAsOneFile-2026-11-01.zip",
  "officers/Prod195_4321_ew_1_01112026010001.dat",
  "disqualified/Prod192_4287.txt",
];

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ settings: { LOCK_MS: "1500" } });
  await register.load(...FILES);
}, 60_000);
afterAll(() => register.close());

async function reindex(args: string[], options: Record<string, string> = {}) {
  const run = await register.run(reindexCommand, args, { json: "true", ...options });
  const data = run.printed.length > 0 ? (JSON.parse(run.printed.join("\n")) as Result) : null;
  return { ...run, data };
}

interface Result {
  indices: {
    index: string;
    built: string;
    former: string;
    documents: number;
    pruned: string[];
    repaired?: number;
  }[];
  fault?: string;
}

const list = (name: (typeof NAMES)[number]) => register.stores.elasticsearch.builds.list(name);
const liveName = async (name: (typeof NAMES)[number]) =>
  (await list(name)).find(({ isLive }) => isLive)?.name;

async function isEqual(): Promise<boolean> {
  return (await register.run(verifyCommand, [], { show: "20" })).exitCode === 0;
}

describe("a reindex of every index", () => {
  it("makes new ones live, keeps the former ones and leaves nothing else", async () => {
    const before = new Map(
      await Promise.all(NAMES.map(async (name) => [name, await liveName(name)] as const)),
    );
    const { error, data, exitCode } = await reindex([]);
    expect(error).toBeUndefined();
    expect(exitCode).toBe(0);
    expect(data?.indices.map(({ index }) => index)).toEqual(NAMES);
    for (const { index, built, former, documents } of data?.indices ?? []) {
      const name = index as (typeof NAMES)[number];
      expect(former).toBe(before.get(name));
      expect(await liveName(name)).toBe(built);
      expect((await list(name)).map((one) => [one.name, one.isNext])).toEqual([
        [former, false],
        [built, false],
      ]);
      expect(await register.stores.elasticsearch.count(name)).toBe(documents);
      expect(built).toMatch(/-v\d+-\d{8}t\d{4,}$/);
    }
    expect(await listAnnouncements(register.stores)).toEqual([]);
    expect(await register.stores.redis.locks.list()).toEqual([]);
    expect(await register.stores.elasticsearch.isRefreshOff(NAMES)).toBe(false);
    expect(await isEqual()).toBe(true);
  }, 60_000);

  it("deletes all but one former index the next time", async () => {
    const [first, second] = (await list("companies")).map(({ name }) => name);
    const { data } = await reindex(["companies"]);
    expect(data?.indices[0]).toMatchObject({ former: second, pruned: [first] });
    expect((await list("companies")).map(({ name }) => name)).toEqual([second, data?.indices[0]?.built]);
    expect(await register.stores.mongo.records.count(companyRecord, {})).toBe(data?.indices[0]?.documents);
  });
});

/** Stops at its first safe point, as after Ctrl-C. */
const breakOff = (args: string[]) =>
  register.run(reindexCommand, args, { json: "true", yes: "true" }, () => true);

const names = async () => (await list("companies")).map(({ name }) => name);

describe("a reindex that is broken off", () => {
  it("leaves the live index untouched and a build that is gone on with", async () => {
    const before = await liveName("companies");
    const { error } = await breakOff(["companies"]);
    expect(error?.message).toMatch(
      /^stopped; the live index is untouched; `reindex companies --resume` goes on/,
    );
    expect(await liveName("companies")).toBe(before);
    const [build] = await listAnnouncements(register.stores);
    expect(build).toMatchObject({ index: "companies", state: "building" });
    expect(await isEqual()).toBe(true);

    const { data } = await reindex([], { resume: "true" });
    expect(data?.indices).toMatchObject([{ index: "companies", built: build?._id, former: before }]);
    expect(await listAnnouncements(register.stores)).toEqual([]);
    expect(await isEqual()).toBe(true);
  }, 30_000);

  it("is replaced by a fresh run only when that is agreed to", async () => {
    await breakOff(["companies"]);
    const [build] = await listAnnouncements(register.stores);
    const asked = await reindex(["companies"]);
    expect(asked.error?.message).toContain(`${build?._id} was broken off and is deleted now`);
    expect(await names()).toContain(build?._id);

    const { data } = await reindex(["companies"], { yes: "true" });
    expect(data?.indices[0]?.built).not.toBe(build?._id);
    expect(await names()).not.toContain(build?._id);
  }, 30_000);

  it("is given up by --discard, which leaves nothing of it", async () => {
    const before = await names();
    await breakOff(["companies"]);
    const dry = await register.run(reindexCommand, ["companies"], { discard: "true", dryRun: "true" });
    expect(dry.printed[0]).toMatch(/^companies: \S+ would be deleted$/);
    expect((await names()).length).toBe(before.length + 1);
    await register.run(reindexCommand, ["companies"], { discard: "true", yes: "true" });
    expect(await names()).toEqual(before);
    expect(await listAnnouncements(register.stores)).toEqual([]);
    expect((await reindex([], { resume: "true" })).error?.message).toMatch(/no build was broken off/);
  }, 30_000);

  it("is gone on with also where a live write and a damaged document differ from what was built", async () => {
    await breakOff(["companies"]);
    const { elasticsearch } = register.stores;
    await elasticsearch.write("companies-next", [{ id: "planted", version: 1, document: {} }]);
    const { data, error } = await reindex(["companies"], { resume: "true" });
    expect(error).toBeUndefined();
    expect(data?.indices[0]).toMatchObject({ repaired: 1 });
    expect(await isEqual()).toBe(true);
  }, 30_000);
});

describe("the way back", () => {
  it("makes the former index live and brings it up to date, and leads forth again", async () => {
    await reindex(["companies"]);
    const [former = "", live = ""] = await names();
    const { mongo, redis } = register.stores;
    const changed = await changeCompany(async () => redis.nextRevision());
    const dry = await register.run(reindexCommand, ["companies"], { back: "true", dryRun: "true" });
    expect(dry.printed).toEqual([`companies: ${former} would be live in place of ${live}`]);
    expect(await liveName("companies")).toBe(live);

    const back = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(back.printed[0]).toContain(`${former} is live, 1 documents brought up to date; ${live} is kept`);
    expect(await liveName("companies")).toBe(former);
    expect(await isEqual()).toBe(true);
    const [held] = await register.stores.elasticsearch.fetchDocuments("companies", [changed._id]);
    expect(held?.source).toMatchObject({ shown: { company_name: "CHANGED BEFORE THE WAY BACK LIMITED" } });

    await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(await liveName("companies")).toBe(live);
    expect(await isEqual()).toBe(true);
    expect(await mongo.records.count(companyRecord, {})).toBe(
      await register.stores.elasticsearch.count("companies"),
    );
  }, 30_000);

  it("is refused while a build is there, and where there is no former index", async () => {
    await breakOff(["companies"]);
    const blocked = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(blocked.error?.message).toMatch(/is being built, or was broken off: end it first/);
    await register.run(reindexCommand, ["companies"], { discard: "true", yes: "true" });

    const [former = ""] = await names();
    await register.stores.elasticsearch.builds.remove(former);
    const { error } = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(error?.message).toBe("companies has no former index to go back to");
  }, 30_000);
});

/** Writes a company to MongoDB alone, as a batch that has not reached the index. */
async function changeCompany(nextRevision: () => Promise<number>): Promise<StoredRecord> {
  const { mongo } = register.stores;
  const page = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: 1 };
  const [held] = await mongo.records.fetchPage(companyRecord, page);
  if (!held) throw new Error("there is no company");
  const data = { ...held.data, company_name: "CHANGED BEFORE THE WAY BACK LIMITED" };
  const stored = {
    ...held,
    etag: "changed",
    revision: await nextRevision(),
    data,
  } as unknown as StoredRecord;
  await mongo.writer.replaceHeld(companyRecord as never, [{ stored, heldRevision: held.revision }]);
  return stored;
}

describe("two reindexes at once", () => {
  it("are refused by a lock, for which --resume waits as long as one that was killed may hold it", async () => {
    const before = await names();
    const lock = await register.stores.redis.locks.acquire("reindex");
    const { error } = await reindex(["companies"]);
    expect(error?.message).toMatch(/^a reindex is under way in another process.* counts for 2 s more$/);
    const waited = await reindex([], { resume: "true" });
    expect(waited.told[0]).toMatch(/^another reindex holds the lock; waiting 2 s/);
    expect(waited.error?.message).toMatch(/^a reindex is under way/);
    expect(await names()).toEqual(before);
    await lock?.release();
    expect((await reindex(["companies"])).exitCode).toBe(0);
  }, 30_000);
});

describe("a dry run", () => {
  it("says what would be built and deleted, and what room it takes, and writes nothing", async () => {
    const before = await names();
    const { printed } = await register.run(reindexCommand, ["companies"], { dryRun: "true" });
    const count = await register.stores.mongo.records.count(companyRecord, {});
    expect(printed[0]).toMatch(
      new RegExp(
        `^companies: version \\d+ would be built from ${count} records; \\d+ MB of disk needed, [\\d,]+ MB free$`,
      ),
    );
    expect(printed[1]).toBe(`  ${await liveName("companies")} would be the former index`);
    expect(await names()).toEqual(before);
    expect(await listAnnouncements(register.stores)).toEqual([]);
  });
});

it.each([
  [["people"], {}, "there is no index people; there are companies, officers, disqualified-officers"],
  [[], { resume: "true", back: "true" }, "--resume and --back exclude each other"],
])("refuses what cannot be asked: %j %j", async (args, options, sentence) => {
  expect((await reindex(args, options)).error?.message).toBe(sentence);
});

// Last: it leaves the register smaller.
describe("an index that would shrink", () => {
  it("is not taken into use without --force", async () => {
    const before = await liveName("companies");
    const { mongo } = register.stores;
    const page = { filter: {}, sort: [] as [string, 1][], skip: 0, limit: 100 };
    const some = await mongo.records.fetchPage(companyRecord, page);
    await mongo.writer.removeHeld(companyRecord as never, some.slice(0, Math.ceil(some.length / 2)));
    const { exitCode, data } = await reindex(["companies"]);
    expect(exitCode).toBe(2);
    expect(data?.fault).toMatch(/less than COMPLETE_MIN_PERCENT \(95 %\); --force goes on/);
    expect(await liveName("companies")).toBe(before);

    const forced = await reindex(["companies"], { resume: "true", force: "true" });
    expect(forced.exitCode).toBe(0);
    expect(forced.data?.indices[0]?.documents).toBe(await mongo.records.count(companyRecord, {}));
    expect(await isEqual()).toBe(true);
  }, 30_000);
});

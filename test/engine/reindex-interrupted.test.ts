/** Interrupted builds, and going back to the former index. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { contentHash } from "../../api/shared/values/identifiers.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { findIndex } from "../../index-mappings/index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { sayingNo } from "../support/changed-command.ts";
import { beginBuild, listBegun } from "../support/reindex.ts";
import { isEqual, listNames, liveName, openLoaded, reindex } from "../support/reindex-command.ts";
import type { TestRegister } from "../support/register.ts";

const FILES = ["companies/BasicCompanyDataAsOneFile-2026-11-01.zip"];

let register: TestRegister;
beforeAll(async () => {
  register = await openLoaded(...FILES);
});
afterAll(() => register.close());

/** Runs a reindex that stops at its first safe point, as after Ctrl-C. */
const breakOff = (args: string[]) =>
  register.run(reindexCommand, args, { json: "true", yes: "true" }, () => true);

const saysNo = sayingNo(reindexCommand);
const names = () => listNames(register, "companies");

describe("an interrupted reindex", () => {
  it("leaves the live index untouched and a build that --resume continues", async () => {
    const before = await liveName(register, "companies");
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

    const { data, told } = await reindex(register, ["companies"], { yes: "true" });
    // The new build may get the same name, since the former one was deleted within the same second.
    expect(told).toContain(`removed the interrupted build ${build?._id}`);
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

  it("is removed completely by --discard", async () => {
    const before = await names();
    await breakOff(["companies"]);
    const dry = await register.run(reindexCommand, ["companies"], { discard: "true", dryRun: "true" });
    expect(dry.printed).toEqual([expect.stringMatching(/^\S*companies-v\S+ would be deleted$/)]);
    expect((await names()).length).toBe(before.length + 1);
    await register.run(reindexCommand, ["companies"], { discard: "true", yes: "true" });
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

  it("stays, with exit code 1, if the question of --discard is answered with no", async () => {
    await breakOff(["companies"]);
    const [build] = await listBegun(register.stores);
    const { exitCode, printed, told } = await register.run(saysNo, ["companies"], { discard: "true" });
    expect({ exitCode, printed, told }).toEqual({
      ...{ exitCode: 1, printed: ["nothing was deleted"], told: ["nothing was done"] },
    });
    expect(await names()).toContain(build?._id);
    const { exitCode: agreed } = await register.run(reindexCommand, [], { discard: "true", yes: "true" });
    expect(agreed).toBe(0);
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
    const { ELASTICSEARCH_URL, INDEX_PREFIX } = register.config;
    const answer = await fetch(`${ELASTICSEARCH_URL}/${INDEX_PREFIX}companies/_settings/index.gc_deletes`);
    const { gc_deletes } = findIndex("companies").settings;
    expect(Object.values((await answer.json()) as object)).toMatchObject([
      { settings: { index: { gc_deletes } } },
    ]);
  });
});

describe("going back", () => {
  it("makes the former index live and up to date, and can be reversed", async () => {
    await reindex(register, ["companies"]);
    const [former = "", live = ""] = await names();
    const { mongo, redis } = register.stores;
    const changed = await changeCompany(async () => redis.nextRevision(0));
    const dry = await register.run(reindexCommand, ["companies"], { back: "true", dryRun: "true" });
    expect(dry.printed).toEqual([`companies: ${former} would be live in place of ${live}`]);
    expect(await liveName(register, "companies")).toBe(live);

    const back = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(back.printed[0]).toContain(`${former} is live, 1 documents brought up to date; ${live} is kept`);
    expect(await liveName(register, "companies")).toBe(former);
    expect(await isEqual(register)).toBe(true);
    const [stored] = await register.stores.elasticsearch.fetchDocuments("companies", [changed._id]);
    expect(stored?.source).toMatchObject({ shown: { company_name: "CHANGED BEFORE THE WAY BACK LIMITED" } });

    await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(await liveName(register, "companies")).toBe(live);
    expect(await isEqual(register)).toBe(true);
    expect(await mongo.records.count(companyRecord, {})).toBe(
      await register.stores.elasticsearch.count("companies"),
    );
  });

  it("reports what is live, and how to bring it up to date, when it is interrupted", async () => {
    const live = await liveName(register, "companies");
    const former = (await names()).find((name) => name !== live) ?? "";
    const { error, told } = await register.run(reindexCommand, ["companies"], { back: "true" }, () => true);
    const repair = "`npm run cli -- verify --index companies --repair`";
    expect(told).toContain(`companies: ${former} is live; bringing it up to date, as ${repair} would`);
    expect(error?.message).toBe(
      `stopped; the rest was not checked; ${former} is live, but not up to date: run ${repair}`,
    );
    expect(await liveName(register, "companies")).toBe(former);
    await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(await liveName(register, "companies")).toBe(live);
  });

  it("is refused while a build exists, and when there is no former index", async () => {
    await breakOff(["companies"]);
    const blocked = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(blocked.error?.message).toMatch(/is being built, or was interrupted: end it first/);
    await register.run(reindexCommand, ["companies"], { discard: "true", yes: "true" });

    const [former = ""] = await names();
    await register.stores.elasticsearch.builds.remove(former);
    const { error } = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(error?.message).toBe("companies has no former index to go back to");
  });
});

/** Writes a company to MongoDB only, as a batch does that has not reached the index. */
async function changeCompany(nextRevision: () => Promise<number>): Promise<StoredRecord> {
  const { mongo } = register.stores;
  const page = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: 1 };
  const [before] = await mongo.records.fetchPage(companyRecord, page);
  if (!before) throw new Error("there is no company");
  const data = { ...before.data, company_name: "CHANGED BEFORE THE WAY BACK LIMITED" };
  const now = {
    ...before,
    etag: contentHash(data),
    revision: await nextRevision(),
    data,
  } as unknown as StoredRecord;
  await mongo.writer.replaceUnchanged(companyRecord, [{ now, before }]);
  return now;
}

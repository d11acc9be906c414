/** Builds that are interrupted, and the way back to the former index. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { findIndex } from "../../index-mappings/index.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { beginBuild, listBegun } from "../support/reindex.ts";
import { isEqual, listNames, liveName, openLoaded, reindex } from "../support/reindex-command.ts";
import type { TestRegister } from "../support/register.ts";

const FILES = ["companies/BasicCompanyDataAsOneFile-2026-11-01.zip"];

let register: TestRegister;
beforeAll(async () => {
  register = await openLoaded(...FILES);
}, 60_000);
afterAll(() => register.close());

/** Stops at its first safe point, as after Ctrl-C. */
const breakOff = (args: string[]) => register.run(reindexCommand, args, { json: "true" }, () => true);

const names = () => listNames(register, "companies");

describe("a reindex that is interrupted", () => {
  it("leaves the live index untouched, and nothing else", async () => {
    const before = await names();
    const live = await liveName(register, "companies");
    const { error, told } = await breakOff(["companies"]);
    expect(error?.message).toBe("stopped; the live index is untouched");
    expect(told[0]).toMatch(/^companies: building \S+companies-v\d+-/);
    expect(await names()).toEqual(before);
    expect(await liveName(register, "companies")).toBe(live);
    expect(await listBegun(register.stores)).toEqual([]);
    expect(await isEqual(register)).toBe(true);
  }, 30_000);

  it("is removed by the next one where it was killed, also what hands have written to it", async () => {
    const killed = await beginBuild(register.stores, findIndex("companies"));
    const { elasticsearch } = register.stores;
    await elasticsearch.write("companies-next", [{ id: "planted", version: 1, document: {} }]);
    const before = await liveName(register, "companies");
    const dry = await register.run(reindexCommand, ["companies"], { dryRun: "true" });
    expect(dry.printed).toContain(`  ${killed}, interrupted, would be deleted`);
    expect(await names()).toContain(killed);

    const { data, told } = await reindex(register, ["companies"]);
    expect(told).toContain(`removed the interrupted build ${killed}`);
    // Its name is free again within the same second.
    expect(data?.indices).toMatchObject([{ index: "companies", former: before }]);
    expect(await names()).toEqual([before, data?.indices[0]?.built]);
    expect(await liveName(register, "companies")).toBe(data?.indices[0]?.built);
    expect(await listBegun(register.stores)).toEqual([]);
    expect(await isEqual(register)).toBe(true);
  }, 30_000);
});

describe("the way back", () => {
  it("makes the former index live and brings it up to date, and leads forth again", async () => {
    await reindex(register, ["companies"]);
    const [former = "", live = ""] = await names();
    const { mongo, redis } = register.stores;
    const changed = await changeCompany(async () => redis.nextRevision());
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
  }, 30_000);

  it("removes a build that was killed", async () => {
    await reindex(register, ["companies"]);
    const before = await names();
    const killed = await beginBuild(register.stores, findIndex("companies"));
    const { error, told } = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(error).toBeUndefined();
    expect(told).toContain(`removed the interrupted build ${killed}`);
    expect(await names()).toEqual(before);
    expect(await liveName(register, "companies")).toBe(before[0]);
    expect(await listBegun(register.stores)).toEqual([]);
    expect(await isEqual(register)).toBe(true);
  }, 30_000);

  it("is refused where there is no former index", async () => {
    const live = await liveName(register, "companies");
    for (const name of (await names()).filter((one) => one !== live))
      await register.stores.elasticsearch.builds.remove(name);
    const { error } = await register.run(reindexCommand, ["companies"], { back: "true" });
    expect(error?.message).toBe("companies has no former index to go back to");
  }, 30_000);
});

/** Writes a company to MongoDB alone, as a batch that has not reached the index. */
async function changeCompany(nextRevision: () => Promise<number>): Promise<StoredRecord> {
  const { mongo } = register.stores;
  const page = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: 1 };
  const [before] = await mongo.records.fetchPage(companyRecord, page);
  if (!before) throw new Error("there is no company");
  const data = { ...before.data, company_name: "CHANGED BEFORE THE WAY BACK LIMITED" };
  const now = {
    ...before,
    etag: "changed",
    revision: await nextRevision(),
    data,
  } as unknown as StoredRecord;
  await mongo.writer.replaceUnchanged(companyRecord, [{ now, before }]);
  return now;
}

/** Snapshots and events of one company: their days decide, in any order of loads; and records removed without an event. */
import { describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import {
  batchRunner,
  company,
  event,
  fetchNameOnRecord,
  snapshot,
  type Rows,
} from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { lastEventOf, removeRecords } from "../support/statements.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

/** The resource with more members. */
function merged(resource: object, members: object): object {
  return { ...resource, data: { ...(resource as { data: object }).data, ...members } };
}

describe("a snapshot", () => {
  it.each(["2026-11-01", "2026-11-02"])("of %s does not replace an event of 2 November", async (day) => {
    await run(snapshot("2026-11-01", "FIRST EDITION LIMITED"));
    await run(event(company("TOLD BY THE STREAM LIMITED"), 10, "2026-11-02"));
    expect(await run(snapshot(day, "LATE EDITION LIMITED"))).toMatchObject({
      written: 0,
      unchanged: 1,
    });
    expect(await fetchNameOnRecord(register.stores)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it("of a later day replaces the event, and older events still count as older", async () => {
    expect(await run(snapshot("2026-11-03", "SECOND EDITION LIMITED"))).toMatchObject({ written: 1 });
    expect(await fetchNameOnRecord(register.stores)).toBe("SECOND EDITION LIMITED");
    const older = await run(event(company("OLDER LIMITED"), 9, "2026-11-02"));
    const repeat = await run(event(company("TOLD BY THE STREAM LIMITED"), 10, "2026-11-02"));
    expect([older, repeat]).toMatchObject([
      { written: 0, unchanged: 1 },
      { written: 0, unchanged: 1 },
    ]);
    expect(await run(snapshot("2026-11-01", "LATE EDITION LIMITED"))).toMatchObject({ written: 0 });
    expect(await fetchNameOnRecord(register.stores)).toBe("SECOND EDITION LIMITED");
    await expectStoresAgree(register.stores);
  });

  it("brings a deleted record back only from a day after the deletion, and a repeat changes nothing", async () => {
    const deletion = event({ ...company(""), data: undefined }, 11, "2026-11-03", "deleted");
    expect(await run(deletion)).toMatchObject({ removed: 1, written: 0 });
    for (const day of ["2026-11-02", "2026-11-03"]) {
      const late = await run(snapshot(day, "LATE EDITION LIMITED"));
      expect(late).toMatchObject({ written: 0, unchanged: 1 });
    }
    expect(await fetchNameOnRecord(register.stores)).toBeUndefined();
    await expectStoresAgree(register.stores);

    expect(await run(snapshot("2026-12-01", "THIRD EDITION LIMITED"))).toMatchObject({ written: 1 });
    expect(await run(deletion)).toMatchObject({ removed: 0, unchanged: 1 });
    expect(await fetchNameOnRecord(register.stores)).toBe("THIRD EDITION LIMITED");
    await expectStoresAgree(register.stores);
  });

  it("without a day in its name counts as the latest, and removes no members that it does not state", async () => {
    expect(await run(snapshot(null, "NO DAY LIMITED"))).toMatchObject({ written: 1 });
    expect(await fetchNameOnRecord(register.stores)).toBe("NO DAY LIMITED");
    const number = "99000072";
    const fetchData = async () =>
      (await register.stores.mongo.records.fetchByIds(companyRecord, [number]))[0]?.data;
    const members = { has_been_liquidated: true };
    const told = event(merged(company("TOLD LIMITED", number), members), 40, "2026-11-02");
    await run(told);
    await run(snapshot(null, "ROW LIMITED", number));
    expect(await fetchData()).toMatchObject({ company_name: "ROW LIMITED", has_been_liquidated: true });
    await run(told);
    expect(await fetchData()).toMatchObject({ company_name: "ROW LIMITED", has_been_liquidated: true });
    await run(event(company("NEXT LIMITED", number), 41, "2026-11-03"));
    expect(await fetchData()).toMatchObject({ company_name: "NEXT LIMITED" });
    expect(await fetchData()).not.toHaveProperty("has_been_liquidated");
  });
});

describe("an event that comes after a snapshot", () => {
  const number = "99000083";
  const stored = async () =>
    (
      await register.stores.mongo.records.fetchByIds(companyRecord, [number])
    )[0] as StoredRecord<CompanyProfile>;
  const anEvent = (name: string, timepoint: number, day: string) =>
    event(
      merged(company(name, number), { jurisdiction: "scotland", has_been_liquidated: true }),
      timepoint,
      day,
    );

  it("changes nothing that the snapshot states if published before it, but adds other members and counts as applied", async () => {
    await run(snapshot("2026-11-01", "EDITION LIMITED", number));
    await run(anEvent("OLD LIMITED", 20, "2026-10-01"));
    expect((await stored()).data).toMatchObject({
      company_name: "EDITION LIMITED",
      has_been_liquidated: true,
    });
    expect(lastEventOf(await stored())?.timepoint).toBe(20);
    await run(anEvent("OLDER LIMITED", 19, "2026-10-01"));
    expect(lastEventOf(await stored())?.timepoint).toBe(20);
    await run(anEvent("OF THE DAY BEFORE LIMITED", 21, "2026-10-31"));
    expect(await fetchNameOnRecord(register.stores, number)).toBe("EDITION LIMITED");
  });

  it("wins if published on the day of the snapshot, which was made earlier that day, or on a later day", async () => {
    await run(anEvent("OF THE DAY LIMITED", 22, "2026-11-01"));
    expect(await fetchNameOnRecord(register.stores, number)).toBe("OF THE DAY LIMITED");
    await run(anEvent("NEWS LIMITED", 23, "2026-11-02"));
    expect(await fetchNameOnRecord(register.stores, number)).toBe("NEWS LIMITED");
  });

  it("does not delete the record of a snapshot of a later day, and still outdates older events", async () => {
    await run(snapshot("2026-12-01", "NEXT EDITION LIMITED", number));
    const deletion = event({ ...company("", number), data: {} }, 26, "2026-11-20", "deleted");
    expect(await run(deletion)).toMatchObject({ removed: 0, unchanged: 1 });
    const { data } = await stored();
    // Members that only the deleted record had are gone.
    expect(data).toMatchObject({ company_name: "NEXT EDITION LIMITED" });
    expect(data).not.toHaveProperty("has_been_liquidated");
    expect(lastEventOf(await stored())?.timepoint).toBe(26);
    await run(anEvent("BEFORE THE DELETION LIMITED", 25, "2026-11-19"));
    expect(await fetchNameOnRecord(register.stores, number)).toBe("NEXT EDITION LIMITED");
    const later = event({ ...company("", number), data: {} }, 27, "2026-12-02", "deleted");
    expect(await run(later)).toMatchObject({ removed: 1 });
    await expectStoresAgree(register.stores);
  });

  it("yields to a file without a day that came after the snapshot", async () => {
    const other = "99000084";
    await run(snapshot("2026-11-01", "EDITION LIMITED", other));
    await run(snapshot(null, "NO DAY LIMITED", other));
    await run(event(company("OLD LIMITED", other), 30, "2026-10-01"));
    expect(await fetchNameOnRecord(register.stores, other)).toBe("NO DAY LIMITED");
    await run(event(company("NEWS LIMITED", other), 31, "2026-11-02"));
    expect(await fetchNameOnRecord(register.stores, other)).toBe("NEWS LIMITED");
  });
});

describe("two different events of one timepoint", () => {
  it.each([
    ["in one batch", "99000081", true],
    ["in two batches", "99000082", false],
  ])("keep the first one's statement, %s", async (_how, number, isOneBatch) => {
    const [first, second] = ["FIRST LIMITED", "SECOND LIMITED"].map((name) =>
      event(company(name, number), 0, "2026-11-02"),
    );
    if (!first || !second) throw new Error("no events");
    if (isOneBatch) await run({ ...first, rows: [...first.rows, ...second.rows] });
    else for (const event of [first, second]) await run(event);
    expect(await fetchNameOnRecord(register.stores, number)).toBe("FIRST LIMITED");
  });
});

describe("records removed without an event", () => {
  it("leave both stores, and come back if an earlier batch is written later", async () => {
    const number = "99000079";
    const late = snapshot("2026-11-01", "COME AND GONE LIMITED", number);
    await run(late);
    const find = () => register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(await removeRecords(register.stores, companyRecord, "retire-1", find)).toBe(1);
    await followNow(register.stores);
    expect(await fetchNameOnRecord(register.stores, number)).toBeUndefined();
    await expectStoresAgree(register.stores);
    await run(late);
    expect(await fetchNameOnRecord(register.stores, number)).toBe("COME AND GONE LIMITED");
    await expectStoresAgree(register.stores);
  });
});

// A lower revision than the batches that run in between.
const ofEarlierLoad = (rows: Rows): Rows => ({ ...rows, revision: 0 });

describe("a row of a load that began before an event came", () => {
  it("replaces an event published before the day of its file; a rerun replaces its own statement", async () => {
    const number = "99000091";
    await run(event(company("OLD LIMITED", number), 10, "2026-10-30"));
    const row = ofEarlierLoad(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    expect(await fetchNameOnRecord(register.stores, number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    const [stored] = await register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(stored?.told).toMatchObject([{ event: { timepoint: 10 } }, { at: "2026-11-01" }]);
    await expectStoresAgree(register.stores);
  });

  it("updates the search document if an earlier run stopped after it wrote MongoDB", async () => {
    const number = "99000092";
    await run(event(company("OLD LIMITED", number), 11, "2026-10-30"));
    const row = ofEarlierLoad(snapshot("2026-11-01", "EDITION LIMITED", number));
    const { stores } = register;
    const write = () => Promise.reject(new Error("interrupted"));
    const broken = { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
    await expect(run(row, broken)).rejects.toThrow("interrupted");
    expect(await fetchNameOnRecord(register.stores, number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1 });
    await expectStoresAgree(register.stores);
  });

  it.each([
    ["that was published on the day of its file", "2026-11-01"],
    ["that was published later", "2026-11-02"],
  ])("yields to an event %s", async (_name, day) => {
    const number = `990002${day.slice(-2)}`;
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 12, day));
    const row = ofEarlierLoad(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 0, unchanged: 1 });
    expect(await fetchNameOnRecord(register.stores, number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it("yields to an event if its file has no day, since its load began first", async () => {
    const number = "99000093";
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 13, "2026-10-30"));
    expect(await run(ofEarlierLoad(snapshot(null, "NO DAY LIMITED", number)))).toMatchObject({ written: 0 });
    expect(await fetchNameOnRecord(register.stores, number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it.each([
    ["yields to an edition of its own day that was loaded since", "2026-11-01", "OTHER EDITION LIMITED"],
    ["yields to an edition of a later day that was loaded since", "2026-11-05", "OTHER EDITION LIMITED"],
    ["replaces an edition of an earlier day", "2026-10-31", "EDITION LIMITED"],
  ])("%s", async (_name, day, expected) => {
    const number = `99001${day.slice(5, 7)}${day.slice(-1)}`;
    await run(event(company("OLD LIMITED", number), 14, "2026-10-30"));
    await run(snapshot(day, "OTHER EDITION LIMITED", number));
    await run(ofEarlierLoad(snapshot("2026-11-01", "EDITION LIMITED", number)));
    expect(await fetchNameOnRecord(register.stores, number)).toBe(expected);
    await expectStoresAgree(register.stores);
  });
});

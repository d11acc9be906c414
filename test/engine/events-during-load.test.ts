/** Events that come during a load that began before them: the days decide, not which began first. */
import { describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import {
  batchRunner,
  company,
  event,
  fetchNameOnRecord,
  snapshot,
  type Rows,
} from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

// A lower revision than the batches that run in between.
const late = (rows: Rows): Rows => ({ ...rows, revision: 0 });
const fetchName = (number: string) => fetchNameOnRecord(register.stores, number);

describe("a row of a load that began before an event came", () => {
  it("replaces an event published before the day of its file, once, and a rerun recognises its own row", async () => {
    const number = "99000091";
    await run(event(company("OLD LIMITED", number), 10, "2026-10-30"));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    expect(await fetchName(number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    const [stored] = await register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(stored?.told).toMatchObject([{ event: { timepoint: 10 } }, { at: "2026-11-01" }]);
    await expectStoresAgree(register.stores);
  });

  it("updates the search document if an earlier run stopped after it wrote MongoDB", async () => {
    const number = "99000092";
    await run(event(company("OLD LIMITED", number), 11, "2026-10-30"));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    const { stores } = register;
    const write = () => Promise.reject(new Error("interrupted"));
    const broken = { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
    await expect(run(row, broken)).rejects.toThrow("interrupted");
    expect(await fetchName(number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1 });
    await expectStoresAgree(register.stores);
  });

  it.each([
    ["that was published on the day of its file", "2026-11-01"],
    ["that was published later", "2026-11-02"],
  ])("yields to an event %s", async (_name, day) => {
    const number = `990000${day.slice(-2)}`;
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 12, day));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 0, unchanged: 1 });
    expect(await fetchName(number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it("yields to an event if its file has no day, since its load began first", async () => {
    const number = "99000093";
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 13, "2026-10-30"));
    expect(await run(late(snapshot(null, "NO DAY LIMITED", number)))).toMatchObject({ written: 0 });
    expect(await fetchName(number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it.each([
    ["yields to an edition of its own day that was loaded since", "2026-11-01", "OTHER EDITION LIMITED"],
    ["yields to an edition of a later day that was loaded since", "2026-11-05", "OTHER EDITION LIMITED"],
    ["replaces an edition of an earlier day", "2026-10-31", "EDITION LIMITED"],
  ])("%s", async (_name, day, expected) => {
    const number = `99001${day.slice(5, 7)}${day.slice(-1)}`;
    await run(event(company("OLD LIMITED", number), 14, "2026-10-30"));
    await run(snapshot(day, "OTHER EDITION LIMITED", number));
    await run(late(snapshot("2026-11-01", "EDITION LIMITED", number)));
    expect(await fetchName(number)).toBe(expected);
    await expectStoresAgree(register.stores);
  });
});

/** Events that come while a load is running which was begun before them: the days decide, not which was begun first. */
import { describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { batchRunner, company, event, fetchHeldName, snapshot, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
const run = batchRunner(() => register.stores);

// The batches that are run in between have higher ones.
const late = (rows: Rows): Rows => ({ ...rows, revision: 0 });
const named = (number: string) => fetchHeldName(register.stores, number);

describe("a row of a load that was begun before an event came", () => {
  it("takes over what was published before the day of its file, once, and a rerun knows it again", async () => {
    const number = "99000091";
    await run(event(company("OLD LIMITED", number), 10, "2026-10-30"));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    expect(await named(number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1, unchanged: 0 });
    const [stored] = await register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(stored?.told).toMatchObject([{ event: { timepoint: 10 } }, { at: "2026-11-01" }]);
    await expectStoresAgree(register.stores);
  });

  it("writes the search document when an earlier run was interrupted behind MongoDB", async () => {
    const number = "99000092";
    await run(event(company("OLD LIMITED", number), 11, "2026-10-30"));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    const { stores } = register;
    const write = () => Promise.reject(new Error("interrupted"));
    const broken = { ...stores, elasticsearch: { ...stores.elasticsearch, write } };
    await expect(run(row, broken)).rejects.toThrow("interrupted");
    expect(await named(number)).toBe("EDITION LIMITED");
    expect(await run(row)).toMatchObject({ written: 1 });
    await expectStoresAgree(register.stores);
  });

  it.each([
    ["that was published on the day of its file", "2026-11-01"],
    ["that was published later", "2026-11-02"],
  ])("yields to one %s", async (_name, day) => {
    const number = `990000${day.slice(-2)}`;
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 12, day));
    const row = late(snapshot("2026-11-01", "EDITION LIMITED", number));
    expect(await run(row)).toMatchObject({ written: 0, unchanged: 1 });
    expect(await named(number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it("yields to one if its file has no day: it was begun before", async () => {
    const number = "99000093";
    await run(event(company("TOLD BY THE STREAM LIMITED", number), 13, "2026-10-30"));
    expect(await run(late(snapshot(null, "NO DAY LIMITED", number)))).toMatchObject({ written: 0 });
    expect(await named(number)).toBe("TOLD BY THE STREAM LIMITED");
  });

  it.each([
    ["yields to an edition of its own day that was loaded since", "2026-11-01", "OTHER EDITION LIMITED"],
    ["yields to an edition of a later day that was loaded since", "2026-11-05", "OTHER EDITION LIMITED"],
    ["takes over an edition of a day before", "2026-10-31", "EDITION LIMITED"],
  ])("%s", async (_name, day, expected) => {
    const number = `99001${day.slice(5, 7)}${day.slice(-1)}`;
    await run(event(company("OLD LIMITED", number), 14, "2026-10-30"));
    await run(snapshot(day, "OTHER EDITION LIMITED", number));
    await run(late(snapshot("2026-11-01", "EDITION LIMITED", number)));
    expect(await named(number)).toBe(expected);
    await expectStoresAgree(register.stores);
  });
});

/** What is shown of unfinished and failed loads, and of loads that do not exist. */
import { describe, expect, it } from "@jest/globals";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import { loadLock, newLoadId, writeLoad, type LoadRecord } from "../../ingest/history/loads.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { COMPANIES, load } from "../support/load-command.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const newRegister = registersPerTest();

describe("a load that has not succeeded", () => {
  it.each([
    ["running", true, /^read {6}30 rows in \d\d s \([123] rows\/s\)$/],
    ["running", false, /^read {6}30 rows$/],
    ["failed", false, /^read {6}30 rows in 6\.0 s \(5 rows\/s\)$/],
  ] as const)("shows the counts of its batches so far: %s, alive %s", async (state, isAlive, read) => {
    const register = await newRegister({}, false);
    const { documents } = register.stores.mongo;
    const begun = Date.now() - 10_000;
    const record: LoadRecord = {
      ...{ _id: newLoadId(new Date(begun), 0.5), state, files: ["a.csv"], counts: noCounts() },
      started_at: new Date(begun).toISOString(),
      ...(state === "failed" && { finished_at: new Date(begun + 6_000).toISOString() }),
      plan: { encoding: "utf-8", limits: { rows: 10, bytes: 1000 }, revision: 1, isComplete: false },
    };
    await writeLoad(documents, record);
    const other = newLoadId(new Date(begun), 0.6);
    for (const [load, revision] of [
      [record._id, 1],
      [record._id, 3],
      [record._id, 11],
      [other, 5],
    ] as const) {
      const counts = { ...noCounts(), read: 10, written: 7, refused: 3, warnings: { odd: 1 } };
      const batch = { load, job: `${load}-${revision}`, ids: {}, revision };
      await BatchChange.make(register.stores, batch, () => Promise.resolve({ counts }));
    }
    const lock = isAlive ? await register.stores.redis.locks.acquire(loadLock(record._id)) : null;
    const [listed] = (await register.run(loadsCommands.list, [], {})).printed;
    const { printed } = await register.run(loadsCommands.show, [record._id], {});
    const [json = ""] = (await register.run(loadsCommands.show, [record._id], { json: "true" })).printed;
    await lock?.release();
    expect(listed).toMatch(/ 30 rows, 9 refused {2}a\.csv$/);
    expect(printed).toContainEqual(expect.stringMatching(read));
    expect(printed).toEqual(expect.arrayContaining(["written   21", "refused   9", "warning   3 × odd"]));
    expect(JSON.parse(json)).toMatchObject({ counts: { read: 30, written: 21, refused: 9 } });
  });
});

describe("an unknown load", () => {
  it("is reported as such", async () => {
    const register = await newRegister({}, false);
    expect((await load(register, [], { resume: "x" })).error?.message).toMatch(/there is no load x/);
    expect((await register.run(loadsCommands.show, ["x"], {})).error?.message).toMatch(/there is no load x/);
    expect((await load(register, [])).error?.message).toMatch(/name the files/);
    expect((await load(register, [COMPANIES], { resume: "x" })).error?.message).toMatch(/name none/);
    expect((await load(register, [], { resume: "x", dryRun: "true" })).error?.message).toMatch(
      /--dry-run looks at files, and --resume takes none/,
    );
  });
});

/** The change log: its positions, its followers, and which of its changes are closed. */
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { closeStores, openStores, type Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import {
  amendChange,
  closeUnfinishedChanges,
  enterChange,
  fetchLastPosition,
  fetchRuns,
  trimChanges,
  type Change,
} from "../../ingest/log/changes.ts";
import { fetchFollowers } from "../../ingest/log/followers.ts";
import { openLinks, openLive, waitForLive } from "../../ingest/log/log-follower.ts";
import { fetchLinksFollower, fetchLive, toPosition } from "../../api/shared/stores/collections/positions.ts";
import { followNow } from "../support/follow.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { listNotFollowed } from "../support/register-state.ts";
import { aCompany, anOfficer } from "../support/search-records.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));
let stores: Stores;
let documents: Stores["mongo"]["documents"];
beforeAll(() => {
  ({ stores } = register);
  ({ documents } = stores.mongo);
});

let cases = 0;
/** The company of this test, which no other test uses. */
let companyId = "";
beforeEach(async () => {
  cases += 1;
  companyId = String(cases).padStart(8, "0");
  await followNow(stores);
});

const NOW = { gapMs: 0, writingMs: 0 };
const PATIENTLY = { gapMs: 60_000, writingMs: 60_000 };

const enter = (by: Stores = stores) =>
  enterChange(by, {
    load: "a-load",
    job: `job-${companyId}`,
    ids: { [companyRecord.collection]: [companyId] },
  });
/** The batch of this test's company, whose change a follower closes while it still writes. */
const slowBatch = () => ({
  ...{ load: "a-load", job: "slow", revision: 1 },
  ids: { [companyRecord.collection]: [companyId] },
});
const end = (change: Change) => amendChange(documents, change, { state: "written" });
const follow = (patience = PATIENTLY) => openLive(stores, patience).run();
const numberOf = ({ _id }: Pick<Change, "_id">) => Number(_id);
const position = async () => Number((await fetchLive(documents)).position);
const storeCompany = () =>
  stores.mongo.writer.insertMissing(companyRecord, [
    aCompany({ company_number: companyId, company_name: `COMPANY ${companyId} LIMITED` }),
  ]);

async function isFound(id = companyId): Promise<boolean> {
  return (await stores.elasticsearch.fetchDocuments("companies", [id])).length > 0;
}

/** Consecutive numbers that begin after `first`. */
const numbersAfter = (first: number, count: number) =>
  Array.from({ length: count }, (_none, at) => first + 1 + at);

describe("positions", () => {
  it("have no gaps, even if several processes enter changes at once", async () => {
    const before = await position();
    const other = openStores(register.config);
    const entered = await Promise.all(Array.from({ length: 40 }, (_, at) => enter(at % 2 ? stores : other)));
    await closeStores(other);
    expect(entered.map(numberOf).sort((a, b) => a - b)).toEqual(numbersAfter(before, 40));
  });

  it("continue after Redis has lost its data or went back to an earlier state", async () => {
    const { connection } = stores.redis;
    const key = `${register.config.QUEUE_PREFIX}:position`;
    const before = await position();
    await enter();
    await connection.del(key);
    const lost = await Promise.all([enter(), enter(), enter()]);
    expect(lost.map(numberOf).sort((a, b) => a - b)).toEqual(numbersAfter(before + 1, 3));
    await connection.set(key, before);
    expect(numberOf(await enter())).toBe(before + 5);
    expect(await fetchLastPosition(documents)).toBe(toPosition(before + 5));
    // Also when the log is empty.
    await followNow(stores);
    await trimChanges(documents, await fetchFollowers(documents), []);
    await connection.del(key);
    expect(numberOf(await enter())).toBe(before + 6);
  });
});

describe("a follower", () => {
  it("does not pass a change that is being written", async () => {
    const before = await position();
    const [first, open, last] = [await enter(), await enter(), await enter()];
    await end(first);
    await end(last);
    expect(await follow()).toBe(first._id);
    await end(open);
    expect(await follow()).toBe(last._id);
    expect(await position()).toBe(before + 3);
  });

  it("does not pass an interrupted change while its batch runs again, unless that takes too long", async () => {
    const before = await position();
    const interrupted = await enter();
    await closeUnfinishedChanges(documents, { job: interrupted.job });
    const again = await enter();
    expect(Number(await follow())).toBe(before);
    await end(again);
    expect(await follow()).toBe(again._id);
    const other = await enter();
    await closeUnfinishedChanges(documents, { job: other.job });
    const dead = await enter();
    await follow(NOW);
    expect(await follow()).toBe(dead._id);
  });

  it("leaves the change of one batch open when the changes of another are closed", async () => {
    const [ended, running] = await Promise.all(
      ["ended", "running"].map((job) => enterChange(stores, { load: job, job, ids: {} })),
    );
    await closeUnfinishedChanges(documents, { job: "ended" });
    await closeUnfinishedChanges(documents, { load: "another" });
    expect(await fetchRuns(documents, "running")).toMatchObject([{ _id: running?._id, state: "writing" }]);
    expect(await fetchRuns(documents, "ended")).toMatchObject([{ _id: ended?._id, state: "closed" }]);
    await end(running!);
  });

  it("waits at an empty position, where a batch may be about to enter", async () => {
    const before = await position();
    await stores.redis.nextPosition();
    await end(await enter());
    expect(Number(await follow())).toBe(before);
    await follow(NOW);
    expect(Number(await follow())).toBe(before + 2);
  });

  it("closes all empty positions in one pass, however many arose while MongoDB was unavailable", async () => {
    const before = await position();
    const away = () => Promise.reject(new UnavailableError("mongodb", "away"));
    const mongo = { ...stores.mongo, documents: { ...documents, putMissing: away } };
    for (let at = 0; at < 100; at += 1) await expect(enter({ ...stores, mongo })).rejects.toThrow("away");
    await end(await enter());
    await follow(NOW);
    expect(Number(await follow())).toBe(before + 101);
  });

  it("closes a change that is being written for too long, and follows what was written of it", async () => {
    const open = await enter();
    await storeCompany();
    expect(await follow(NOW)).not.toBe(open._id);
    expect(await follow()).toBe(open._id);
    expect(await isFound()).toBe(true);
    expect(await end(open)).toBe(false);
  });

  it("also follows what a batch writes after its change was closed", async () => {
    const stored = aCompany({ company_number: companyId, company_name: "LATE LIMITED" });
    const officers = anOfficer({ officer_id: `late-${companyId}`.padEnd(27, "-"), surname: "LATE" });
    const ids = {
      [companyRecord.collection]: [companyId],
      [appointmentRecord.collection]: officers.map(({ _id }) => _id),
    };
    await BatchChange.make(stores, { ...slowBatch(), ids }, async (change) => {
      await followNow(stores);
      await stores.mongo.writer.insertMissing(companyRecord, [stored]);
      await stores.mongo.writer.insertMissing(appointmentRecord, officers);
      await change.index(companyRecord, [{ stored, effect: "created" }]);
      await change.index(
        appointmentRecord,
        officers.map((one) => ({ stored: one, effect: "created" })),
      );
      return undefined;
    });
    await follow();
    expect(await isFound()).toBe(true);
    const found = await stores.elasticsearch.fetchDocuments(
      "officers",
      officers.map(({ officer_id }) => officer_id),
    );
    expect(found).toHaveLength(1);
  });

  it("follows what a batch wrote after its change was closed, once the dead batch is run again", async () => {
    const dying = BatchChange.make(stores, slowBatch(), async () => {
      await followNow(stores);
      await storeCompany();
      throw new Error("killed");
    });
    await expect(dying).rejects.toThrow("killed");
    const stored = await stores.mongo.records.fetchStored(companyRecord, [companyId]);
    await BatchChange.make(stores, slowBatch(), async (change) => {
      await change.index(
        companyRecord,
        stored.map((one) => ({ stored: one, effect: "known" })),
      );
      return undefined;
    });
    expect(await isFound()).toBe(true);
  });

  it("follows what a batch replaced after its change was closed, even if the batch then died", async () => {
    const officer = `officer-${companyId}`.padEnd(27, "-");
    const stored = anOfficer({ officer_id: officer, surname: "LEFT" });
    await stores.mongo.writer.insertMissing(appointmentRecord, stored);
    const moved = stored.map((before) => ({
      before,
      now: { ...before, officer_id: "another", revision: 2 },
    }));
    const ids = { [appointmentRecord.collection]: stored.map(({ _id }) => _id) };
    const count = async () => (await stores.elasticsearch.fetchDocuments("officers", [officer])).length;
    await BatchChange.make(stores, { ...slowBatch(), job: "first", ids }, (change) =>
      change.noteReplaced(appointmentRecord, moved).then(() => undefined),
    );
    await followNow(stores);
    expect(await count()).toBe(1);
    const dying = BatchChange.make(stores, { ...slowBatch(), ids }, async (change) => {
      await followNow(stores);
      await change.noteReplaced(appointmentRecord, moved);
      const replacements = moved.map(({ before, now }) => ({ now, before }));
      await stores.mongo.writer.replaceUnchanged(appointmentRecord, replacements);
      throw new Error("killed");
    });
    await expect(dying).rejects.toThrow("killed");
    await followNow(stores);
    expect(await count()).toBe(0);
  });

  it("follows what a batch created after its change was closed, even if the batch then died", async () => {
    const dying = BatchChange.make(stores, slowBatch(), async (change) => {
      await followNow(stores);
      await change.noteReplaced(companyRecord, []);
      await storeCompany();
      throw new Error("killed");
    });
    await expect(dying).rejects.toThrow("killed");
    await followNow(stores);
    expect(await isFound()).toBe(true);
  });

  it("is not disturbed by another follower", async () => {
    await storeCompany();
    for (let at = 0; at < 20; at += 1) await end(await enter());
    await Promise.all([follow(), follow(), follow()]);
    expect(await listNotFollowed(stores)).toEqual([]);
    expect(await isFound()).toBe(true);
  });
});

describe("the follower for links of profiles", () => {
  const links = async () => Number((await fetchLinksFollower(documents)).position);
  const followLinks = () => openLinks(stores, PATIENTLY).run();
  const countWaits = async () => {
    let waits = 0;
    await waitForLive(stores, () => (waits += 1) > 2);
    return waits;
  };

  it("has a position of its own, and a load waits for it as for the search", async () => {
    const before = await links();
    await end(await enter());
    await follow();
    expect([await position(), await links()]).toEqual([before + 1, before]);
    expect(await countWaits()).toBe(3);
    await followLinks();
    expect([await links(), await countWaits()]).toEqual([before + 1, 0]);
  });

  it("ends a pass when told to stop, after the changes that it has found", async () => {
    const before = await links();
    await end(await enter());
    const asked: number[] = [];
    const isEnough = (at: string) => asked.push(Number(at)) > 0;
    expect(Number(await openLinks(stores).run(isEnough))).toBe(before + 1);
    expect(asked).toEqual([before + 1]);
  });
});

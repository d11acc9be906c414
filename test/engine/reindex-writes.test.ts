/** Writers beside a build, at each moment between their two writes and the move; and builds that die. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../../api/shared/runtime/logger.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import { amendChange, enterChange, fetchLastPosition } from "../../ingest/log/changes.ts";
import { trim } from "../../ingest/commands/load-process.ts";
import { LiveFollower } from "../../ingest/log/log-follower.ts";
import { StoppedError } from "../../ingest/verify/observer.ts";
import { followNow } from "../support/follow.ts";
import { ID, listBegun, reindexOne, SILENT, SmallRegister } from "../support/reindex.ts";
import { removeRecords } from "../support/statements.ts";
import { waitUntil } from "../support/wait-until.ts";

// Enough to show that writing never makes the build wait for ever.
const MOST_WRITTEN = 20;
// As many changes as one pass follows.
const A_PAGE = 64;

const register = SmallRegister.forAllTests();

const write = (name: string, id = ID) => register.writeCompany(companiesIndex, id, name);

/** Expects another live index than `former`, with the company under this name. */
async function expectInNew(name: string, former: string | undefined): Promise<void> {
  expect(await register.liveName()).not.toBe(former);
  expect(await register.nameIn("companies")).toBe(name);
  expect(await register.countDifferences(companiesIndex)).toBe(0);
  expect(await listBegun(register.stores)).toEqual([]);
}

async function loseLocks(): Promise<void> {
  await register.stores.redis.connection.del(`${register.config.QUEUE_PREFIX}:locks`);
}

/** Waits until the workers have followed all changes; keeps deleting the reindex's lock, which would be renewed. */
async function followWithoutLocks(): Promise<void> {
  const { documents } = register.stores.mongo;
  const last = await fetchLastPosition(documents);
  const isFollowed = async () => {
    await loseLocks();
    return (await fetchLive(documents)).position >= last;
  };
  await waitUntil(isFollowed, "the workers have followed the change");
}

/** Enters a change of a company that did not alter it. */
async function enterAsWritten(job: string): Promise<void> {
  const { stores } = register;
  const ids = { [companyRecord.collection]: [ID] };
  const change = await enterChange(stores, { load: "a-load", job, ids });
  await amendChange(stores.mongo.documents, change, { state: "written" });
}

/** Stores of a reindex: `happens` runs each time its build, once filled, writes changes that it follows. */
function onFollowing(stores: Stores, happens: () => Promise<void>): Stores {
  const { elasticsearch } = stores;
  let isFilled = false;
  const finish: typeof elasticsearch.builds.finish = (...given) => {
    isFilled = true;
    return elasticsearch.builds.finish(...given);
  };
  const writeThen: typeof elasticsearch.write = async (name, ...given) => {
    if (name === "companies-next" && isFilled) await happens();
    return elasticsearch.write(name, ...given);
  };
  return {
    ...stores,
    elasticsearch: { ...elasticsearch, write: writeThen, builds: { ...elasticsearch.builds, finish } },
  };
}

describe("a writer beside a build", () => {
  it("has its change in the new index if it began before the build and ends after the scan", async () => {
    const former = await register.liveName();
    let end: () => void = () => undefined;
    const isScanned = new Promise<void>((resolve) => (end = resolve));
    const late = register.beforeWrite("companies", () => isScanned);
    const writing = register.writeCompany(companiesIndex, ID, "BEGUN BEFORE LIMITED", late);
    await register.waitForChange();
    await register.reindex(
      companiesIndex,
      register.before("finish", () => Promise.resolve(end())),
    );
    await writing;
    await expectInNew("BEGUN BEFORE LIMITED", former);
  });

  it("has its changes and removals in the new index, whatever the scan read before", async () => {
    const former = await register.liveName();
    const disturbed = register.before("finish", async () => {
      await write("CHANGED MEANWHILE LIMITED");
      const find = () =>
        register.stores.mongo.records.fetchByIds(companyRecord, ["00000003"]) as Promise<StoredRecord[]>;
      await removeRecords(register.stores, companyRecord, "removal", find);
    });
    await register.reindex(companiesIndex, disturbed);
    await expectInNew("CHANGED MEANWHILE LIMITED", former);
    expect(await register.nameIn("companies", "00000003")).toBeUndefined();
  });

  it("loses neither write if the alias moves between them", async () => {
    const former = await register.liveName();
    let writing: Promise<void> = Promise.resolve();
    const isMoved = async () => (await register.liveName()) !== former;
    const late = register.beforeWrite("companies", () => waitUntil(isMoved, "the alias has moved"));
    const disturbed = register.before("move", () => {
      writing = register.writeCompany(companiesIndex, ID, "AT THE MOVE LIMITED", late);
      return register.waitForChange();
    });
    await register.reindex(companiesIndex, disturbed);
    await writing;
    await expectInNew("AT THE MOVE LIMITED", former);
  });

  it("that writes as fast as the build follows does not keep the build from going live", async () => {
    const former = await register.liveName();
    const disturbed = register.before("finish", () => write("WRITTEN MEANWHILE LIMITED"));
    let written = 0;
    const stores = onFollowing(disturbed, async () => {
      if (written < MOST_WRITTEN) await write(`WRITTEN ${(written += 1)} LIMITED`);
    });
    await register.reindex(companiesIndex, stores);
    expect(written).toBeLessThan(MOST_WRITTEN);
    await expectInNew(`WRITTEN ${written} LIMITED`, former);
  });

  it("that has written much does not delay a person who stops the build", async () => {
    const former = await register.liveName();
    const disturbed = register.before("finish", async () => {
      await Promise.all(Array.from({ length: A_PAGE }, (_, at) => enterAsWritten(String(at))));
      await write("WRITTEN AT LAST LIMITED");
    });
    let passes = 0;
    const stores = onFollowing(disturbed, () => Promise.resolve(void (passes += 1)));
    const observer = { ...SILENT, isStopping: () => passes > 0 };
    const run = register.withRun(companiesIndex, (one) => reindexOne(one), { stores, observer });
    await expect(run).rejects.toThrow(/^stopped; the live index is untouched/);
    expect(passes).toBe(1);
    await register.reindex(companiesIndex, register.stores, true);
    await expectInNew("WRITTEN AT LAST LIMITED", former);
  });

  it.each([
    // Longer than a follower's pause.
    ["", () => sleep(1_500)],
    [", even if Redis lost the lock that makes them wait", followWithoutLocks],
  ])(
    "has its change in the new index if the workers follow it just before the move%s",
    async (_where, wait) => {
      const former = await register.liveName();
      const follower = new LiveFollower(register.stores, createLogger("silent", "worker"));
      const disturbed = register.before("move", async () => {
        await write("FOLLOWED BEFORE LIMITED");
        await wait();
      });
      await register.reindex(companiesIndex, disturbed);
      await follower.stop();
      await expectInNew("FOLLOWED BEFORE LIMITED", former);
    },
  );
});

describe("an interrupted build", () => {
  it.each([
    ["after its scan", "finish"],
    ["just before the move", "move"],
  ] as const)(
    "that died %s is continued, with what was written and followed meanwhile",
    async (_when, operation) => {
      const former = await register.liveName();
      const dying = register.before(operation, () => Promise.reject(new Error("killed")));
      await expect(register.reindex(companiesIndex, dying)).rejects.toThrow("killed");
      await write("WRITTEN MEANWHILE LIMITED");
      await followNow(register.stores);
      expect(await register.liveName()).toBe(former);
      await register.reindex(companiesIndex, register.stores, true);
      await expectInNew("WRITTEN MEANWHILE LIMITED", former);
    },
  );

  it("is live if it died just after the move, with what was written meanwhile", async () => {
    const former = await register.liveName();
    await expect(
      register.reindex(
        companiesIndex,
        register.dyingAfterMove(() => write("AT THE MOVE LIMITED")),
      ),
    ).rejects.toThrow("killed");
    const moved = await register.liveName();
    await write("AFTER THE MOVE LIMITED", "00000002");
    await followNow(register.stores);
    expect(await register.nameIn("companies", "00000002")).toBe("AFTER THE MOVE LIMITED");
    expect(await register.nameIn("companies")).toBe("AT THE MOVE LIMITED");
    expect(moved).not.toBe(former);
    await register.reindex(companiesIndex);
    await expectInNew("AT THE MOVE LIMITED", moved);
  });

  it.each([
    ["MongoDB is unavailable", new UnavailableError("mongodb", "away")],
    ["a person stops it", new StoppedError("stopped")],
  ])("has succeeded if it ended just after the move: %s", async (_what, fault) => {
    const former = await register.liveName();
    const stores = register.dyingAfterMove(() => write("AT THE MOVE LIMITED"), fault);
    const notes: string[] = [];
    const observer = { ...SILENT, onNote: (note: string) => void notes.push(note) };
    const { built } = await register.withRun(companiesIndex, (run) => reindexOne(run), {
      stores,
      observer,
    });
    expect(await register.liveName()).toBe(built);
    expect(built).not.toBe(former);
    expect(notes.at(-1)).toBe(
      `companies: ${built} is live; the workers bring it up to date; if Redis lost its locks just before, ` +
        "run `npm run cli -- verify --index companies --repair`",
    );
    await followNow(register.stores);
    expect(await register.nameIn("companies")).toBe("AT THE MOVE LIMITED");
  });

  it("that died just after the move is kept during a reindex, and removed at the end of a later load", async () => {
    const { stores } = register;
    const dying = register.dyingAfterMove(() => Promise.resolve());
    await expect(register.reindex(companiesIndex, dying)).rejects.toThrow("killed");
    await register.withRun(companiesIndex, () => trim(stores, register.config.STREAM_DAYS));
    expect(await listBegun(stores)).toHaveLength(1);
    await trim(stores, register.config.STREAM_DAYS);
    expect(await listBegun(stores)).toEqual([]);
  });

  it("fails with the reason if its index is deleted, and disturbs no writer", async () => {
    const former = await register.liveName();
    const deleting = register.beforeWrite("companies-next", async () => {
      const [begun] = await listBegun(register.stores);
      await register.stores.elasticsearch.builds.remove(begun?._id ?? "");
    });
    await expect(register.reindex(companiesIndex, deleting)).rejects.toThrow(
      /was deleted while it was being built; the live index is untouched/,
    );
    await write("WRITTEN ON LIMITED");
    expect(await register.liveName()).toBe(former);
    expect(await register.nameIn("companies")).toBe("WRITTEN ON LIMITED");
  });
});

/** Releases that differ: a changed mapping, and builds that some write does not reach. */
import { describe, expect, it } from "@jest/globals";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { noteState, REINDEX_LOCK } from "../../ingest/announcements.ts";
import { goBack } from "../../ingest/reindex/back.ts";
import { runReindex } from "../../ingest/reindex/run-reindex.ts";
import { ID, NEXT, SmallRegister } from "../support/reindex.ts";

const register = SmallRegister.forEachTest();

describe("a changed mapping", () => {
  it("is taken into use while the new release writes; the live index gets what it knows", async () => {
    const disturbed = register.before("finish", () =>
      register.writeCompany(NEXT, ID, "BY THE NEW RELEASE LIMITED"),
    );
    await register.withRun(NEXT, async (run) => {
      const outcome = await runReindex({ ...run, stores: disturbed }, false);
      expect(outcome.built).toContain(`-v${NEXT.version}-`);
    });
    expect(await register.liveVersion()).toBe(NEXT.version);
    const [held] = await register.stores.elasticsearch.fetchDocuments("companies", [ID]);
    expect(held?.source).toMatchObject({
      added: "yes",
      shown: { company_name: "BY THE NEW RELEASE LIMITED" },
    });
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("is waited for: before the reindex the live index has neither fault nor difference", async () => {
    await register.writeCompany(NEXT, ID, "BEFORE LIMITED");
    const [held] = await register.stores.elasticsearch.fetchDocuments("companies", [ID]);
    expect(held?.source).not.toHaveProperty("added");
    expect(await register.nameIn("companies")).toBe("BEFORE LIMITED");
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("is not undone by a cut document that the move overtakes", async () => {
    let reindexing: Promise<unknown> = Promise.resolve();
    const late = register.beforeLiveWrite(
      () => (reindexing = register.withRun(NEXT, (run) => runReindex(run, false))),
    );
    await register.writeCompany(NEXT, ID, "OVERTAKEN LIMITED", late);
    await reindexing;
    const [held] = await register.stores.elasticsearch.fetchDocuments("companies", [ID]);
    expect(held?.source).toMatchObject({ added: "yes", shown: { company_name: "OVERTAKEN LIMITED" } });
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("is left again by --back, with what was written since", async () => {
    await register.withRun(NEXT, (run) => runReindex(run, false));
    await register.writeCompany(NEXT, ID, "WRITTEN SINCE LIMITED");
    const { repaired } = await register.withRun(NEXT, goBack);
    expect(repaired).toBe(1);
    expect(await register.liveVersion()).toBe(companiesIndex.version);
    expect(await register.nameIn("companies")).toBe("WRITTEN SINCE LIMITED");
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("makes workers of the older release wait once it is live", async () => {
    await register.withRun(NEXT, (run) => runReindex(run, false));
    await expect(register.writeCompany(companiesIndex, ID, "OLD RELEASE LIMITED")).rejects.toThrow(
      /was built by a newer release, this one has version \d+: start that release/,
    );
  });
});

describe("a build that a write does not reach", () => {
  it("is spoiled by a worker of another version, whose write reaches the live index", async () => {
    const disturbed = register.before("finish", () =>
      register.writeCompany(companiesIndex, ID, "OLD WORKER LIMITED"),
    );
    const reindexing = register.withRun(NEXT, (run) => runReindex({ ...run, stores: disturbed }, false));
    await expect(reindexing).rejects.toThrow(
      `a worker with version ${companiesIndex.version} of companies writes; restart all workers with this release`,
    );
    expect(await register.nameIn("companies")).toBe("OLD WORKER LIMITED");
    expect(await register.liveVersion()).toBe(companiesIndex.version);
    const resumed = register.withRun(NEXT, (run) => runReindex(run, true));
    await expect(resumed).rejects.toThrow(/cannot be gone on with, a worker with version/);
    await register.withRun(NEXT, (run) => runReindex(run, false));
    expect(await register.liveVersion()).toBe(NEXT.version);
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("is spoiled by a document that only the new index refuses; the batch is none the worse", async () => {
    const strict = { ...companiesIndex, mappings: { ...companiesIndex.mappings, properties: {} } };
    await register.beginBuild(strict);
    await register.writeCompany(companiesIndex, ID, "REFUSED THERE LIMITED");
    expect(await register.nameIn("companies")).toBe("REFUSED THERE LIMITED");
    expect(await register.spoiledBy()).toMatch(/^it refused document 00000001: /);
  });

  it("is not left by the scan either when its mapping does not fit", async () => {
    const strict = { ...NEXT, mappings: companiesIndex.mappings };
    const reindexing = register.withRun(strict, (run) => runReindex(run, false));
    await expect(reindexing).rejects.toThrow(
      /cannot be built: it refused document \d+: .*; the live index is untouched/,
    );
    expect(await register.liveVersion()).toBe(companiesIndex.version);
  });

  it("has the batch tried again when it is just being taken into use", async () => {
    const built = await register.beginBuild(NEXT);
    await noteState(register.stores.mongo.documents, built, "moving");
    const lock = await register.stores.redis.locks.acquire(REINDEX_LOCK);
    await expect(register.writeCompany(companiesIndex, ID, "TOO LATE LIMITED")).rejects.toThrow(
      /is being taken into use/,
    );
    expect(await register.nameIn("companies")).toBe("COMPANY 1 LIMITED");
    expect(await register.spoiledBy()).toMatch(/^a worker with version/);
    // Of a mover that has died nobody waits.
    await lock?.release();
    await register.writeCompany(companiesIndex, ID, "IN TIME LIMITED");
    expect(await register.nameIn("companies")).toBe("IN TIME LIMITED");
  });

  it("is seen as spoiled at the last moment before the move", async () => {
    // The last thing before the build is said to move.
    const isHeld = async () => {
      await register.writeCompany(companiesIndex, ID, "AT THE LAST MOMENT LIMITED");
      return true;
    };
    const reindexing = register.withRun(NEXT, (run) =>
      runReindex({ ...run, lock: { ...run.lock, isHeld } }, false),
    );
    await expect(reindexing).rejects.toThrow(/a worker with version/);
    expect(await register.liveVersion()).toBe(companiesIndex.version);
    expect(await register.nameIn("companies")).toBe("AT THE LAST MOMENT LIMITED");
  });

  it("is not gone on with by a release that has another version of it", async () => {
    await register.beginBuild(companiesIndex);
    await expect(register.withRun(NEXT, (run) => runReindex(run, true))).rejects.toThrow(
      /was begun by a release with another version of it: run `npm run cli -- reindex companies` without --resume/,
    );
  });
});

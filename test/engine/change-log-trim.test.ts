/** Which changes the log keeps when it is trimmed, and which it drops. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { LOADS } from "../../api/shared/stores/collections/loaded-sources.ts";
import { BEGINNING } from "../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { findIndex } from "../../index-mappings/index.ts";
import { trim } from "../../ingest/commands/load-process.ts";
import { listNeeded } from "../../ingest/load/mends.ts";
import {
  amendChange,
  enterChange,
  fetchLastPosition,
  markRefused,
  trimChanges,
} from "../../ingest/log/changes.ts";
import { addBuild, fetchFollowers, removeBuild } from "../../ingest/log/followers.ts";
import { openLinks, openLive, waitForLive } from "../../ingest/log/log-follower.ts";
import { followNow } from "../support/follow.ts";
import { countCompanies, load, writeEdition } from "../support/load-command.ts";
import { keepLoad } from "../support/loads.ts";
import { loadOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { listAfter } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const PATIENTLY = { gapMs: 60_000, writingMs: 60_000 };

const folder = makeOwnFolder();
const newRegister = registersPerTest();

/** Enters a change of this load, as a batch that has written it. */
async function enterWritten(stores: Stores, load: string): Promise<void> {
  const change = await enterChange(stores, { load, job: load, ids: {} });
  await amendChange(stores.mongo.documents, change, { state: "written" });
}

const trimLog = async (of: DocumentStore, needed?: string[]) =>
  trimChanges(of, await fetchFollowers(of), needed ?? (await listNeeded(of)));

it("trimming keeps changes not yet followed, changes of loads that may be resumed, and refused changes", async () => {
  const { stores } = await newRegister({}, false);
  const { documents } = stores.mongo;
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  await keepLoad(documents, { _id: "succeeded", started_at: days(0) });
  await keepLoad(documents, { _id: "failed", state: "failed", started_at: days(20) });
  await keepLoad(documents, { _id: "given-up", state: "failed", started_at: days(40) });
  await keepLoad(documents, { _id: "running", state: "running", started_at: days(0) });
  const loads = ["succeeded", "failed", "given-up", "running"];
  const enterAll = async () => {
    for (const load of loads) await enterWritten(stores, load);
  };
  const stored = async () => (await listAfter(stores, BEGINNING)).map(({ load }) => load);
  const refused = await enterChange(stores, {
    load: "a-load",
    job: "refused",
    ids: { companies: ["00000001"] },
  });
  await markRefused(documents, refused, "odd");
  await enterAll();
  await followNow(stores);
  const build = await addBuild(documents, findIndex("companies"), {
    _id: "companies-v9-29990101t0000",
    position: await fetchLastPosition(documents),
  });
  await enterAll();
  await followNow(stores);
  await enterAll();

  await trimLog(documents);
  expect(await stored()).toEqual(["a-load", "failed", "running", ...loads, ...loads]);
  await removeBuild(documents, build._id);
  await trimLog(documents);
  expect(await stored()).toEqual(["a-load", "failed", "running", "failed", "running", ...loads]);
});

it("the changes of a failed load are not needed once a later edition was loaded, whatever became of that edition", async () => {
  const of = (await newRegister({}, false)).stores.mongo.documents;
  const snapshot = { source: "officers-snapshot", scope: "sc", production_date: "2026-11-01" };
  const keep = (_id: string, file: object = {}, more: object = {}) =>
    keepLoad(of, {
      ...{ _id, state: "failed", started_at: new Date().toISOString() },
      ...{ surveyed: [{ ...snapshot, ...file }], ...more },
    });
  await keep("0-outdated-in-part", {}, { surveyed: [snapshot, { ...snapshot, source: "psc-snapshot" }] });
  await keep("1-outdated");
  await keep("2-mending-it", {}, { state: "succeeded", plan: { mends: { load: "1-outdated", place: 1 } } });
  await keep("3-running", {}, { state: "running" });
  await keep("4-of-another-scope", { scope: "ni" });
  await keep("5-update", { source: "officers-update" });
  await keep("6-later-update", { source: "officers-update", production_date: "2026-12-01" });
  await keep("7-later", { production_date: "2026-12-01" });
  await keep("8-older", { production_date: "2026-10-01" });
  await keep("9-undone", { production_date: "2026-12-02" }, { state: "undone" });
  const needed = (await listNeeded(of)).map((id) => id.slice(0, 1));
  expect(needed.sort()).toEqual(["2", "3", "4", "5", "6", "7", "8"]);
});

it("trimming keeps all changes that the follower for links has yet to follow, even before it has begun", async () => {
  const own = await newRegister({}, false);
  const of = own.stores.mongo.documents;
  await enterWritten(own.stores, "");
  await openLive(own.stores, PATIENTLY).run();
  await trimLog(of, []);
  expect(await listAfter(own.stores, BEGINNING)).toHaveLength(1);
  await openLinks(own.stores, PATIENTLY).run();
  await trimLog(of, []);
  expect(await listAfter(own.stores, BEGINNING)).toEqual([]);
});

it("trimming keeps the changes of a load that begins during the trim, however fast they are followed", async () => {
  const own = await newRegister({}, false);
  const of = own.stores.mongo.documents;
  let hasBegun = false;
  const fetchAll: typeof of.fetchAll = async (...asked) => {
    const found = await of.fetchAll(...asked);
    if (asked[0] !== LOADS || hasBegun) return found;
    hasBegun = true;
    await keepLoad(of, { _id: "begun", state: "running", started_at: new Date().toISOString() });
    await enterWritten(own.stores, "begun");
    await followNow(own.stores);
    return found;
  };
  await trim({ ...own.stores, mongo: { ...own.stores.mongo, documents: { ...of, fetchAll } } }, 7);
  expect(await listAfter(own.stores, BEGINNING)).toMatchObject([{ load: "begun" }]);
});

it("trimming drops a load's changes even if a reindex died after it moved the alias, before it ended its build", async () => {
  const own = await newRegister();
  const [live] = await own.stores.elasticsearch.fetchLiveIndices(["companies"]);
  const build = { _id: live?.name ?? "", position: BEGINNING };
  await addBuild(own.stores.mongo.documents, findIndex("companies"), build);
  expect(await own.load("companies/dissolved-extract.csv")).toMatchObject({ exitCode: 0 });
  expect(await listAfter(own.stores, BEGINNING)).toEqual([]);
});

it("trimming drops the changes of a failed load of an older edition; resumed with --force, it enters its rows again", async () => {
  const own = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
  const begin = async (day: string, isKept: (index: number) => boolean) => {
    const path = writeEdition(folder, `BasicCompanyData-${day}.csv`, (_row, index) => isKept(index));
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/"\d{8}"/, '"9.9E+07"'));
    const run = await load(own, [path], { complete: "true" });
    expect(run.error?.message).toMatch(/1 row was refused; the others were loaded. Nothing was removed/);
    await waitForLive(own.stores, () => false);
    return loadOf(run);
  };
  const former = await begin("2026-11-01", (index) => index < 5);
  const later = await begin("2026-12-01", (index) => index > 0 && index < 10);
  const left = async () => (await listAfter(own.stores, BEGINNING)).map((change) => change.load);
  expect(await left()).toEqual([later]);
  await load(own, [], { resume: former, force: "true" });
  expect(await countCompanies(own)).toBe(9);
  expect(await left()).toContain(later);
});

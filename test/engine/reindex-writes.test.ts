/** Writers of the same release beside a build: at each moment between the two stores and the move. */
import { describe, expect, it } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import { fetchAnnouncement } from "../../ingest/announcements.ts";
import { runReindex } from "../../ingest/reindex/run-reindex.ts";
import { writeIndexDocuments } from "../../ingest/writers/search-index.ts";
import { ID, SmallRegister } from "../support/reindex.ts";
import { removeRecords } from "../support/told.ts";

const register = SmallRegister.forEachTest();

describe("a writer beside a build", () => {
  it("writes both indices", async () => {
    await register.beginBuild(companiesIndex);
    await register.writeCompany(companiesIndex, ID, "WRITTEN BOTH LIMITED");
    expect([await register.nameIn("companies-next"), await register.nameIn("companies")]).toEqual([
      "WRITTEN BOTH LIMITED",
      "WRITTEN BOTH LIMITED",
    ]);
  });

  it("that has written MongoDB before the announcement and looks after the scan has it read by the scan", async () => {
    const stored = await register.storeCompany(ID, "EARLY LIMITED");
    await register.withRun(companiesIndex, (run) => runReindex(run, false));
    expect(await register.nameIn("companies")).toBe("EARLY LIMITED");
    await writeIndexDocuments(register.stores, companiesIndex, { records: [stored], formerGroups: [] });
    expect(await register.countDifferences(companiesIndex)).toBe(0);
  });

  it("has its changes and removals in the new index, whatever the scan had read before", async () => {
    const disturbed = register.before("finish", async () => {
      await register.writeCompany(companiesIndex, ID, "CHANGED MEANWHILE LIMITED");
      const find = () =>
        register.stores.mongo.records.fetchByIds(companyRecord, ["00000002"]) as Promise<never>;
      await removeRecords(register.stores, companyRecord, "removal", find);
    });
    await register.withRun(companiesIndex, (run) => runReindex({ ...run, stores: disturbed }, false));
    expect(await register.nameIn("companies")).toBe("CHANGED MEANWHILE LIMITED");
    expect(await register.nameIn("companies", "00000002")).toBeUndefined();
    expect(await register.countDifferences(companiesIndex)).toBe(0);
  });

  it("that the move overtakes between its two writes has lost neither", async () => {
    let moveOn: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const mayMove = new Promise<void>((resolve) => (moveOn = resolve));
    const isBegun = new Promise<void>((resolve) => (begin = resolve));
    // The move waits for the first of the two writes, the second one for the move.
    const disturbed = register.before("move", () => {
      begin();
      return mayMove;
    });
    const reindexing = register.withRun(companiesIndex, (run) =>
      runReindex({ ...run, stores: disturbed }, false),
    );
    await isBegun;
    const late = register.beforeLiveWrite(() => {
      moveOn();
      return reindexing;
    });
    await register.writeCompany(companiesIndex, ID, "AT THE MOVE LIMITED", late);
    expect(await register.nameIn("companies")).toBe("AT THE MOVE LIMITED");
    expect(await register.countDifferences(companiesIndex)).toBe(0);
  });

  it("that finds the build moved, by a process that died before it withdrew it, withdraws it", async () => {
    const built = await register.beginBuild(companiesIndex);
    const [former] = await register.stores.elasticsearch.builds.list("companies");
    await register.stores.elasticsearch.builds.move({
      ...{ index: "companies", from: former?.name, to: built, isBuilt: true, remove: [] },
    });
    await register.writeCompany(companiesIndex, ID, "AFTER THE MOVE LIMITED");
    expect(await register.nameIn("companies")).toBe("AFTER THE MOVE LIMITED");
    expect(await fetchAnnouncement(register.stores.mongo.documents, "companies")).toBeNull();
  });

  it("spoils a build whose index somebody has deleted, and writes on", async () => {
    await register.stores.elasticsearch.builds.remove(await register.beginBuild(companiesIndex));
    await register.writeCompany(companiesIndex, ID, "WRITTEN ON LIMITED");
    expect(await register.nameIn("companies")).toBe("WRITTEN ON LIMITED");
    expect(await register.spoiledBy()).toBe("it was deleted");
  });
});

/** A changed mapping while workers of both the older and the newer release write. */
import { describe, expect, it } from "@jest/globals";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import { companiesIndex } from "../../index-mappings/companies/index.ts";
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";
import { goBack } from "../../ingest/reindex/index-set.ts";
import { followNow } from "../support/follow.ts";
import { asRelease, ID, NEXT, OTHER_ID, SmallRegister } from "../support/reindex.ts";

const register = SmallRegister.forEachTest();

function nameOf(record: StoredRecord | undefined): unknown {
  return (record?.data as { company_name?: string } | undefined)?.company_name;
}

/** Expects the new release's index to be live, with these companies under this name, in the new release's form. */
async function expectInNew(name: string, ids = [ID]): Promise<void> {
  expect(await register.liveVersion()).toBe(NEXT.version);
  const stored = await register.stores.elasticsearch.fetchDocuments("companies", ids);
  expect(stored).toHaveLength(ids.length);
  for (const { source } of stored)
    expect(source).toMatchObject({ added: "yes", shown: { company_name: name } });
  expect(await register.countDifferences(NEXT)).toBe(0);
}

/** Writes one company by the new release, and another one by the older release. */
async function writeByBoth(name: string): Promise<void> {
  await register.writeCompany(NEXT, ID, name);
  await register.writeCompany(companiesIndex, OTHER_ID, name);
}

describe("a changed mapping", () => {
  it("goes live while both releases write", async () => {
    const write = () => writeByBoth("WRITTEN MEANWHILE LIMITED");
    const { built } = await register.reindex(NEXT, register.before("finish", write));
    expect(built).toContain(`-v${NEXT.version}-`);
    await expectInNew("WRITTEN MEANWHILE LIMITED", [ID, OTHER_ID]);
  });

  it("goes live with what both releases write at the last moment", async () => {
    await register.reindex(
      NEXT,
      register.before("move", () => writeByBoth("AT THE LAST MOMENT LIMITED")),
    );
    await expectInNew("AT THE LAST MOMENT LIMITED", [ID, OTHER_ID]);
  });

  it("can wait: until the reindex the live index has neither faults nor differences", async () => {
    await register.writeCompany(NEXT, ID, "BEFORE LIMITED");
    expect(await register.nameIn("companies")).toBe("BEFORE LIMITED");
    expect(await register.countDifferences(NEXT)).toBe(0);
  });

  it("is not undone by a document for the former index that arrives after the move", async () => {
    let writing: Promise<void> = Promise.resolve();
    const late = register.beforeWrite("companies", () => register.waitForVersion(NEXT.version));
    const stores = register.before("move", () => {
      writing = register.writeCompany(NEXT, ID, "OVERTAKEN LIMITED", late);
      return register.waitForChange();
    });
    await register.reindex(NEXT, stores);
    await writing;
    await expectInNew("OVERTAKEN LIMITED");
  });

  it.each([
    ["the new release, which stays in use", NEXT],
    ["the former release, started again", companiesIndex],
  ])("is left by --back of %s, which brings later writes over in its own form", async (_, index) => {
    await register.reindex(NEXT);
    await register.writeCompany(NEXT, ID, "WRITTEN SINCE LIMITED");
    await asRelease(NEXT, () => followNow(register.stores));
    const { repaired } = await asRelease(index, () => register.withRun(index, goBack));
    expect(repaired).toBe(1);
    expect(await register.liveVersion()).toBe(companiesIndex.version);
    expect(await register.nameIn("companies")).toBe("WRITTEN SINCE LIMITED");
    expect(await register.countDifferences(index)).toBe(0);
  });

  it("makes workers of the older release wait once it is live", async () => {
    await register.reindex(NEXT);
    await expect(register.writeCompany(companiesIndex, ID, "OLD RELEASE LIMITED")).rejects.toThrow(
      /was built by a newer release, this one has version \d+: start that release/,
    );
  });
});

describe("a build does not go live", () => {
  it("if it rejects a document written meanwhile, which the live index accepts", async () => {
    const isRefused = ([record]: StoredRecord[]) => nameOf(record) === "REFUSED THERE LIMITED";
    const picky: IndexDefinition = {
      ...NEXT,
      document: (records) =>
        NEXT.document(records) && { ...NEXT.document(records), ...(isRefused(records) && { odd: 1 }) },
    };
    const write = () => register.writeCompany(companiesIndex, ID, "REFUSED THERE LIMITED");
    await expect(register.reindex(picky, register.before("finish", write))).rejects.toThrow(
      /^the new index cannot be built: .*00000001.*; the live index is untouched$/,
    );
    expect(await register.liveVersion()).toBe(companiesIndex.version);
    expect(await register.nameIn("companies")).toBe("REFUSED THERE LIMITED");
  });

  it("if its mapping does not fit the documents of the scan", async () => {
    const strict = { ...NEXT, mappings: companiesIndex.mappings };
    await expect(register.reindex(strict)).rejects.toThrow(
      /cannot be built: it refused document \d+: .*; the live index is untouched/,
    );
    expect(await register.liveVersion()).toBe(companiesIndex.version);
  });

  it("if a release with another version began it", async () => {
    await register.beginBuild(companiesIndex);
    await expect(register.reindex(NEXT, register.stores, true)).rejects.toThrow(
      /was started by a release with another version of it: run `npm run cli -- reindex` without --resume$/,
    );
  });
});

/** Stored links of company profiles: a follower of the change log keeps them equal to the records. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { fetchPages, placeOf, writePages } from "../../api/shared/stores/collections/link-pages.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { chargeRecord } from "../../api/resources/charge/record.ts";
import { NumberSet } from "../../api/shared/stores/collections/number-set.ts";
import { recordLinks, SUPER_SECURE } from "../../api/resources/company-profile/links.ts";
import { amendChange, enterChange, type Change } from "../../ingest/log/changes.ts";
import { batchRunner, company, event, NUMBER } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { expectLinksAgree } from "../support/links-agree.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import type { TestRegister } from "../support/register.ts";
import { toStored } from "../support/stored.ts";

const newRegister = registersPerTest();
let register: TestRegister;
let stores: Stores;
let run: ReturnType<typeof batchRunner>;
beforeEach(async () => {
  register = await newRegister({}, false);
  ({ stores } = register);
  run = batchRunner(() => stores);
});

const COMPANY = `/company/${NUMBER}`;
const charge = (id: string) => ({
  resource_kind: "company-charges",
  resource_uri: `${COMPANY}/charges/${id}`,
  resource_id: id,
  data: {
    ...{ charge_code: "990000030001", charge_number: 1, status: "outstanding", etag: "0".repeat(40) },
    classification: { type: "charge-description", description: "A registered charge" },
  },
});
const insolvency = {
  resource_kind: "company-insolvency",
  resource_uri: `${COMPANY}/insolvency`,
  resource_id: NUMBER,
  data: {
    status: ["liquidation"],
    cases: [{ type: "compulsory-liquidation", number: "1", dates: [], practitioners: [] }],
  },
};
const CHARGE = "aaaaaaaaaaaaaaaaaaaaaaaaaaa";
const OTHER = "bbbbbbbbbbbbbbbbbbbbbbbbbbb";

const PERSONS = `${COMPANY}/persons-with-significant-control`;
const person = (segment: string, resource_kind: string, data: object) => ({
  ...{ resource_kind, resource_uri: `${PERSONS}/${segment}/${CHARGE}`, resource_id: CHARGE },
  data: { etag: "0".repeat(40), ...data },
});
const secure = person("super-secure", "company-psc-supersecure", {
  ...{ kind: "super-secure-person-with-significant-control", ceased: false },
  description: "super-secure-persons-with-significant-control",
});
const plain = person("individual", "company-psc-individual", {
  ...{ kind: "individual-person-with-significant-control", name: "Ann Sample" },
  ...{ natures_of_control: ["ownership-of-shares-75-to-100-percent"], notified_on: "2020-01-01" },
});

const PAGE = placeOf(NUMBER, "charges").name;

const fetchKeptLinks = () => stores.mongo.records.fetchStoredLinks(NUMBER, recordLinks);
type Profile = { has_super_secure_pscs?: boolean };
const linksOf = async (number = NUMBER) => (await expectLinksAgree(stores)).get(number);

describe("links of a profile", () => {
  it("equal those of the records in the whole sample register", async () => {
    const loaded = await openLoadedSample();
    const links = await expectLinksAgree(loaded.stores).finally(() => loaded.close());
    expect(new Set([...links.values()].flat()).size).toBeGreaterThan(6);
    const superSecure = [...links].flatMap(([number, some]) => (some.includes(SUPER_SECURE) ? number : []));
    expect(superSecure).toEqual(["99000006", "99000012", "OE099004"]);
  });

  it("appear and disappear with the records, whether these come before or after their company", async () => {
    await run(event(charge(CHARGE), 1, "2026-11-02"));
    await run(event(company("A LTD"), 2, "2026-11-03"));
    expect(await linksOf()).toEqual(["charges"]);
    await run(event(charge(OTHER), 3, "2026-11-04"));
    await run(event(insolvency, 4, "2026-11-04"));
    expect(await linksOf()).toEqual(["charges", "insolvency"]);
    await run(event(charge(CHARGE), 5, "2026-11-05", "deleted"));
    expect(await linksOf()).toEqual(["charges", "insolvency"]);
    await run(event(charge(OTHER), 6, "2026-11-06", "deleted"));
    await run(event(insolvency, 7, "2026-11-06", "deleted"));
    expect(await linksOf()).toEqual([]);
    await run(event(charge(OTHER), 8, "2026-11-07"));
    expect(await linksOf()).toEqual(["charges"]);
    expect((await register.get(COMPANY)).body).toMatchObject({ links: { charges: `${COMPANY}/charges` } });
  });

  it("disappear when a company's exemptions have all ended", async () => {
    const exemptions = (some: object) => ({
      resource_kind: "company-exemptions",
      resource_uri: `${COMPANY}/exemptions`,
      resource_id: NUMBER,
      data: { exemptions: some },
    });
    const psc_exempt_as_shares_admitted_on_market = { items: [{ exempt_from: "2020-01-01" }] };
    await run(event(exemptions({ psc_exempt_as_shares_admitted_on_market }), 1, "2026-11-02"));
    expect(await linksOf()).toEqual(["exemptions"]);
    await run(event(exemptions({}), 2, "2026-11-03"));
    expect(await linksOf()).toEqual([]);
  });

  it("include a mark for super-secure persons, as their record comes, changes and goes", async () => {
    const flag = async () => ((await register.get(COMPANY)).body as Profile).has_super_secure_pscs;
    await run(event(company("A LTD"), 1, "2026-11-02"));
    await run(event(plain, 2, "2026-11-02"));
    expect(await linksOf()).toEqual(["persons_with_significant_control"]);
    // Unknown, since the register is not loaded whole.
    expect(await flag()).toBeUndefined();
    await run(event(secure, 3, "2026-11-03"));
    expect(await linksOf()).toEqual(["persons_with_significant_control", SUPER_SECURE]);
    expect(await flag()).toBe(true);
    await run(event(plain, 4, "2026-11-04"));
    expect(await linksOf()).toEqual(["persons_with_significant_control"]);
    await run(event(plain, 5, "2026-11-05", "deleted"));
    await run(event(secure, 6, "2026-11-05"));
    expect(await linksOf()).toEqual(["persons_with_significant_control", SUPER_SECURE]);
    await run(event(secure, 7, "2026-11-06", "deleted"));
    expect(await linksOf()).toEqual([]);
    expect(await flag()).toBeUndefined();
  });

  it("of a parent company follow what its establishment's profile states", async () => {
    const branch = (status: string, parent: string) => ({
      ...company("A BRANCH", "BR000001"),
      data: {
        ...{ company_number: "BR000001", company_name: "A BRANCH", type: "uk-establishment" },
        ...{ company_status: status, branch_company_details: { parent_company_number: parent } },
      },
    });
    await run(event(branch("open", "FC000001"), 1, "2026-11-02"));
    expect(await linksOf("FC000001")).toEqual(["uk-establishments"]);
    await run(event(branch("open", "FC000002"), 2, "2026-11-03"));
    expect(await linksOf("FC000001")).toEqual([]);
    expect(await linksOf("FC000002")).toEqual(["uk-establishments"]);
  });
});

const stored = (id: string) => toStored(chargeRecord, { ...charge(id).data, id, company_number: NUMBER }, 5);
const enter = () =>
  enterChange(stores, { load: "a-load", job: "a-job", ids: { [chargeRecord.collection]: [CHARGE] } });
const end = (change: Change, links: Change["links"]) =>
  amendChange(stores.mongo.documents, change, { state: "written", ...(links && { links }) });

describe("the change log", () => {
  it.each([
    ["", false],
    [", even if they are followed apart", true],
  ])("may contain a record's removal before its creation%s", async (_how, areApart) => {
    // The record was created and removed; the follower meets the removal first.
    await end(await enter(), { made: {}, left: { charges: [NUMBER] } });
    if (areApart) await followNow(stores);
    await end(await enter(), { made: { charges: [NUMBER] }, left: {} });
    await followNow(stores);
    expect(await fetchKeptLinks()).toEqual([]);
  });

  it("may contain a batch that was interrupted before it noted what it wrote", async () => {
    await enter();
    await stores.mongo.writer.insertMissing(chargeRecord, [stored(CHARGE)]);
    await followNow(stores);
    expect(await linksOf()).toEqual(["charges"]);
  });

  it("may be followed twice, which never replaces a page with an older version", async () => {
    await run(event(charge(CHARGE), 1, "2026-11-02"));
    const [page] = await fetchPages(stores.mongo.documents, [PAGE]);
    await writePages(stores.mongo.documents, [{ ...page!, version: 0, stored: new NumberSet() }]);
    expect(await linksOf()).toEqual(["charges"]);
  });
});

describe("the command verify", () => {
  const verify = (options: Record<string, string> = {}) => register.run(verifyCommand, [], options);

  /** Repairs while the change log is followed, since the command waits for that; returns what it printed. */
  async function repair(): Promise<string> {
    const following = setInterval(() => void followNow(stores), 200);
    const { printed } = await verify({ repair: "true" }).finally(() => clearInterval(following));
    return printed.join("\n");
  }

  it("marks super-secure persons in a register that a former release has loaded", async () => {
    await run(event(secure, 1, "2026-11-02"));
    const [page] = await fetchPages(stores.mongo.documents, [placeOf(NUMBER, SUPER_SECURE).name]);
    await writePages(stores.mongo.documents, [
      { ...page!, version: page!.version + 1, stored: new NumberSet() },
    ]);
    expect((await verify()).printed.join("\n")).toContain("DIFFER: 1 missing, 0 extra");
    expect(await repair()).toContain("repaired: 1");
    expect(await linksOf()).toEqual(["persons_with_significant_control", SUPER_SECURE]);
  });

  it("names missing and extra links, and repairs them", async () => {
    await run(event(charge(CHARGE), 1, "2026-11-02"));
    const [page] = await fetchPages(stores.mongo.documents, [PAGE]);
    const { name, rest } = placeOf(NUMBER, "insolvency");
    const [none, one] = [new NumberSet(), new NumberSet([rest])];
    await writePages(stores.mongo.documents, [
      { ...page!, version: page!.version + 1, stored: none },
      { _id: name, version: 1, stored: one, emptied: none },
    ]);
    const named = [`  missing    ${NUMBER} charges`, `  extra      ${NUMBER} insolvency`];
    expect((await verify()).printed.filter((line) => /links|missing {4}|extra {6}/.test(line))).toEqual([
      "links of profiles: DIFFER: 1 missing, 1 extra",
      ...named,
    ]);
    expect((await verify({ show: "0" })).printed).not.toContain(named[0]);
    expect(await repair()).toContain("repaired: 2");
    expect(await linksOf()).toEqual(["charges"]);
  });
});

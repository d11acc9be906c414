/** Which editions of officers count as older than one another: regions, products and names without a region. */
import { describe, expect, it } from "@jest/globals";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { fetchLatestLoads, writeLoad } from "../../ingest/history/loads.ts";
import { load, writeFile } from "../support/load-command.ts";
import { aFile, aPersonLine } from "../support/officer-lines.ts";
import { loadOf, mendRows } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const OLDER = { run: "4321", day: "20261101" };
const NEWER = { run: "4400", day: "20261201" };
const COMPANIES = { ew: "99000500", sc: "SC900500", ni: "NI900500" };
const REGIONS = ["ew", "sc", "ni"] as const;
const SURNAMES = ["ALPHA", "BETA", "GAMMA"];

interface Edition {
  product?: string;
  region: keyof typeof COMPANIES;
  edition: typeof OLDER;
  surnames?: string[];
  name?: string;
}

/** Writes a snapshot of the region's one company, in Latin-1; persons are numbered by the place of their surname. */
function writeSnapshot(given: Edition): string {
  const { product = "195", region, edition, surnames = SURNAMES } = given;
  const { name = `Prod${product}_${edition.run}_${region}_1_${edition.day}010001.dat` } = given;
  const lines = surnames.map((surname, at) =>
    aPersonLine({ company: COMPANIES[region], number: `10000${at}010001`, surname }),
  );
  const text = aFile(`DDDDSNAP${edition.run}${edition.day}`, lines);
  return writeFile(folder, name, Buffer.from(text, "latin1"));
}

const writeRegions = (given: Omit<Edition, "region">) =>
  REGIONS.map((region) => writeSnapshot({ ...given, region }));

const latestLoad = async ({ stores }: TestRegister) => {
  const [latest] = await fetchLatestLoads(stores.mongo.documents, 1);
  if (!latest) throw new Error("nothing has been loaded");
  return latest;
};

const OLDER_NOTE = "officers-snapshot: the edition is of 2026-11-01, and one of 2026-12-01 was loaded";

/** The reported reason for refusing an older edition of England and Wales; empty if it is loaded. */
async function loadOlder(register: TestRegister): Promise<string[]> {
  const { error, exitCode } = await load(register, [writeSnapshot({ region: "ew", edition: OLDER })]);
  if (!error) expect(exitCode).toBe(0);
  return error ? [error.message.slice(0, OLDER_NOTE.length)] : [];
}

describe("an edition of one region", () => {
  it("is not older than one of another region", async () => {
    const register = await newRegister();
    const others = (["sc", "ni"] as const).map((region) => writeSnapshot({ region, edition: NEWER }));
    expect(await load(register, others)).toMatchObject({ exitCode: 0 });
    expect(await loadOlder(register)).toEqual([]);
    // Loaded together with older files of those regions, it is older.
    const run = await load(register, writeRegions({ edition: OLDER }), { complete: "true" });
    expect(run.error?.message).toMatch(/^--complete: the edition is of 2026-11-01, and one of 2026-12-01/);
  });

  it.each<[string, Edition]>([
    [
      "of the other product, which also contains the serving officers",
      { product: "216", region: "ew", edition: NEWER },
    ],
    ["whose name has no region", { region: "ew", edition: NEWER, name: "officers.dat" }],
  ])("is older than one %s", async (_what, newer) => {
    const register = await newRegister();
    expect(await load(register, [writeSnapshot(newer)])).toMatchObject({ exitCode: 0 });
    expect(await loadOlder(register)).toEqual([OLDER_NOTE]);
  });
});

describe("the mended row of one region", () => {
  const countStored = ({ stores }: TestRegister) => stores.mongo.records.count(appointmentRecord, {});

  /** Loads an edition of this product for England and Wales with one row that is not UTF-8. */
  async function loadRefused(product: string): Promise<{ register: TestRegister; id: string }> {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const surnames = ["ALPHA", "BETA", "GÄMMA"];
    const bad = await load(register, [writeSnapshot({ product, region: "ew", edition: OLDER, surnames })]);
    expect(bad).toMatchObject({ exitCode: 2 });
    return { register, id: loadOf(bad) };
  }
  const mend = (register: TestRegister, id: string) =>
    mendRows(register, { folder, id }, { encoding: "latin1" });

  it("is not loaded if a whole edition of the other product without it was loaded since", async () => {
    const { register, id } = await loadRefused("195");
    const later = writeRegions({ product: "216", edition: NEWER, surnames: ["ALPHA", "BETA"] });
    expect(await load(register, later, { complete: "true" })).toMatchObject({ exitCode: 0 });
    const stored = await countStored(register);
    expect(await mend(register, id)).toMatchObject({ exitCode: 0 });
    expect(await countStored(register)).toBe(stored);
  });

  it("is loaded if the edition since is of another region", async () => {
    const { register, id } = await loadRefused("195");
    expect(await load(register, [writeSnapshot({ region: "sc", edition: NEWER })])).toMatchObject({
      exitCode: 0,
    });
    const record = await latestLoad(register);
    // No command makes such a load: a complete edition covers all regions.
    await writeLoad(register.stores.mongo.documents, {
      ...record,
      plan: { ...record.plan, isComplete: true },
    });
    const stored = await countStored(register);
    expect(await mend(register, id)).toMatchObject({ exitCode: 0 });
    expect(await countStored(register)).toBe(stored + 1);
  });
});

/** Editions that say what the one before said: what is not read again, and what is all the same. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { fetchPrints, keepEdition } from "../../ingest/history/fingerprints.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { AGAIN } from "../../ingest/history/fingerprints.ts";
import { company, event, fetchHeldName, NUMBER } from "../support/event-batches.ts";
import {
  COMPANIES,
  load,
  OFFICERS,
  PSC,
  readLines,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import type { TestRegister } from "../support/register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const BY_HAND = "etag-by-hand";

let register: TestRegister;
beforeEach(async () => {
  register = await newRegister();
});

/** Spoils every record of a kind by hand: whoever reads one sees that it is not as its row says, and writes it again. */
async function spoil({ collection }: RecordDefinition<never>): Promise<number> {
  const client = new MongoClient(register.config.MONGODB_URL);
  try {
    const records = client.db(register.config.DATABASE_NAME).collection(collection);
    return (await records.updateMany({}, { $set: { etag: BY_HAND } })).modifiedCount;
  } finally {
    await client.close();
  }
}

async function loadOf(files: string[], options: Record<string, string> = {}) {
  const { exitCode, printed, error } = await load(register, files, options);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: undefined });
  const count = (what: string) =>
    Number(printed.map((line) => RegExp(`^${what} +(\\d+)`).exec(line)?.[1]).find(Boolean));
  return { written: count("written"), unchanged: count("unchanged") };
}

const eventOf = (name: string, day: string) => {
  const [row = ""] = event(company(name), 1, day).rows;
  return writeFile(folder, `companies-${day}.ndjson`, `${row}\n`);
};

const edition = (day: string, rename: (row: string) => string = (row) => row) =>
  writeFile(
    folder,
    `BasicCompanyDataAsOneFile-${day}.csv`,
    [...readCompanies().map(rename), ""].join("\r\n"),
  );

function readCompanies(): string[] {
  return readLines(writeEdition(folder, "all.csv", () => true));
}

describe("the same file again", () => {
  it.each<[string, string[], RecordDefinition<never>]>([
    ["companies", [COMPANIES], companyRecord as never],
    ["officers", OFFICERS, appointmentRecord as never],
    ["persons with significant control", PSC, pscRecord as never],
  ])("is not compared with the records: %s", async (_what, files, kind) => {
    const first = await loadOf(files);
    const spoiled = await spoil(kind);
    expect(spoiled).toBeGreaterThan(100);
    expect(await loadOf(files)).toEqual({ written: 0, unchanged: first.written + first.unchanged });
    // By force it is.
    expect(await loadOf(files, { force: "true" })).toMatchObject({ written: spoiled });
  });

  it("changes nothing that events have told since", async () => {
    await loadOf([COMPANIES]);
    await loadOf([eventOf("TOLD SINCE LIMITED", "2026-11-02")]);
    expect(await loadOf([COMPANIES])).toMatchObject({ written: 0 });
    expect(await fetchHeldName(register.stores)).toBe("TOLD SINCE LIMITED");
  });
});

describe("a later edition", () => {
  it("writes the rows that are others, and reads no others", async () => {
    await loadOf([COMPANIES]);
    await spoil(companyRecord as never);
    const renamed = edition("2026-12-01", (row) =>
      row.includes(`"${NUMBER}"`) ? row.replace(/^"[^"]*"/, '"RENAMED LIMITED"') : row,
    );
    expect(await loadOf([renamed])).toEqual({ written: 1, unchanged: 199 });
    expect(await fetchHeldName(register.stores)).toBe("RENAMED LIMITED");
    expect(await loadOf([edition("2026-12-02")])).toEqual({ written: 1, unchanged: 199 });
  });

  it("is compared with every record when others have told of companies", async () => {
    await loadOf([COMPANIES]);
    const before = await fetchHeldName(register.stores);
    await loadOf([eventOf("TOLD BETWEEN LIMITED", "2026-11-15")]);
    expect(await fetchHeldName(register.stores)).toBe("TOLD BETWEEN LIMITED");
    expect(await loadOf([edition("2026-12-01")])).toMatchObject({ written: 1 });
    expect(await fetchHeldName(register.stores)).toBe(before);
  });

  it("is compared with every record after one that failed in the middle", async () => {
    await loadOf([COMPANIES]);
    const broken = edition("2026-12-01", (row) =>
      row.includes("1") ? row.replace(/"\d{8}"/, '"no number"') : row,
    );
    expect((await load(register, [broken])).error?.message).toMatch(/REFUSED_MAX_PERCENT/);
    await spoil(companyRecord as never);
    expect(await loadOf([edition("2026-12-02")])).toMatchObject({ written: 200 });
  });
});

describe("a record that rows of two batches tell of", () => {
  it("is known by neither of them, whichever was written first", async () => {
    const { documents } = register.stores.mongo;
    const batches = [
      { ids: ["one", "twice"], prints: ["print-of-one", "print-of-twice"] },
      { ids: ["two", "twice"], prints: ["print-of-two", AGAIN] },
    ];
    for (const [at, { ids, prints }] of batches.entries()) {
      const batch = { load: "a-load", job: `job-${at}`, revision: at, ids: { companies: ids } };
      const counts = {
        ...{ read: 2, written: 2, removed: 0, unchanged: 0, refused: 0, skipped: 0 },
        warnings: {},
      };
      await BatchChange.make(register.stores, batch, () =>
        Promise.resolve({ counts, prints: prints.join("\n") }),
      );
    }
    await keepEdition(documents, "a-load", []);
    const fetch = (ids: string[]) => fetchPrints(documents, "a-load", { companies: ids });
    expect([...(await fetch(["one"]))]).toEqual([
      ["one", "print-of-one"],
      ["twice", AGAIN],
    ]);
    expect([...(await fetch(["two"]))]).toEqual([
      ["two", "print-of-two"],
      ["twice", AGAIN],
    ]);
  });
});

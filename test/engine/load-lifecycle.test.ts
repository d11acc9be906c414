/** A load from its survey to its end on the real engines: whole editions, dry runs, going on, what is kept of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsListCommand, loadsShowCommand } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/loads.ts";
import { fetchState } from "../support/register-state.ts";
import { openRegister, type CommandRun, type TestRegister } from "../support/register.ts";

const SAMPLE = "test/fixtures/register";
const COMPANIES = `${SAMPLE}/companies/BasicCompanyDataAsOneFile-2026-11-01.zip`;
const DISSOLVED = `${SAMPLE}/companies/dissolved-extract.csv`;
const PARTS = [1, 2].map((part) => `${SAMPLE}/companies/BasicCompanyData-2026-11-01-part${part}_2.csv`);
const PSC = [1, 2].map((part) => `${SAMPLE}/psc/psc-snapshot-2026-11-01_${part}of2.txt`);
const OFFICERS = ["ew", "sc", "ni"].map(
  (region) => `${SAMPLE}/officers/Prod195_4321_${region}_1_01112026010001.dat`,
);

const folder = mkdtempSync(join(tmpdir(), "load-lifecycle-"));
const open: TestRegister[] = [];

afterEach(async () => {
  for (const register of open.splice(0)) await register.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function newRegister(settings: Record<string, string> = {}, withWorker = true): Promise<TestRegister> {
  const register = await openRegister({ settings, withWorker });
  open.push(register);
  return register;
}

const load = (
  register: TestRegister,
  files: string[],
  options: Record<string, string> = {},
): Promise<CommandRun> => register.run(loadCommand, files, { encoding: "utf-8", ...options });

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const lines = (path: string) => readFileSync(path, "utf8").split("\r\n").filter(Boolean);

/** The company CSV without some of its rows. */
function edition(name: string, keep: (row: string, index: number) => boolean): string {
  const [header = "", ...rows] = [...lines(PARTS[0] ?? ""), ...lines(PARTS[1] ?? "").slice(1)];
  return file(name, [header, ...rows.filter(keep), ""].join("\r\n"));
}

const countCompanies = (register: TestRegister) => register.stores.mongo.records.count(companyRecord, {});

describe("an unfit file", () => {
  let register: TestRegister;
  let empty: Awaited<ReturnType<typeof fetchState>>;
  beforeAll(async () => {
    register = await openRegister();
    empty = await fetchState(register.stores);
  });
  afterAll(() => register.close());

  it.each([
    [
      "whose trailer does not add up",
      [`${SAMPLE}/officers/edge-cases/wrong-trailer-count.dat`],
      /trailer says/,
    ],
    ["without its trailer", [`${SAMPLE}/officers/edge-cases/no-trailer.dat`], /truncated/],
    ["behind a good one", [...PARTS, `${SAMPLE}/officers/edge-cases/no-trailer.dat`], /truncated/],
    ["of two parts of which one is named twice", [PARTS[0] ?? "", PARTS[0] ?? ""], /both part 1/],
  ])("%s changes nothing", async (_name, files, reason) => {
    const run = await load(register, files);
    expect(run.error).toBeInstanceOf(SourceError);
    expect(run.error?.message).toMatch(reason);
    expect(await fetchState(register.stores)).toEqual(empty);
    expect(run.told.join("\n")).not.toContain("--resume");
  });

  it("of an edition in parts whose totals do not add up changes nothing", async () => {
    const short = file(
      "psc-snapshot-2026-11-01_1of2.txt",
      readFileSync(PSC[0] ?? "", "utf8")
        .split("\n")
        .slice(1)
        .join("\n"),
    );
    const run = await load(register, [short, PSC[1] ?? ""]);
    expect(run.error?.message).toMatch(/totals line says 143 records, the 2 parts have 142/);
    expect(await fetchState(register.stores)).toEqual(empty);
  });

  it("of another edition than the one before it changes nothing", async () => {
    const other = file("psc-snapshot-2026-10-01_1of2.txt", readFileSync(PSC[0] ?? ""));
    const run = await load(register, [other, PSC[1] ?? ""]);
    expect(run.error?.message).toMatch(
      /parts of two editions \(2026-10-01 in 2 parts, 2026-11-01 in 2 parts\)/,
    );
    expect(await fetchState(register.stores)).toEqual(empty);
  });

  it("is kept in the list of loads, with its reason", async () => {
    await load(register, [`${SAMPLE}/officers/edge-cases/no-trailer.dat`]);
    const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(latest).toMatchObject({ state: "failed", reason: expect.stringMatching(/truncated/) as unknown });
  });
});

describe("a file whose end does not bear it out", () => {
  it("is loaded when the person insists, and never as a whole edition", async () => {
    const register = await newRegister();
    const path = `${SAMPLE}/officers/edge-cases/no-trailer.dat`;
    const run = await load(register, [path], { unchecked: "true" });
    expect(run.error).toBeUndefined();
    expect(run.told.join("\n")).toMatch(/rows read as officers-snapshot, although truncated/);
    expect(await register.stores.mongo.records.count(appointmentRecord, {})).toBeGreaterThan(0);
    const whole = await load(register, [path], { unchecked: "true", complete: "true" });
    expect(whole.error?.message).toMatch(/leave --unchecked out/);
  });
});

describe("cut at any place", () => {
  it.each([
    ["officers", OFFICERS[2] ?? ""],
    ["disqualified officers", `${SAMPLE}/disqualified/Prod192_4287.txt`],
  ])("a file of %s changes nothing", async (_name, path) => {
    const register = await newRegister();
    const before = await fetchState(register.stores);
    const whole = readFileSync(path);
    for (let cut = 1; cut <= 20; cut += 1) {
      // The last cut takes off the line break alone, which does not matter.
      const part = whole.subarray(0, Math.floor(((whole.length - 2) * cut) / 20));
      const run = await load(register, [file(path.replace(/^.*\//, ""), part)]);
      expect({ cut, isRefused: run.error instanceof SourceError }).toEqual({ cut, isRefused: true });
    }
    expect(await fetchState(register.stores)).toEqual(before);
  });
});

describe("a whole edition", () => {
  it("removes what it no longer holds from both stores, and nothing that it never held", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90" });
    await load(register, [COMPANIES]);
    await load(register, [DISSOLVED]);
    const next = edition("next.csv", (_row, index) => index % 20 !== 0);
    const run = await load(register, [next], { complete: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toContain("retired   10 (held, but no longer in the edition)");
    expect(await countCompanies(register)).toBe(190 + 12);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(202);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(202);
    // What comes back is there again.
    await load(register, [COMPANIES]);
    expect(await countCompanies(register)).toBe(212);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(212);
  });

  it("that lacks too much removes nothing, unless it is forced", async () => {
    const register = await newRegister();
    await load(register, [COMPANIES]);
    const half = edition("half.csv", (_row, index) => index % 2 === 0);
    const run = await load(register, [half], { complete: "true" });
    expect(run.error).toBeInstanceOf(CommandError);
    expect(run.error?.message).toMatch(/only 50\.0 % of the 200 records .* 95 % is the least/);
    expect(await countCompanies(register)).toBe(200);
    expect(await load(register, [half], { complete: "true", force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(100);
  });

  it("of which rows were refused removes nothing, unless it is forced", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    await load(register, [COMPANIES]);
    const [header = "", ...rows] = lines(PARTS[0] ?? "");
    const bad = rows.map((row, index) => (index === 3 ? row.replace(/"[A-Z0-9]{8}"/, '"9.9E+07"') : row));
    const run = await load(register, [file("bad.csv", [header, ...bad, ""].join("\r\n"))], {
      complete: "true",
    });
    expect(run.error?.message).toMatch(/everything but 1 refused rows was loaded, and nothing was removed/);
    expect(await countCompanies(register)).toBe(200);
  });

  it("in parts needs all of them", async () => {
    const register = await newRegister();
    const run = await load(register, [PSC[0] ?? ""], { complete: "true" });
    expect(run.error?.message).toMatch(/part 2 of the edition is lacking/);
    expect(await register.stores.mongo.records.count(pscRecord, {})).toBe(0);
    expect(await load(register, PSC, { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect((await load(register, [OFFICERS[0] ?? ""], { complete: "true" })).error?.message).toMatch(
      /for sc, ni/,
    );
    const events = `${SAMPLE}/api-shaped/charges.jsonl`;
    expect((await load(register, [events], { complete: "true" })).error?.message).toMatch(
      /ever the whole of anything/,
    );
    expect((await load(register, [COMPANIES, ...PSC], { complete: "true" })).error?.message).toMatch(
      /one edition at a time/,
    );
  });

  it("of serving officers leaves resigned ones alone", async () => {
    const register = await newRegister();
    const resigned = `${SAMPLE}/officers/Prod216_4321_ew_1_01112026010001.dat`;
    await load(register, [...OFFICERS, resigned]);
    const count = (filter = {}) => register.stores.mongo.records.count(appointmentRecord, filter);
    const before = { resigned: await count({ is_resigned: true }), all: await count() };
    expect(before.resigned).toBeGreaterThan(0);
    const run = await load(register, OFFICERS, { complete: "true", force: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    // Serving officers that only the other product has are no longer there, and nobody else.
    expect(await count({ is_resigned: true })).toBe(before.resigned);
    const retired = Number(/retired +(\d+)/.exec(run.printed.join("\n"))?.[1]);
    expect(retired).toBeGreaterThan(0);
    expect(await count()).toBe(before.all - retired);
  });
});

describe("a dry run", () => {
  it("says what would change, and writes nothing", async () => {
    const register = await newRegister({}, false);
    const before = await fetchState(register.stores);
    const run = await load(register, [COMPANIES], { dryRun: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toEqual(
      expect.arrayContaining(["read      200", "created   200", "changed   0", "unchanged 0", "refused   0"]),
    );
    expect(await fetchState(register.stores)).toEqual(before);
    expect(await fetchLatestLoads(register.stores.mongo.documents, 1)).toEqual([]);
  });

  it("compares with what is held, shows refused rows and what would be retired", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    await load(register, [COMPANIES]);
    const before = await fetchState(register.stores);
    const [header = "", ...rows] = lines(PARTS[0] ?? "");
    const changed = rows
      .slice(0, 10)
      .map((row, index) =>
        index === 0
          ? row.replace(/"Active"/, '"Liquidation"')
          : index === 1
            ? row.replace(/"[A-Z0-9]{8}"/, '"x"')
            : row,
      );
    const path = file("changed.csv", [header, ...changed, ""].join("\r\n"));
    const run = await load(register, [path], {
      dryRun: "true",
      complete: "true",
      force: "true",
      json: "true",
    });
    expect(run).toMatchObject({ exitCode: 2 });
    expect(JSON.parse(run.printed[0] ?? "")).toMatchObject({
      ...{ read: 10, created: 0, changed: 1, unchanged: 8, refused: 1, retired: 191 },
      refused_rows: [{ line: 3, field: "company_number" }],
    });
    expect(await fetchState(register.stores)).toEqual(before);
    expect(
      (await load(register, [`${SAMPLE}/officers/edge-cases/no-trailer.dat`], { dryRun: "true" })).error,
    ).toBeInstanceOf(SourceError);
  });
});

describe("a load that was broken off", () => {
  const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" };

  it("goes on with what is not written yet, and ends as if nothing had been", async () => {
    const undisturbed = await newRegister();
    await load(undisturbed, PARTS);
    const register = await newRegister(SETTINGS);
    let reads = 0;
    const isStopping = () => (reads += 1) > 2;
    const broken = await register.run(loadCommand, PARTS, { encoding: "utf-8" }, isStopping);
    expect(broken.error).toBeDefined();
    const [begun] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    const id = begun?._id ?? "";
    const run = await load(register, [], { resume: id });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed[0]).toMatch(/^read {6}200 rows/);
    expect(await fetchState(register.stores)).toEqual(await fetchState(undisturbed.stores));
    const { printed } = await register.run(loadsShowCommand, [id], {});
    expect(printed[0]).toBe(`${id}: succeeded`);
    expect((await load(register, [], { resume: id })).error?.message).toMatch(/has succeeded/);
  });

  it("does not write again what an earlier run has written", async () => {
    const register = await newRegister({ ...SETTINGS }, false);
    const { startWorker } = await import("../../ingest/worker.ts");
    const { createLogger } = await import("../../api/core/logger.ts");
    const { openStores, closeStores } = await import("../../api/core/stores/index.ts");
    const log = createLogger("silent", "worker");
    let failing = 8;
    const stores = openStores(register.config, { forWorker: true });
    const broken: typeof stores = {
      ...stores,
      elasticsearch: {
        ...stores.elasticsearch,
        // Refused for good, as by a fault of the code: the batch fails at once.
        write: (index, writes) =>
          (failing -= 1) < 0
            ? Promise.resolve([{ id: writes[0]?.id ?? "", reason: "mapper_parsing_exception" }])
            : stores.elasticsearch.write(index, writes),
      },
    };
    const stopBroken = startWorker(register.config, broken, log);
    const run = await load(register, PARTS);
    expect(run.error?.message).toMatch(/mapper_parsing_exception/);
    const id = /--resume (\S+)/.exec(run.told.join("\n"))?.[1] ?? "";
    await stopBroken();

    let written = 0;
    const counting: typeof stores = {
      ...stores,
      elasticsearch: {
        ...stores.elasticsearch,
        write: (index, writes) => {
          written += writes.length;
          return stores.elasticsearch.write(index, writes);
        },
      },
    };
    const stop = startWorker(register.config, counting, log);
    const again = await load(register, [], { resume: id });
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.printed[0]).toMatch(/^read {6}200 rows/);
    expect(written).toBeLessThanOrEqual(120);
    await register.stores.elasticsearch.refresh();
    expect(await register.stores.elasticsearch.count("companies")).toBe(200);
    await stop();
    await closeStores(stores);
  });

  it("does not go on with other files", async () => {
    const register = await newRegister({ ...SETTINGS, STORE_TIMEOUT_MS: "1000" }, false);
    const path = edition("mine.csv", () => true);
    let looks = 0;
    const run = await register.run(loadCommand, [path], { encoding: "utf-8" }, () => (looks += 1) > 3);
    expect(run.error).toBeDefined();
    const [{ _id: id } = { _id: "" }] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    edition("mine.csv", (_row, index) => index > 0);
    const again = await load(register, [], { resume: id });
    expect(again.error?.message).toMatch(/not those any more/);
  });

  it("is not gone on with while it lives", async () => {
    const register = await newRegister(SETTINGS, false);
    let isStopped = false;
    const running = register.run(loadCommand, PARTS, { encoding: "utf-8" }, () => isStopped);
    let id = "";
    while (id === "") {
      await new Promise((resolve) => setTimeout(resolve, 100));
      id = (await fetchLatestLoads(register.stores.mongo.documents, 1))[0]?._id ?? "";
    }
    expect((await load(register, [], { resume: id })).error?.message).toMatch(/under way in another process/);
    expect((await register.run(loadsListCommand, [], {})).printed[0]).toMatch(/running/);
    isStopped = true;
    await running;
  });

  it("that was killed is told as broken off", async () => {
    const register = await newRegister();
    await load(register, [DISSOLVED]);
    const [record] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    if (!record) throw new Error("no load was kept");
    const { writeLoad } = await import("../../ingest/loads.ts");
    await writeLoad(register.stores.mongo.documents, { ...record, state: "running" });
    expect((await register.run(loadsListCommand, [], {})).printed[0]).toMatch(/broken off/);
  });
});

describe("an unknown load", () => {
  it("is told as such", async () => {
    const register = await newRegister({}, false);
    expect((await load(register, [], { resume: "x" })).error?.message).toMatch(/there is no load x/);
    expect((await register.run(loadsShowCommand, ["x"], {})).error?.message).toMatch(/there is no load x/);
    expect((await load(register, [])).error?.message).toMatch(/name the files/);
    expect((await load(register, [COMPANIES], { resume: "x" })).error?.message).toMatch(/name none/);
  });
});

/** Mended rows have the same effect as if the file with the refused rows had contained them. */
import { beforeEach, describe, expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { fetchNameOnRecord } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, OFFICERS, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { keepLoad } from "../support/loads.ts";
import { exportRows, refusedRowsOf, loadOf, mendRows } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
// Editions of one or two rows follow each other, so a small edition must be allowed.
const register = forAllTests(() => openRegister({ settings: { COMPLETE_MIN_PERCENT: "0" } }));

const EXPONENT = '"9.9E+07"';
const UNDATED = "undated.csv";
const [header = "", firstRow = ""] = readLines(writeEdition(folder, "all.csv", () => true));

// Each test has its own company, and two editions later than those of the tests before.
let tests = 0;
let number = "";
let [day, later] = ["", ""];
beforeEach(() => {
  tests += 1;
  number = String(98_000_000 + tests);
  const editionOf = (month: number) => `BasicCompanyData-${2000 + tests}-${month}-01.csv`;
  [day, later] = [editionOf(11), editionOf(12)];
});
/** The name that the export gives a file's refused rows. */
const refusedOf = (file: string) => file.replace(".csv", "-refused.csv");
const mend = (text: string) => text.replace(EXPONENT, `"${number}"`);

/** A file of the company under these names, one after the other; the row of a name with BAD has no valid number. */
function writeNames(file: string, ...names: string[]): string {
  const rows = names.map((name) =>
    firstRow
      .replace(/^"[^"]*"/, `"${name}"`)
      .replace(/"\d{8}"/, name.startsWith("BAD") ? EXPONENT : `"${number}"`),
  );
  return writeFile(folder, file, [header, ...rows, ""].join("\r\n"));
}

const fetchStoredName = () => fetchNameOnRecord(register.stores, number);

/** Loads a file with a bad row; returns the load's id. */
async function loadBad(file: string, ...names: string[]): Promise<string> {
  const run = await load(register, [writeNames(file, ...names)]);
  expect(run).toMatchObject({ exitCode: 2 });
  return loadOf(run);
}

describe("a mended row", () => {
  it.each([
    ["of an edition", () => day],
    ["of a file without a day", () => UNDATED],
  ])(
    "%s counts after the other rows of its file, and is no longer listed as refused",
    async (_title, file) => {
      const id = await loadBad(file(), "BAD LIMITED", "GOOD LIMITED");
      expect(await fetchStoredName()).toBe("GOOD LIMITED");
      expect(await mendRows(register, { folder, id, mend })).toMatchObject({ exitCode: 0 });
      expect(await fetchStoredName()).toBe("BAD LIMITED");
      expect(await refusedRowsOf(register, id)).toEqual([]);
      await expectStoresAgree(register.stores);
    },
  );

  it.each([
    ["of a day before that of a later load", () => [day, later]],
    ["of the day of a later load", () => [day, day]],
    ["without a day, like a later load,", () => [UNDATED, UNDATED]],
  ])("%s does not overwrite what was loaded since", async (_title, files) => {
    const [file = "", since = ""] = files();
    const id = await loadBad(file, "BAD LIMITED");
    // Two rows, because the same file again would replace the refused row.
    expect(await load(register, [writeNames(since, "OTHER LIMITED", "LATER LIMITED")])).toMatchObject({
      exitCode: 0,
    });
    expect(await mendRows(register, { folder, id, mend })).toMatchObject({ exitCode: 0 });
    expect(await fetchStoredName()).toBe("LATER LIMITED");
    expect(await refusedRowsOf(register, id)).toEqual([]);
  });

  it("without a day adds members that a later load of the company does not state", async () => {
    const data = { company_number: number, company_name: "LINE LIMITED", type: "ltd" };
    const envelope = { resource_uri: `/company/${number}`, resource_id: number };
    const line = {
      resource_kind: "company-profile",
      ...envelope,
      data: { ...data, has_insolvency_history: true },
    };
    const bad = JSON.stringify(line).slice(0, -1);
    const refused = await load(register, [writeFile(folder, "lines.jsonl", `${bad}\n`)]);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(await load(register, [writeNames(day, "LATER LIMITED")])).toMatchObject({ exitCode: 0 });
    const mended = { folder, id: loadOf(refused), mend: (text: string) => `${text.trimEnd()}}\n` };
    expect(await mendRows(register, mended)).toMatchObject({ exitCode: 0 });
    const [stored] = await register.stores.mongo.records.fetchByIds(companyRecord, [number]);
    expect(stored?.data).toMatchObject({ company_name: "LATER LIMITED", has_insolvency_history: true });
  });

  it("that is refused again is kept for the new load, with its own line number", async () => {
    const id = await loadBad(day, "GOOD LIMITED", "BAD LIMITED");
    const before = await refusedRowsOf(register, id);
    expect(before).toMatchObject([{ line: 3 }]);
    const again = await mendRows(register, { folder, id });
    expect(again).toMatchObject({ exitCode: 2 });
    expect(await refusedRowsOf(register, id)).toEqual([]);
    expect(await refusedRowsOf(register, loadOf(again))).toEqual(before);
    const third = await mendRows(register, { folder, id: loadOf(again), mend });
    expect(third).toMatchObject({ exitCode: 0 });
    expect(await fetchStoredName()).toBe("BAD LIMITED");
  });

  it("of a file whose day looked wrong, which was loaded with --unchecked, does not need that option", async () => {
    const own = await newRegister();
    const path = writeNames("BasicCompanyData-2999-12-01.csv", "BAD LIMITED");
    const id = loadOf(await load(own, [path], { unchecked: "true" }));
    expect(await mendRows(own, { folder, id, mend })).toMatchObject({ exitCode: 0 });
    expect(await refusedRowsOf(own, id)).toEqual([]);
  });

  it("is only previewed by --dry-run", async () => {
    const id = await loadBad(day, "BAD LIMITED");
    const run = await mendRows(register, { folder, id, mend }, { dryRun: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toContain("created   1");
    expect(await refusedRowsOf(register, id)).toHaveLength(1);
    expect(await fetchStoredName()).toBeUndefined();
  });

  it("does not count as an edition: the next one is compared with the last whole one", async () => {
    const own = await newRegister();
    const rows = readLines(join(folder, "all.csv"));
    number = /"(\d{8})"/.exec(firstRow)?.[1] ?? "";
    const bad = rows.map((line) => line.replace(`"${number}"`, EXPONENT)).join("\r\n");
    const id = loadOf(await load(own, [writeFile(folder, day, bad)]));
    expect(await mendRows(own, { folder, id, mend })).toMatchObject({ exitCode: 0 });
    const few = await load(own, [writeNames(later, "FEW LIMITED")]);
    expect(few.error?.message).toMatch(/has 1 row, only/);
  });
});

it("a mended company line gives the company's officers its name", async () => {
  const text = readFileSync(OFFICERS[2] ?? "", "utf8");
  const path = writeFile(folder, basename(OFFICERS[2] ?? ""), text.replace(/^(.{8})1(.*)$/m, "$11 x$2"));
  const id = loadOf(await load(register, [path]));
  const countNameless = async () => {
    const query = { filter: {}, sort: [["_id", 1]] as [string, 1][], skip: 0, limit: 1_000 };
    const stored = await register.stores.mongo.records.fetchPage(appointmentRecord, query);
    return stored.filter(({ data }) => !data.company_name).length;
  };
  expect(await countNameless()).toBeGreaterThan(0);
  const run = await mendRows(register, {
    folder,
    id,
    mend: (bad) => bad.replace(/^(.{8})1 x(.*)$/m, "$11$2"),
  });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(await countNameless()).toBe(0);
  await expectStoresAgree(register.stores);
});

describe("mending refuses", () => {
  it("fewer rows than the export has, since nobody knows which are missing", async () => {
    const id = await loadBad(day, "BAD LIMITED", "BAD TOO LIMITED");
    const out = await exportRows(register, folder, id);
    writeFileSync(out, readFileSync(out, "utf8").split("\n").slice(0, 2).join("\n"));
    const { error } = await load(register, [out], { mends: id });
    expect(error?.message).toMatch(
      /export-\d+\.txt: it has 1 row, but the export of .* has 2: correct rows in place/,
    );
    expect(await refusedRowsOf(register, id)).toHaveLength(2);
  });

  it("files whose names do not tell which file of the load they mend", async () => {
    const paths = [day, UNDATED].map((file) => writeNames(file, "BAD LIMITED"));
    const id = loadOf(await load(register, paths));
    const out = join(folder, "named");
    await register.run(refusedRowsCommands.export, [id], { out });
    const names = [day, UNDATED].map(refusedOf);
    const files = names.map((name) => {
      const text = mend(readFileSync(join(out, name), "utf8"));
      writeFileSync(join(out, name), text);
      return writeFile(folder, `renamed-${name}`, text);
    });
    const { error } = await load(register, files, { mends: id });
    expect(error?.message).toContain(`name each file as refused-rows export does: ${names.join(", ")}`);
    const again = await load(
      register,
      names.map((name) => join(out, name)),
      { mends: id },
    );
    expect(again).toMatchObject({ exitCode: 0 });
    expect(await refusedRowsOf(register, id)).toEqual([]);
  });

  it("rows of a load that does not exist, still runs, or has no refused rows", async () => {
    const path = writeNames(day, "GOOD LIMITED");
    const mends = async (id: string) => (await load(register, [path], { mends: id })).error?.message;
    expect(await mends("none")).toMatch(/there is no load none/);
    await load(register, [path]);
    const [good] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(await mends(good?._id ?? "")).toMatch(
      /has no refused rows: they were mended or discarded, or belong to a later load/,
    );
    await keepLoad(register.stores.mongo.documents, { _id: "running", state: "running" });
    const lock = await register.stores.redis.locks.acquire("load:running");
    expect(await mends("running")).toMatch(/has not ended; wait for it/);
    await lock?.release();
  });

  it("the option --complete", async () => {
    const id = await loadBad(day, "BAD LIMITED");
    const whole = await load(register, [join(folder, day)], { mends: id, complete: "true" });
    expect(whole.error?.message).toMatch(/leave --complete, --resume and --as-of out/);
  });
});

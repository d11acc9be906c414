/** Files that do not state their number of rows: cut between rows, cut inside a row, or refused row after row. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import {
  COMPANIES,
  countCompanies,
  load,
  PARTS,
  PSC,
  readLines,
  writeEdition,
  writeFile,
} from "../support/load-command.ts";
import { keepLoad } from "../support/loads.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const NEXT = "BasicCompanyDataAsOneFile-2026-12-01.csv";

describe("an edition with far fewer rows than the one before", () => {
  it("changes nothing without --force", async () => {
    const register = await newRegister();
    const short = writeEdition(folder, NEXT, (_row, index) => index < 180);
    await load(register, [PARTS[0] ?? ""]);
    // The loaded edition has another number of files, and not all were loaded, so nothing is compared.
    expect((await load(register, [short], { dryRun: "true" })).exitCode).toBe(0);
    await load(register, [COMPANIES]);
    for (const options of [{}, { dryRun: "true" }, { complete: "true" }]) {
      const { error } = await load(register, [short], options);
      expect(error).toBeInstanceOf(SourceError);
      expect(error?.message).toMatch(
        /2026-12-01\.csv has 180 rows, only 90\.0 % of the 200 that were loaded before \(\S+\); at least 95 % are required .* --force/,
      );
    }
    expect(await countCompanies(register)).toBe(200);
    expect(await load(register, [short], { force: "true" })).toMatchObject({ exitCode: 0 });
    // Accepted once, it may be corrected and loaded again.
    expect(await load(register, [short])).toMatchObject({ exitCode: 0 });
  });

  it("is compared with the last whole edition, not with a forced one", async () => {
    const register = await newRegister();
    await load(register, [COMPANIES]);
    const short = writeEdition(folder, NEXT, (_row, index) => index < 180);
    expect(await load(register, [short], { force: "true" })).toMatchObject({ exitCode: 0 });
    const next = writeEdition(
      folder,
      "BasicCompanyDataAsOneFile-2027-01-01.csv",
      (_row, index) => index < 180,
    );
    expect((await load(register, [next])).error?.message).toMatch(/only 90\.0 % of the 200/);
  });

  it("is compared by parts, together and one by one", async () => {
    const register = await newRegister({}, false);
    const { documents } = register.stores.mongo;
    for (const [at, path] of PARTS.entries()) {
      const part = { edition: "2026-10-01", part: at + 1, parts: 2 };
      const file = { file: path, name: basename(path), source: "company-csv", rows: 300, part };
      const surveyed = [{ ...file, production_date: "2026-10-01" }];
      await keepLoad(documents, { _id: `2026100${at}`, files: [], surveyed });
    }
    const faultOf = async (files: string[]) =>
      (await load(register, files, { dryRun: "true" })).error?.message;
    expect(await faultOf(PARTS)).toMatch(/^the files of the edition have 200 rows, only 33\.3 % of the 600/);
    expect(await faultOf([PARTS[1] ?? ""])).toMatch(/rows, only \d+\.\d % of the 300/);
    expect(await faultOf([COMPANIES])).toMatch(/has 200 rows, only 33\.3 % of the 600/);
    // An extract may have any size.
    for (const name of ["mended.csv", "BasicCompanyData.csv"])
      expect(await faultOf([writeEdition(folder, name, (_row, index) => index < 9)])).toBeUndefined();
  });
});

it("the load of one part of an edition names the parts that neither it nor an earlier load has", async () => {
  const register = await newRegister();
  const missing = async (files: string[], options = {}) =>
    (await load(register, files, options)).messages.filter((line) => line.includes("is missing"));
  const first = PSC[0] ?? "";
  const notes = ["psc-snapshot: part 2 of the edition is missing; load it, too"];
  expect(await missing([first], { dryRun: "true" })).toEqual(notes);
  expect(await missing([first])).toEqual(notes);
  // The other edition has as many parts; its first part is not the loaded one.
  const other = writeFile(folder, "psc-snapshot-2026-12-01_2of3.txt", readFileSync(first));
  expect(await missing([other])).toEqual(["psc-snapshot: part 1, 3 of the edition is missing; load it, too"]);
  expect(await missing(PSC.slice(1), { force: "true" })).toEqual([]);
  expect(await missing([...PARTS, COMPANIES])).toEqual([]);
});

it("a part of another product with the same run and day is not a part of the edition", async () => {
  const register = await newRegister({}, false);
  const part = { edition: "run 4321 of 2026-11-01", product: "216", part: "ew_1" };
  const known = { file: "ew_1", name: "ew_1", source: "officers-snapshot", rows: 1, part };
  await keepLoad(register.stores.mongo.documents, { _id: "20261101", files: [], surveyed: [known] });
  const first = readFileSync(`${SAMPLE}/officers/Prod195_4321_ew_1_01112026010001.dat`);
  const second = writeFile(folder, "Prod195_4321_ew_2_01112026010001.dat", first);
  const { messages } = await load(register, [second], { dryRun: "true" });
  expect(messages).toContain("officers-snapshot: part ew_1 of the edition is missing; load it, too");
});

it("a file cut inside its last row is reported, before and after its other rows are loaded", async () => {
  const register = await newRegister();
  const run = await load(register, [`${SAMPLE}/companies/edge-cases/truncated-last-line.csv`]);
  expect(run.exitCode).toBe(2);
  const said = run.messages.filter((line) => line.includes("its last row, line 4, is cut off"));
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/most likely an incomplete download; download it again$/);
  expect(await countCompanies(register)).toBe(2);
  const whole = await load(register, [COMPANIES]);
  expect(whole.messages.join("\n")).not.toMatch(/cut off/);
});

describe("a file with mostly refused rows", () => {
  const [header = "", ...good] = readLines(PARTS[0] ?? "");
  const bad = (row: string) => row.replace(/"[A-Z0-9]{8}"/, '"9.9E+07"');
  // Of some 2,100 rows, six of seven are refused.
  const rows = Array.from({ length: 20 }, () =>
    good.flatMap((row, at) => (at % 7 ? [bad(row)] : [row])),
  ).flat();
  const file = writeFile(folder, "mostly-bad.csv", [header, ...rows, ""].join("\r\n"));

  it("stops early, with a sentence about what to do", async () => {
    const register = await newRegister({ BATCH_ROWS: "100", QUEUE_DEPTH: "1" });
    const run = await load(register, [file]);
    expect(run.error?.message).toMatch(
      /mostly-bad\.csv: \d+ of \d+ rows were refused so far, more than 10 % \(REFUSED_MAX_PERCENT\)\. .*refused-rows list \S+ says why: .*--encoding; .*load --resume \S+ --force$/,
    );
    const read = Number(/of (\d+) rows/.exec(run.error?.message ?? "")?.[1]);
    expect(read).toBeLessThan(rows.length / 2);
    const [, id = ""] = /load --resume (\S+) --force/.exec(run.error?.message ?? "") ?? [];
    const { messages } = await register.run(loadsCommands.show, [id]);
    expect(messages).toEqual([`to continue it: npm run cli -- load --resume ${id} --force`]);
    const forced = await load(register, [], { resume: id, force: "true" });
    expect(forced.error).toBeUndefined();
    expect(forced.printed.join("\n")).toMatch(new RegExp(`read +${rows.length.toLocaleString("en")}`));
  });

  it("is reported by a dry run, and loads if the setting allows it", async () => {
    const register = await newRegister({ REFUSED_MAX_PERCENT: "90" });
    expect((await load(register, [file], { dryRun: "true" })).error).toBeUndefined();
    const run = await load(register, [file]);
    expect(run.exitCode).toBe(2);
    expect(run.messages.filter((line) => line.startsWith("refused: "))).toHaveLength(10);
    const others = (rows.filter((row) => row.includes("9.9E+07")).length - 10).toLocaleString("en");
    expect(run.messages).toContainEqual(expect.stringContaining(`and ${others} more; all of them: npm run`));
    const strict = await newRegister({}, false);
    const edition = writeFile(folder, NEXT, readFileSync(file));
    // Of two faults it reports the one that would stop the load.
    const dry = await load(strict, [edition], { dryRun: "true", complete: "true" });
    expect(dry.error?.message).toMatch(/rows would be refused, more than 10 % .*: the load would stop/);
    // A small number of refused rows stops nothing, whatever their share.
    const few = [header, ...rows.slice(0, 60), ""].join("\r\n");
    const small = await load(strict, [writeFile(folder, "few.csv", few)], { dryRun: "true" });
    expect(small).toMatchObject({ exitCode: 2 });
  });
});

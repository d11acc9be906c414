/** Correcting a file with refused rows and loading it again makes the former refused rows out of date. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { fetchLoad } from "../../ingest/history/loads.ts";
import { load, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { loadOf, mendRows, refusedRowsOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

const DAY = "BasicCompanyData-2026-11-01.csv";
const NEXT = "BasicCompanyData-2026-12-01.csv";
const COUNT = 6;

let lines: string[] = [];
beforeAll(() => {
  lines = readLines(writeEdition(folder, "all.csv", (_row, index) => index < COUNT));
});

const spoil = (row: string) => row.replace(/"[A-Z0-9]{8}"/, '"9.9E+07"');

/** Writes a file of six companies; the rows with these numbers (from 1) are bad. */
function write(name: string, bad: number[] = []): string {
  const rows = lines.map((row, at) => (bad.includes(at) ? spoil(row) : row));
  return writeFile(folder, name, [...rows, ""].join("\r\n"));
}

/** Loads such a file; returns the load's id. */
async function loadBad(register: TestRegister, name: string, bad: number[]): Promise<string> {
  const run = await load(register, [write(name, bad)]);
  expect(run).toMatchObject({ exitCode: 2 });
  return loadOf(run);
}

const linesOf = async (register: TestRegister, id: string) =>
  (await refusedRowsOf(register, id)).map(({ line }) => line);

describe("a corrected file", () => {
  it.each([DAY, "undated.csv"])(
    "%s replaces the refused rows of its former load, with a message",
    async (name) => {
      const register = await newRegister();
      const id = await loadBad(register, name, [2, 4]);
      const again = await load(register, [write(name, [4])]);
      expect(again).toMatchObject({ exitCode: 2 });
      expect(again.printed).toContain(
        "replaced  2 refused rows of earlier loads: this load read their rows again",
      );
      expect(await linesOf(register, id)).toEqual([]);
      expect(await linesOf(register, loadOf(again))).toEqual([5]);
      const good = await load(register, [write(name)], { json: "true" });
      expect(JSON.parse(good.printed[0] ?? "")).toMatchObject({ state: "succeeded", replaced: 1 });
      expect(await linesOf(register, loadOf(again))).toEqual([]);
      // The content of those rows is unknown now, so a --complete load of them could not finish.
      expect(await fetchLoad(register.stores.mongo.documents, id)).toMatchObject({ discarded: 2 });
    },
  );

  it("replaces nothing of a file in another folder whose path was given in the same words", async () => {
    const register = await newRegister();
    const home = process.cwd();
    const loadIn = async (place: string, bad: number[]) => {
      mkdirSync(join(folder, place));
      write(join(place, "companies.csv"), bad);
      process.chdir(join(folder, place));
      return load(register, ["companies.csv"]).finally(() => process.chdir(home));
    };
    const october = loadOf(await loadIn("october", [2]));
    expect(await loadIn("november", [])).toMatchObject({ exitCode: 0 });
    expect(await linesOf(register, october)).toEqual([3]);
    const { printed } = await register.run(loadsCommands.show, [october], {});
    expect(printed.join("\n")).toContain(join(folder, "october/companies.csv"));
  });

  it("replaces rows that a load of mended rows has refused again", async () => {
    const register = await newRegister();
    const id = await loadBad(register, DAY, [2, 4]);
    const again = await mendRows(register, { folder, id });
    expect(await linesOf(register, loadOf(again))).toEqual([3, 5]);
    await load(register, [write(DAY)]);
    expect(await linesOf(register, loadOf(again))).toEqual([]);
  });

  it("replaces nothing in a dry run or when it fails", async () => {
    const register = await newRegister();
    const id = await loadBad(register, DAY, [2]);
    await load(register, [write(DAY)], { dryRun: "true" });
    const path = write(DAY);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/ LIMITED|LTD/g, " Société"), "latin1");
    expect(await load(register, [path])).toMatchObject({ exitCode: 1 });
    expect(await linesOf(register, id)).toEqual([3]);
  });
});

describe("a later edition", () => {
  it("replaces the refused rows of the edition before if it is loaded whole", async () => {
    const register = await newRegister();
    const id = await loadBad(register, DAY, [2]);
    const next = write(NEXT);
    const part = await load(register, [next]);
    expect(part.printed.join("\n")).not.toMatch(/replaced/);
    expect(await linesOf(register, id)).toEqual([3]);
    const whole = await load(register, [next], { complete: "true" });
    expect(whole.printed).toContain(
      "replaced  1 refused row of earlier loads: this load read their rows again",
    );
    expect(await linesOf(register, id)).toEqual([]);
  });
});

describe("a load of mended rows", () => {
  it("reports how many rows it mended and how many are left, in its file and in others", async () => {
    const register = await newRegister();
    const bad = await load(register, [write(DAY, [2, 4, 5]), write("undated.csv", [1])]);
    const id = loadOf(bad);
    let count = 0;
    // Corrects the first row only.
    const mend = (text: string) =>
      text.replaceAll("9.9E+07", (found) => ((count += 1) > 1 ? found : "99000001"));
    const out = join(folder, "exported");
    await register.run(refusedRowsCommands.export, [id], { out });
    const rows = join(out, "BasicCompanyData-2026-11-01-refused.csv");
    writeFileSync(rows, mend(readFileSync(rows, "utf8")));
    const dry = await load(register, [rows], { mends: id, dryRun: "true" });
    expect(dry.printed).toContain(`mended    1 refused row of load ${id}, 3 left`);
    const run = await load(register, [rows], { mends: id });
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.printed).toContain(`mended    1 refused row of load ${id}, 3 left`);
    expect(run.messages).toContain(
      `1 refused row of other files left: npm run cli -- refused-rows list ${id}`,
    );
    expect(await linesOf(register, loadOf(run))).toEqual([5, 6]);
    expect(await linesOf(register, id)).toEqual([2]);
  });
});

/** Warnings and notes of loads. */
import { expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommand } from "../../ingest/commands/load.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const UNCHANGED = `${SAMPLE}/companies/edge-cases/no-final-newline-lf.csv`;
const folder = makeOwnFolder();

const register = forAllTests(openRegister);

it("a warning may quote any text of a row", async () => {
  const file = join(folder, "BasicCompanyData-odd.csv");
  writeFileSync(file, readFileSync(UNCHANGED, "utf8").replaceAll('"Active"', '"$odd.status"'));

  const run = await register.run(loadCommand, [file], { as: "company-csv", encoding: "utf-8" });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.printed.join("\n")).toMatch(/^warning +3 × company_status left out: .*\$odd\.status/m);

  const [kept] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const [[reason, count] = []] = Object.entries(kept?.counts.warnings ?? {});
  expect([kept?.state, kept?.counts.read, count]).toEqual(["succeeded", 3, 3]);
  expect(reason).toContain("$odd.status");
});

it("an edition without a known column loads with a note, which a file under another name does not get", async () => {
  const text = readFileSync(UNCHANGED, "utf8").replace("ConfStmtNextDueDate", "Renamed");
  const load = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return register.run(loadCommand, [file], { as: "company-csv", encoding: "utf-8" });
  };
  const note = "header has no column ConfStmtNextDueDate";
  const edition = await load("BasicCompanyDataAsOneFile-2026-12-01.csv");
  expect(edition).toMatchObject({ exitCode: 0 });
  expect(edition.told.filter((line) => line.includes(note))).toHaveLength(1);
  expect((await load("ours.csv")).told.join("\n")).not.toContain(note);
});

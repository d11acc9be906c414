/** Runs the load command in tests, to its end or in part, names files of the sample, and writes changed ones. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import type { CommandRun, TestRegister } from "./register.ts";
import { SAMPLE } from "./sample-register.ts";

export const COMPANIES = `${SAMPLE}/companies/BasicCompanyDataAsOneFile-2026-11-01.zip`;
/** The same companies, in two parts. */
export const PARTS = [1, 2].map(
  (part) => `${SAMPLE}/companies/BasicCompanyData-2026-11-01-part${part}_2.csv`,
);
export const DISSOLVED = `${SAMPLE}/companies/dissolved-extract.csv`;
export const PSC = [1, 2].map((part) => `${SAMPLE}/psc/psc-snapshot-2026-11-01_${part}of2.txt`);
export const OFFICERS = ["ew", "sc", "ni"].map(
  (region) => `${SAMPLE}/officers/Prod195_4321_${region}_1_01112026010001.dat`,
);

/** The message of a load that was stopped while it read files, or while workers wrote its batches. */
export const STOPPED = /stopped after \d+ rows|stopped; batches/;

/** Runs the load command. */
export function load(
  register: TestRegister,
  files: string[],
  options: Record<string, string> = {},
): Promise<CommandRun> {
  return register.run(loadCommand, files, { encoding: "utf-8", ...options });
}

/** Loads files and stops after the first batches, whatever the number of workers. Returns the run and the load's id. */
export async function loadInPart(
  register: TestRegister,
  files: string[],
  options: Record<string, string> = {},
) {
  let looks = 0;
  const given = { encoding: "utf-8", ...options };
  const run = await register.run(loadCommand, files, given, () => (looks += 1) > 2);
  expect(run.error?.message).toMatch(STOPPED);
  const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  return { run, id: latest?._id ?? "" };
}

/** Writes a file and returns its path. */
export function writeFile(folder: string, name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The lines of a CSV file, its header first. */
export function readLines(path: string): string[] {
  return readFileSync(path, "utf8").split("\r\n").filter(Boolean);
}

/** Writes the company CSV with only the rows that `keep` accepts. */
export function writeEdition(
  folder: string,
  name: string,
  keep: (row: string, index: number) => boolean,
): string {
  const [first = "", second = ""] = PARTS;
  const [header = "", ...rows] = [...readLines(first), ...readLines(second).slice(1)];
  return writeFile(folder, name, [header, ...rows.filter(keep), ""].join("\r\n"));
}

/** How many companies are stored. */
export function countCompanies({ stores }: TestRegister): Promise<number> {
  return stores.mongo.records.count(companyRecord, {});
}

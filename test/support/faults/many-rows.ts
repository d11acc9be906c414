/** Writes files of any size from the sample register: repeats its rows, each time with other companies and people. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE } from "../sample-register.ts";

const COMPANIES = `${SAMPLE}/companies/BasicCompanyData-2026-11-01-part1_2.csv`;
const OFFICERS = `${SAMPLE}/officers/Prod195_4321_ew_1_01112026010001.dat`;
const PSC = `${SAMPLE}/psc/psc-snapshot-2026-11-01_1of2.txt`;

// Numbers reserved for one replica of the sample, which has fewer companies and people than that.
const STRIDE = 600;
// Every 25th company row is repeated with another name, some hundred rows later.
const REPEATED = 25;
// Every tenth replica has a row that the load refuses.
const REFUSED = 10;
// Every third replica has officers, so that there are about as many officers as companies and persons with control.
const OFFICERED = 3;
// Six neighbouring replicas have the same people as officers, so that their appointments are in several batches.
const SHARED = 2 * OFFICERED;

/** The files of a load. */
export interface ManyRows {
  files: string[];
  /** Rows of all files, headers and trailers left out. */
  rows: number;
}

/** Writes companies, officers and persons with significant control, at least `rows` in all; the same rows each time. */
export function writeManyRows(folder: string, rows: number): ManyRows {
  const template = { companies: readCompanies(), officers: readOfficers(), psc: lines(PSC) };
  const { companies: csv, officers: lists, psc: persons } = template;
  const size = csv.rows.length + lists.rows.length / OFFICERED + persons.length;
  const replicas = [...Array(Math.ceil(rows / size)).keys()];
  const ids = new Map<string, number>();
  const companies = replicas.flatMap((replica) => replicateCompanies(template.companies.rows, ids, replica));
  const officered = replicas.filter((replica) => replica % OFFICERED === 0);
  const officers = officered.flatMap((replica) => replicateOfficers(template.officers.rows, ids, replica));
  const psc = replicas.flatMap((replica) => template.psc.map((line) => replicatePsc(line, ids, replica)));
  const trailer = `99999999${String(officers.length).padStart(8, "0")}`;
  const files = [
    write(folder, "BasicCompanyData-2026-11-01-part1_1.csv", [template.companies.header, ...companies]),
    write(folder, "Prod195_4321_ew_1_01112026010001.dat", [template.officers.header, ...officers, trailer]),
    write(folder, "psc-snapshot-2026-11-01_1of1.txt", [...psc, totalsOf(psc)]),
  ];
  return { files, rows: companies.length + officers.length + psc.length };
}

function lines(path: string): string[] {
  return readFileSync(path, "utf8").split(/\r?\n/).filter(Boolean);
}

function write(folder: string, name: string, rows: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => `${row}\n`).join(""));
  return path;
}

const COMPANY_NUMBER = /^(\d{8}|[A-Z]{2}\d{6})$/;

function readCompanies() {
  const [header = "", ...rows] = lines(COMPANIES);
  return { header, rows: rows.filter((row) => COMPANY_NUMBER.test(numberIn(row))) };
}

/** The company number of a row. Names of the sample have no quotation marks. */
function numberIn(row: string): string {
  return row.split('","')[1] ?? "";
}

function readOfficers() {
  const [header = "", ...rows] = lines(OFFICERS);
  return { header, rows: rows.slice(0, -1).filter((row) => COMPANY_NUMBER.test(row.slice(0, 8))) };
}

function indexOf(ids: Map<string, number>, id: string): number {
  const known = ids.get(id) ?? ids.size;
  ids.set(id, known);
  return known;
}

/** Another number with the same letters, because they say which kind of company it is. */
function replicateNumber(number: string, ids: Map<string, number>, replica: number): string {
  const count = replica * STRIDE + indexOf(ids, number);
  const letters = /^[A-Z]*/.exec(number)?.[0] ?? "";
  return letters ? letters + String(count).padStart(6, "0") : String(20_000_000 + count);
}

function replicateCompanies(rows: string[], ids: Map<string, number>, replica: number): string[] {
  const replicated = rows.map((row) =>
    row.replaceAll(numberIn(row), replicateNumber(numberIn(row), ids, replica)),
  );
  const repeated = replicated
    .filter((_row, index) => index % REPEATED === 0)
    .map((row) => row.replace('"', '"RENAMED '));
  const bad = replica % REFUSED === 0 ? replicated.slice(0, 1) : [];
  const refused = bad.map((row) => row.replaceAll(numberIn(row), "9.9E+07"));
  return [...replicated, ...repeated, ...refused];
}

function replicateOfficers(rows: string[], ids: Map<string, number>, replica: number): string[] {
  return rows.map((row) => {
    const number = replicateNumber(row.slice(0, 8), ids, replica);
    if (row[8] !== "2") return number + row.slice(8);
    const person = 10_000_000 + Math.floor(replica / SHARED) * STRIDE + indexOf(ids, row.slice(12, 20));
    return number + row.slice(8, 12) + String(person) + row.slice(20);
  });
}

function replicatePsc(line: string, ids: Map<string, number>, replica: number): string {
  const { company_number: number } = JSON.parse(line) as { company_number: string };
  const named = line.replaceAll(number, replicateNumber(number, ids, replica));
  const own = String(replica).padStart(4, "0");
  return named.replace(/(\/persons-with-significant-control[^"]*\/)([\w-]{23})[\w-]{4}"/, `$1$2${own}"`);
}

function totalsOf(psc: string[]): string {
  const data = {
    kind: "totals#persons-of-significant-control-snapshot",
    ...{ persons_of_significant_control_count: psc.length, statements_count: 0, exemptions_count: 0 },
    generated_at: "2026-11-01T03:40:50Z",
  };
  return JSON.stringify({ data });
}

/** Writes files that follow those of many-rows.ts: a later officers edition, a daily update, later companies. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aFile } from "../officer-lines.ts";

// The run after 4321, which is of 1 November 2026.
const RUN = "432220261102";
// Every 30th officer is missing from the edition.
const GONE = 30;
// Every third officer has moved house, and every third company has a new name.
const MOVED = 3;
// Types of serving officers, and the types of the same officers when they have resigned.
const RESIGNED: Record<string, string> = { "00": "02", "01": "03", "04": "06", "05": "07" };
const ERRORED = "99";

/** Writes the officers of the next day, in all regions: some are missing, some have moved. Returns the paths. */
export function writeOfficersEdition(folder: string, officers: string): string[] {
  const lines = readOfficerLines(officers).flatMap((line, at) => {
    const isPerson = line[8] === "2";
    if (isPerson && at % GONE === 0) return [];
    return isPerson && at % MOVED === 0 ? [withTexts(line, move)] : [line];
  });
  const parts = { ew: /^\d/, sc: /^S/, ni: /^[^\dS]/ };
  return Object.entries(parts).map(([region, numbers]) => {
    const own = lines.filter((line) => numbers.test(line));
    const path = join(folder, `Prod195_4322_${region}_1_02112026010001.dat`);
    writeFileSync(path, aFile(`DDDDSNAP${RUN}`, own));
    return path;
  });
}

/** Writes an update with a line for each officer: in turn a move, a resignation, an error, a new number. */
export function writeOfficersUpdate(folder: string, officers: string): string {
  const lines = readOfficerLines(officers).map((line, at) => (line[8] === "2" ? toUpdate(line, at) : line));
  const path = join(folder, "Prod198_4322.dat");
  writeFileSync(path, aFile(`DDDDUPDT${RUN}`, lines));
  return path;
}

/** Writes the companies a month later; every third has a new name. */
export function writeCompaniesEdition(folder: string, companies: string): string {
  const [header = "", ...rows] = readFileSync(companies, "utf8").trimEnd().split("\n");
  const later = rows.map((row, at) => (at % MOVED === 0 ? row.replace('"', '"LATER ') : row));
  const path = join(folder, "BasicCompanyData-2026-12-01-part1_1.csv");
  writeFileSync(path, `${[header, ...later].join("\n")}\n`);
  return path;
}

/** Lines of companies and persons, without header and trailer. */
function readOfficerLines(path: string): string[] {
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(1, -1);
}

function toUpdate(line: string, at: number): string {
  const [type, number] = [line.slice(10, 12), line.slice(12, 24)];
  const [postcode, birth, appointed] = [line.slice(48, 56), line.slice(56, 72), line.slice(32, 40)];
  const resigned = RESIGNED[type];
  const change = [
    { newType: type },
    resigned === undefined ? { newType: ERRORED } : { newType: resigned, day: "20261030" },
    { newType: ERRORED },
    { newType: type, newNumber: `${number.slice(0, 8)}0099` },
  ][at % 4] as { newType: string; newNumber?: string; day?: string }; // at % 4 is a position in the list
  const { newType, newNumber = number, day = "" } = change;
  const fixed =
    `${line.slice(0, 8)}2${line[9]}  ${line[24]}  ${type}${newType}${number}${newNumber}${birth}`.padEnd(67) +
    `${postcode}${appointed}${day.padEnd(16)}20261102`;
  return withTexts(
    `${fixed}${line.slice(72)}`,
    (texts) => [...move(texts), ...Array<string>(13).fill("")],
    107,
  );
}

/** Changes the parts of the variable text of a line, which follows its length at `at`. */
function withTexts(line: string, change: (texts: string[]) => string[], at = 72): string {
  const length = Number(line.slice(at, at + 4));
  const text = change(line.slice(at + 4, at + 4 + length).split("<")).join("<");
  return `${line.slice(0, at)}${String(text.length).padStart(4, "0")}${text}`;
}

/** Changes the street: the six parts before it are title, forenames, surname, honours, care of and PO box. */
function move(texts: string[]): string[] {
  return texts.with(6, "4 MOVED LANE");
}

/**
 * Files that were damaged or changed on their way, checked by dry runs: cut, joined from parts, with a stray byte, under
 * other names. Each is refused with a sentence, or exactly its whole rows are read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { createRandom } from "../../scripts/bench/random.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, OFFICERS, PARTS, PSC, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const CUTS = 6;
// For each file of formats with many sample files.
const FEW_CUTS = 2;

const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ withWorker: false }));

const CHARGES = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`);

/** The result of a dry run: how many rows it would read and refuse, or why it loads none. */
async function preview(files: string[], options: Record<string, string> = {}) {
  const { error, printed, messages } = await load(register, files, {
    dryRun: "true",
    json: "true",
    ...options,
  });
  const { read, refused } = JSON.parse(printed[0] ?? "{}") as { read?: number; refused?: number };
  return { error, fault: error?.message, read, refused, messages };
}
const previewCut = (path: string, whole: Buffer, length: number) =>
  preview([writeFile(folder, basename(path), whole.subarray(0, length))]);

const filesOf = (directory: string, pattern: RegExp): string[] =>
  readdirSync(join(SAMPLE, directory))
    .filter((name) => pattern.test(name))
    .map((name) => join(SAMPLE, directory, name));

/** Places in the file, the same in every run and checkout; the last is just before its end. */
function placesIn(path: string, length: number): number[] {
  const random = createRandom(basename(path).length);
  const count = /officers|api-shaped|streams/.test(path) ? FEW_CUTS : CUTS;
  // Losing only the final line break would not matter.
  return [...Array.from({ length: count }, () => 1 + random.below(length - 3)), length - 2];
}

describe.each([
  ...filesOf("officers", /^Prod\d+_.*\.dat$/),
  ...filesOf("disqualified", /^Prod.*\.txt$/),
  ...filesOf("psc", /2of2\.txt$/),
  ...filesOf("companies", /\.zip$/),
])("%s, whose format marks its end", (path) => {
  it("is refused when cut, with a sentence that names it", async () => {
    const whole = readFileSync(path);
    for (const place of placesIn(path, whole.length)) {
      const { error } = await previewCut(path, whole, place);
      expect({ place, isRefused: error instanceof SourceError }).toEqual({ place, isRefused: true });
      expect(error?.message).toContain(basename(path));
    }
  });
});

describe.each([
  ...filesOf("companies", /\.csv$/).map(
    (path) => [path, path.includes("real-rows") ? "\n" : "\r\n", 1] as const,
  ),
  ...filesOf("psc", /1of2\.txt$/).map((path) => [path, "\n", 0] as const),
  ...filesOf("api-shaped", /\.jsonl$/).map((path) => [path, "\n", 0] as const),
  ...filesOf("streams", /\.ndjson$/).map((path) => [path, "\n", 0] as const),
])("%s, whose format does not mark its end", (path, lineEnd, headers) => {
  it("is read up to the cut, and a cut row is refused", async () => {
    const whole = readFileSync(path);
    expect((await previewCut(path, whole, whole.length)).error).toBeUndefined();
    const rows = whole.toString().split(lineEnd).slice(headers);
    for (const place of placesIn(path, whole.length)) {
      const cut = whole.subarray(0, place).toString().split(lineEnd).slice(headers);
      const last = cut.at(-1) ?? "";
      const isCut = last !== "" && last !== rows[cut.length - 1];
      const { error, read, refused } = await previewCut(path, whole, place);
      // A file cut within its first line may be unrecognisable.
      if (cut.length <= 1 && error instanceof SourceError) continue;
      expect({ place, error, refused }).toEqual({ place, error: undefined, refused: isCut ? 1 : 0 });
      expect({ place, read }).toEqual({ place, read: cut.filter((row) => row !== "").length });
    }
  });
});

/** Counts the lines that are not blank; heartbeats are blank. */
const countRows = (bytes: Buffer) =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "").length;

describe("a first line with a byte that is not text", () => {
  /** Inserts the byte into a text of the first line. */
  function damage(bytes: Buffer, byte: number): Buffer {
    const place = bytes.indexOf('"', bytes.indexOf('":"') + 3);
    return Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place)]);
  }

  it.each([0xe9, 0])("is one refused row in a format without a header: %d", async (byte) => {
    for (const [name, whole] of [
      ["charges.jsonl", CHARGES],
      ["psc-snapshot-2026-11-01_1of2.txt", readFileSync(PSC[0] ?? "")],
      ["companies.ndjson", readFileSync(`${SAMPLE}/streams/companies.ndjson`)],
    ] as const)
      expect(await preview([writeFile(folder, name, damage(whole, byte))])).toMatchObject({
        ...{ fault: undefined, read: countRows(whole), refused: 1 },
      });
  });

  it("fails with the reason in a header, or in a file of another encoding", async () => {
    const header = "CompanyName, CompanyNumber,CompanyCategory,CompanyStatus,\xe9\r\n";
    const csv = writeFile(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", Buffer.from(header, "latin1"));
    expect((await preview([csv])).fault).toMatch(/line 1: contains bytes that are not UTF-8/);
    const wide = writeFile(folder, "wide.txt", Buffer.from(CHARGES.toString(), "utf16le"));
    expect((await preview([wide], { as: "api-json-lines" })).fault).toMatch(/line 1: .*the file is UTF-16/);
  });
});

it.each([
  ["inside a character", [0xc3]],
  ["in preallocated space", [0, 0, 0]],
])("a company CSV that was cut %s is reported as cut off", async (_where, tail) => {
  const rows = readFileSync(PARTS[0] ?? "");
  const place = rows.lastIndexOf("\n", -2) + 3;
  const cut = writeFile(folder, "cut.csv", Buffer.concat([rows.subarray(0, place), Buffer.from(tail)]));
  const found = await preview([cut]);
  expect(found).toMatchObject({ fault: undefined, refused: 1 });
  expect(found.messages.join("\n")).toMatch(/its last row, line \d+, is cut off/);
  const whole = Buffer.concat([rows.subarray(0, place), Buffer.from([0xe9]), rows.subarray(place)]);
  expect((await preview([writeFile(folder, "whole.csv", whole)])).messages.join("\n")).not.toContain(
    "is cut off",
  );
});

describe("a day far in the future", () => {
  const nextYears = (years: number) => `${new Date().getUTCFullYear() + years}-01-01`;
  const header = "CompanyName, CompanyNumber,CompanyCategory,CompanyStatus\r\n";
  const csv = `${header}"A LTD","99000001","Private Limited Company","Active"\r\n`;

  it("in a name or a header is refused, since every real edition would count as older", async () => {
    const day = nextYears(3);
    const disqualified = readFileSync(`${SAMPLE}/disqualified/Prod192_4287.txt`, "utf8");
    for (const [name, text] of [
      [`BasicCompanyDataAsOneFile-${day}.csv`, csv],
      ["Prod192_4287.txt", disqualified.replace("20261031", day.replaceAll("-", ""))],
    ] as const) {
      const path = writeFile(folder, name, text);
      expect((await preview([path])).fault).toMatch(
        new RegExp(
          `${name}: it is of ${day}, and today is \\d{4}-\\d\\d-\\d\\d, so .*: correct the day in its name`,
        ),
      );
      expect((await preview([path], { unchecked: "true" })).fault).toBeUndefined();
    }
  });

  it("does not mean one of the coming months", async () => {
    const path = writeFile(folder, `BasicCompanyDataAsOneFile-${nextYears(1)}.csv`, csv);
    expect(await preview([path])).toMatchObject({ fault: undefined, read: 1 });
  });
});

describe("joined parts", () => {
  const bytesOf = (files: string[]) => files.map((file) => readFileSync(file));

  it("of the company CSV may repeat the header, which is skipped; a header with other columns is refused", async () => {
    const parts = bytesOf(PARTS);
    const path = writeFile(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", Buffer.concat(parts));
    expect(await preview([path], { complete: "true" })).toMatchObject({
      fault: undefined,
      read: 201,
      refused: 0,
    });
    const [header = "", row = ""] = parts.join("").split("\r\n");
    const other = header.replace("CompanyName, CompanyNumber", "CompanyNumber, CompanyName");
    expect(
      await preview([writeFile(folder, "own.csv", [header, row, other, row].join("\r\n"))]),
    ).toMatchObject({
      ...{ fault: undefined, read: 3, refused: 1 },
    });
  });

  it("of persons with significant control fail with a sentence about their order if it is wrong", async () => {
    const name = "persons-with-significant-control-snapshot-2026-11-01.txt";
    const [first, last] = bytesOf(PSC) as [Buffer, Buffer];
    expect((await preview([writeFile(folder, name, Buffer.concat([last, first]))])).fault).toMatch(
      /the totals line is not the last line: put the parts together in the order of their numbers, or load them as they are$/,
    );
    expect((await preview([writeFile(folder, name, Buffer.concat([first, last]))])).fault).toBeUndefined();
  });
});

it("a Ctrl-Z at the end, left by DOS programs, is a blank line in every format", async () => {
  for (const path of [PARTS[0] ?? "", ...OFFICERS, `${SAMPLE}/disqualified/Prod192_4287.txt`, PSC[1] ?? ""]) {
    const whole = readFileSync(path);
    const marked = writeFile(folder, basename(path), Buffer.concat([whole, Buffer.from("\x1a")]));
    const found = await preview([marked]);
    expect(found).toMatchObject({ fault: undefined, refused: 0 });
    expect(found.messages.join("\n")).not.toMatch(/cut off/);
  }
});

it("two editions are never one complete edition, though each is a single file", async () => {
  const rows = readFileSync(PARTS[0] ?? "");
  const [first, second] = ["2026-10-01", "2026-11-01"].map((day) =>
    writeFile(folder, `BasicCompanyDataAsOneFile-${day}.csv`, rows),
  ) as [string, string];
  for (const force of [{}, { force: "true" }] as Record<string, string>[])
    expect((await preview([first, second], { complete: "true", ...force })).fault).toMatch(
      /2026-10-01\.csv is of 2026-10-01, \S+2026-11-01\.csv of 2026-11-01: load one edition at a time$/,
    );
  expect(await preview([first, second])).toMatchObject({ fault: undefined });
});

it("a gap in the numbers of officer files is reported, and refused with --complete", async () => {
  const [ew = "", ...others] = OFFICERS;
  const third = writeFile(folder, basename(ew).replace("ew_1", "ew_03"), readFileSync(ew));
  const files = [ew, third, ...others];
  const { fault, messages } = await preview(files);
  expect(fault).toBeUndefined();
  expect(messages).toContain("officers-snapshot: part ew_2 of the edition is missing; load it, too");
  expect((await preview(files, { complete: "true" })).fault).toBe(
    "--complete: part ew_2 of the edition is missing",
  );
  expect((await preview(OFFICERS)).messages.join("\n")).not.toContain("is missing");
});

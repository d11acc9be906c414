/** The checksum of a file's rows, by which a load knows that it reads the same file that it has checked. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { readFile, type LoadRun } from "../../../ingest/load/open-file.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const bytes = readFileSync(`${SAMPLE}/companies/BasicCompanyData-2026-11-01-part1_2.csv`);

/** The checksum when the file comes in pieces of this many bytes, as a compressed file does. */
async function sumOf(piece: number): Promise<number> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_none, at) =>
    bytes.subarray(at * piece, (at + 1) * piece),
  );
  const name = "BasicCompanyData-2026-11-01-part1_2.csv";
  const input = {
    label: name,
    name,
    totalBytes: bytes.length,
    readBytes: () => 0,
    stream: Readable.from(pieces),
  };
  // The cast: reading a file uses only this of a load.
  const run = {
    context: { isStopping: () => false },
    open: () => Promise.resolve(input),
    watch: () => ({ onProgress: () => undefined, end: () => undefined }),
    record: { plan: { encoding: "utf-8" } },
  } as unknown as LoadRun;
  return readFile(run, { path: name, phase: "survey", mendedOf: () => undefined }, async (file) => {
    let rows = 0;
    for await (const chunk of file.rows) rows += chunk.length;
    expect(rows).toBeGreaterThan(50);
    return file.checksum;
  });
}

it("is the same for pieces of any size", async () => {
  const whole = await sumOf(bytes.length);
  expect(await sumOf(1_000)).toBe(whole);
  expect(await sumOf(777)).toBe(whole);
});

/** The checksum of a file's rows, by which a load knows that it reads the same file that it has checked. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { ChangedFilesError } from "../../../api/shared/runtime/errors.ts";
import { readFile, type LoadRun } from "../../../ingest/load/open-file.ts";
import { cutFile, surveyFiles } from "../../../ingest/load/read-files.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const NAME = "BasicCompanyData-2026-11-01-part1_2.csv";
const bytes = readFileSync(`${SAMPLE}/companies/${NAME}`);
const changed = Buffer.from(bytes.toString().replace("LIMITED", "LIMITEX"));

/** A load of a file with this content, which comes in pieces of this many bytes. */
function loadOf(content: Buffer, piece = content.length): LoadRun {
  const pieces = Array.from({ length: Math.ceil(content.length / piece) }, (_none, at) =>
    content.subarray(at * piece, (at + 1) * piece),
  );
  const input = { label: NAME, name: NAME, totalBytes: content.length, readBytes: () => 0 };
  const plan = { encoding: "utf-8", limits: { rows: 10, bytes: 1_000_000 } };
  // The cast: reading a file uses nothing else of a load.
  return {
    context: { isStopping: () => false },
    open: () => Promise.resolve({ ...input, stream: Readable.from(pieces) }),
    watch: () => ({ onProgress: () => undefined, end: () => undefined }),
    record: { files: [NAME], plan, started_at: "2026-11-21T06:12:00.000Z" },
  } as unknown as LoadRun;
}

function checksumOf(content: Buffer, piece?: number): Promise<number> {
  const reading = { path: NAME, phase: "survey", mendedOf: () => undefined } as const;
  return readFile(loadOf(content, piece), reading, async (file) => {
    let rows = 0;
    for await (const chunk of file.rows) rows += chunk.length;
    expect(rows).toBeGreaterThan(50);
    return file.checksum;
  });
}

it("the checksum is the same for pieces of any size, such as unpacking gives, and another for other rows", async () => {
  const whole = await checksumOf(bytes);
  expect(await checksumOf(bytes, 1_000)).toBe(whole);
  expect(await checksumOf(bytes, 777)).toBe(whole);
  expect(await checksumOf(changed)).not.toBe(whole);
});

it("the check of a file shows how many rows it has read so far, blank lines not counted", async () => {
  const shown: number[] = [];
  const watch = () => ({ onProgress: (done: number) => shown.push(done), end: () => undefined });
  const content = Buffer.from(`${bytes.toString()}\r\n\r\n`);
  const { surveys } = await surveyFiles({ ...loadOf(content, 1_000), watch });
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.at(-1)).toBe(surveys[0]?.rows);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
});

it("a load fails if a file has other rows than when it was checked, even if they are as many", async () => {
  const { surveys } = await surveyFiles(loadOf(bytes));
  const cut = (content: Buffer) => cutFile(loadOf(content), surveys[0]!, { take: () => Promise.resolve() });
  expect(await cut(bytes)).toBeGreaterThan(50);
  await expect(cut(changed)).rejects.toThrow(ChangedFilesError);
  await expect(cut(changed)).rejects.toThrow(
    `${NAME} changed while it was loaded: some of its rows have other`,
  );
});

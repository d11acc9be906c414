import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import type { LoadRun } from "../../../ingest/load/open-file.ts";
import { cutFile, surveyFiles } from "../../../ingest/load/read-files.ts";
import { spoolStandardInput } from "../../../ingest/commands/load.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const FILE = `${SAMPLE}/companies/dissolved-extract.csv`;
const bytes = readFileSync(FILE);
const context = { isStopping: () => false };
const watch = () => ({ onProgress: () => undefined, end: () => undefined });
const plan = { encoding: "utf-8", limits: { rows: 5, bytes: 1_000_000 } };

describe("standard input", () => {
  it.each([
    ["plain", [bytes]],
    ["gzip", [gzipSync(bytes)]],
    ["gzip whose first byte comes alone", [gzipSync(bytes).subarray(0, 1), gzipSync(bytes).subarray(1)]],
  ])("%s is read twice, as every file of a load is", async (_name, chunks) => {
    const { open, remove } = await spoolStandardInput([FILE, "-"], Readable.from(chunks));
    try {
      // The cast: the rest is not asked for.
      const run = { context, open, watch, record: { files: [FILE, "-"], plan } } as unknown as LoadRun;
      const { surveys } = await surveyFiles(run);
      expect(surveys.map(({ file, rows }) => [file, rows])).toEqual([
        [FILE, 12],
        ["standard input", 12],
      ]);
      const lines: number[] = [];
      const take = ({ rows }: { rows: { line: number }[] }) =>
        Promise.resolve(void lines.push(...rows.map(({ line }) => line)));
      for (const survey of surveys) await cutFile(run, survey, { take });
      expect(lines).toHaveLength(24);
    } finally {
      await remove();
    }
    await expect(open("-")).rejects.toThrow(/no such file/);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["the gzip of nothing", gzipSync("")],
  ])("that is %s is refused, by a name that its reader knows", async (_name, input) => {
    const spooling = spoolStandardInput(["-"], Readable.from([input]));
    await expect(spooling).rejects.toThrow(/^standard input is empty/);
  });

  it("is left alone where no file is it", async () => {
    const input = Readable.from([bytes]);
    const { open, remove } = await spoolStandardInput([FILE], input);
    const { stream } = await open(FILE);
    stream.destroy();
    await remove();
    expect(input.readableDidRead).toBe(false);
  });
});

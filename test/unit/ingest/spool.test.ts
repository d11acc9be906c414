import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { cutSurveyed } from "../../../ingest/load/cut-file.ts";
import { spoolStandardInput } from "../../../ingest/load/spool.ts";
import { surveyFiles } from "../../../ingest/load/survey.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const FILE = `${SAMPLE}/companies/dissolved-extract.csv`;
const bytes = readFileSync(FILE);
const observer = { onProgress: () => undefined, isStopping: () => false };
const HOW = { as: undefined, encoding: "utf-8" as const };

describe("standard input", () => {
  it.each([
    ["plain", bytes],
    ["gzip", gzipSync(bytes)],
  ])("%s is read twice, as every file of a load is", async (_name, input) => {
    const { open, remove } = await spoolStandardInput([FILE, "-"], Readable.from([input]));
    try {
      const surveys = await surveyFiles({ files: [FILE, "-"], ...HOW }, open, () => observer);
      expect(surveys.map(({ file, rows }) => [file, rows])).toEqual([
        [FILE, 12],
        ["standard input", 12],
      ]);
      const lines: number[] = [];
      const take = ({ rows }: { rows: { line: number }[] }) =>
        Promise.resolve(void lines.push(...rows.map(({ line }) => line)));
      for (const survey of surveys) {
        const limits = { rows: 5, bytes: 1_000_000 };
        await cutSurveyed(await open(survey.path), survey, { ...HOW, ...observer, limits, take });
      }
      expect(lines).toHaveLength(24);
    } finally {
      await remove();
    }
    await expect(open("-")).rejects.toThrow(/no such file/);
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

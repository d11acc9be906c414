import { readdirSync, readFileSync } from "node:fs";
import { open as openFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runInThisContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { LoadRun } from "../../../ingest/load/open-file.ts";
import { cutFile, surveyFiles } from "../../../ingest/load/read-files.ts";
import { spoolStandardInput } from "../../../ingest/commands/load.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { SAMPLE } from "../../support/sample-register.ts";

const FILE = `${SAMPLE}/companies/dissolved-extract.csv`;
const bytes = readFileSync(FILE);

/** A load of these files. */
function loadOf(files: string[], open: LoadRun["open"]): LoadRun {
  const plan = { encoding: "utf-8", limits: { rows: 5, bytes: 1_000_000 } };
  // The cast: nothing else of a load is used.
  return {
    context: { isStopping: () => false },
    open,
    watch: () => ({ onProgress: () => undefined, end: () => undefined }),
    record: { files, plan, started_at: "2026-11-21T06:12:00.000Z" },
  } as unknown as LoadRun;
}

const folder = makeOwnFolder();
// The real process's env: this test's process.env is a copy that os.tmpdir() does not read.
const { env } = runInThisContext("process") as NodeJS.Process;
const usual = env.TMPDIR;
beforeEach(() => {
  env.TMPDIR = folder;
});
afterEach(() => {
  if (usual === undefined) delete env.TMPDIR;
  else env.TMPDIR = usual;
});

describe("standard input", () => {
  it.each([
    ["plain", [bytes]],
    ["gzip", [gzipSync(bytes)]],
    ["gzip whose first byte comes alone", [gzipSync(bytes).subarray(0, 1), gzipSync(bytes).subarray(1)]],
  ])("that is %s is read twice, as every file of a load is", async (_name, chunks) => {
    const { open, remove } = await spoolStandardInput([FILE, "-"], Readable.from(chunks));
    try {
      const run = loadOf([FILE, "-"], open);
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
    await expect(open("-")).rejects.toThrow(/"fd" is out of range/);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["the gzip of nothing", gzipSync("")],
  ])("that is %s is refused under the name that the user knows", async (_name, input) => {
    const spooling = spoolStandardInput(["-"], Readable.from([input]));
    await expect(spooling).rejects.toThrow(/^standard input is empty/);
  });

  it("that is a terminal is not waited for", async () => {
    const terminal = Object.assign(new Readable({ read: () => undefined }), { isTTY: true });
    await expect(spoolStandardInput(["-"], terminal)).rejects.toThrow(
      /^standard input is a terminal; pipe the bytes of a bulk file into it/,
    );
  });

  it("has no name in the temporary folder, so that it disappears with the process", async () => {
    const { open, remove } = await spoolStandardInput(["-"], Readable.from([bytes]));
    expect(readdirSync(folder)).toEqual([]);
    const { stream, totalBytes } = await open("-");
    expect(Buffer.concat(await stream.toArray())).toEqual(bytes);
    expect(totalBytes).toBe(bytes.length);
    await remove();
  });

  it("that cannot be copied is reported in one sentence with the temporary folder", async () => {
    env.TMPDIR = join(folder, "missing");
    const spooling = spoolStandardInput(["-"], Readable.from([bytes]));
    const sentence = `the temporary folder ${env.TMPDIR} (TMPDIR) has no room or cannot be written: `;
    await expect(spooling).rejects.toThrow(CommandError);
    await expect(spooling).rejects.toThrow(sentence);
  });

  it("whose copy finds no room is reported in that sentence, too", async () => {
    const handle = await openFile(FILE);
    await handle.close();
    const writing = jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, "writeFile");
    const noRoom = new Error("ENOSPC: no space left on device, write");
    writing.mockRejectedValue(Object.assign(noRoom, { syscall: "write" }));
    const spooling = spoolStandardInput(["-"], Readable.from([bytes]));
    await expect(spooling).rejects.toThrow(
      `the temporary folder ${folder} (TMPDIR) has no room or cannot be written: ENOSPC`,
    );
    writing.mockRestore();
  });

  it.each([
    ["cut off", gzipSync(bytes).subarray(0, 900), /^standard input is cut or damaged: /],
    ["of no format", Buffer.from("neither,of,these\n".repeat(100_000)), /unknown format/],
  ])("that is %s is refused for that reason only", async (_name, input, sentence) => {
    const loading = async () => {
      const { open, remove } = await spoolStandardInput(["-"], Readable.from([input]));
      try {
        await surveyFiles(loadOf(["-"], open));
      } finally {
        await remove();
      }
    };
    await expect(loading()).rejects.toThrow(sentence);
  });

  it("is not read if no file is standard input", async () => {
    const input = Readable.from([bytes]);
    const { open, remove } = await spoolStandardInput([FILE], input);
    const { stream } = await open(FILE);
    stream.destroy();
    await remove();
    expect(input.readableDidRead).toBe(false);
  });
});

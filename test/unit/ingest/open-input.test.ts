import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { openInput } from "../../../ingest/readers/open-input.ts";

const FIXTURES = "test/fixtures/register/companies";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-input-"));
  await writeFile(join(folder, "plain.txt"), "some text\n");
  await writeFile(join(folder, "packed.txt.gz"), gzipSync("some text\n"));
  await writeFile(join(folder, "empty.txt"), "");
  const zip = await readFile(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
  await writeFile(join(folder, "cut.zip"), zip.subarray(0, 5_000));
});

afterAll(() => rm(folder, { recursive: true }));

describe("openInput", () => {
  it.each(["plain.txt", "packed.txt.gz"])("reads %s under its plain name", async (name) => {
    const input = await openInput(join(folder, name));
    expect(await text(input.stream)).toBe("some text\n");
    expect(input.name).toMatch(/^(plain|packed)\.txt$/);
    expect(input.readBytes()).toBe(input.totalBytes);
  });

  it("reads the one member of a zip under the member's name", async () => {
    const input = await openInput(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
    const content = await text(input.stream);
    expect(content.split("\r\n").length).toBeGreaterThan(200);
    expect(input.name).toMatch(/^BasicCompanyDataAsOneFile-2026-11-01\.csv$/);
    expect(input.readBytes()).toBe(input.totalBytes);
  });

  it.each([
    ["plain", Buffer.from("some text\n")],
    ["packed", gzipSync("some text\n")],
  ])("reads %s standard input", async (_kind, bytes) => {
    const input = await openInput("-", Readable.from([bytes]));
    expect(await text(input.stream)).toBe("some text\n");
  });

  it.each([
    ["absent.csv", "there is no such file"],
    ["empty.txt", "it is empty"],
    ["cut.zip", "is not a whole zip file"],
  ])("says what is wrong with %s", async (name, reason) => {
    await expect(openInput(join(folder, name))).rejects.toThrow(reason);
  });

  it("refuses a zip on standard input with a way out", async () => {
    const zip = await readFile(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
    await expect(openInput("-", Readable.from([zip]))).rejects.toThrow("give the file's name");
  });
});

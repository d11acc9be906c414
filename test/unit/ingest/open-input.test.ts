import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, readlink, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { SourceError } from "../../../api/shared/runtime/errors.ts";
import { openInput, openUnlinked } from "../../../ingest/readers/open-input.ts";
import { SAMPLE } from "../../support/sample-register.ts";
import { waitUntil } from "../../support/wait-until.ts";

const FIXTURES = `${SAMPLE}/companies`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-input-"));
  await writeFile(join(folder, "plain.txt"), "some text\n");
  await writeFile(join(folder, "packed.txt.gz"), gzipSync("some text\n"));
  await writeFile(join(folder, "empty.txt"), "");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const zip = await readFile(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
  await writeFile(join(folder, "none.zip"), Buffer.concat([Buffer.from("PK\u0005\u0006"), Buffer.alloc(18)]));
  const locked = Buffer.from(zip);
  // The flag of an encrypted member, in its own header and in the list of members.
  locked.writeUInt16LE(locked.readUInt16LE(6) | 1, 6);
  const entry = locked.lastIndexOf(Buffer.from("PK\u0001\u0002")) + 8;
  locked.writeUInt16LE(locked.readUInt16LE(entry) | 1, entry);
  await writeFile(join(folder, "locked.zip"), locked);
  const deflate64 = Buffer.from(zip);
  deflate64.writeUInt16LE(9, 8);
  deflate64.writeUInt16LE(9, zip.lastIndexOf(Buffer.from("PK\u0001\u0002")) + 10);
  await writeFile(join(folder, "deflate64.zip"), deflate64);
  await writeFile(join(folder, "cut.zip"), zip.subarray(0, 5_000));
  await writeFile(join(folder, "three.zip"), listOfMembers(["1.csv", "2.csv", "3.csv"]));
  const five = ["1.csv", "2.csv", "3.csv", "4.csv", "5.csv"];
  await writeFile(join(folder, "more.zip"), listOfMembers(five));
  const sheet = "xl/worksheets/sheet1.xml";
  await writeFile(join(folder, "excel.xlsx"), listOfMembers(["[Content_Types].xml", "_rels/.rels", sheet]));
  await writeFile(join(folder, "written.xlsx"), listOfMembers([sheet, "a", "b", "c", "[Content_Types].xml"]));
  await writeFile(join(folder, "calc.ods"), listOfMembers(["mimetype", "content.xml"]));
  await writeFile(join(folder, "old.xls"), Buffer.from("d0cf11e0a1b11ae1", "hex"));
});

/** A zip's beginning, the list of its members, and its end. */
function listOfMembers(names: string[]): Buffer {
  const members = names.map((name) => {
    const entry = Buffer.alloc(46);
    entry.write("PK\u0001\u0002");
    entry.writeUInt16LE(name.length, 28);
    return Buffer.concat([entry, Buffer.from(name)]);
  });
  const list = Buffer.concat(members);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(4, 16);
  return Buffer.concat([Buffer.from("PK\u0003\u0004"), list, end]);
}

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
    ["empty.txt", /it is empty$/],
    [".", "it is a folder; name the files in it"],
    ["pipe", "load it as - from standard input"],
    ["none.zip", "contains no file, but a bulk zip contains one"],
    ["three.zip", "contains 3 files (1.csv, 2.csv, 3.csv), but a bulk zip contains one"],
    ["more.zip", "contains more than 3 files (1.csv, 2.csv, 3.csv, …), but a bulk zip contains one"],
    ["excel.xlsx", "is a spreadsheet: save it as CSV"],
    ["written.xlsx", "is a spreadsheet: save it as CSV"],
    ["calc.ods", "is a spreadsheet: save it as CSV"],
    ["old.xls", "is a spreadsheet: save it as CSV"],
    ["locked.zip", "is encrypted; unpack it with its password"],
    ["deflate64.zip", "is compressed by an unsupported method (9); unpack it and load the file"],
    ["cut.zip", /is not a whole zip file: .*; download or save it again$/],
  ])("says what is wrong with %s", async (name, reason) => {
    await expect(openInput(join(folder, name))).rejects.toThrow(reason);
  });

  it("refuses a zip on standard input, and asks for the name of the file", async () => {
    const zip = await readFile(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
    await expect(openInput("-", Readable.from([zip]))).rejects.toThrow("give the file's name");
  });
});

describe("openUnlinked", () => {
  it.each(["plain.txt", "three.zip"])("does not follow a link, such as %s", async (name) => {
    const link = join(folder, `link to ${name}`);
    await symlink(join(folder, name), link);
    await expect(openUnlinked(link)).rejects.toThrow(
      `${link} cannot be read: it is a symbolic link; put the file itself there`,
    );
  });

  it.each(["plain.txt", "packed.txt.gz"])("reads %s to its end", async (name) => {
    expect(await text((await openUnlinked(join(folder, name))).stream)).toBe("some text\n");
  });
});

describe("a stream that fails midway", () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `row ${at} ${Math.sin(at)}\n`).join("");

  /** Reads to the end as a load does. */
  async function readAll(stream: Readable): Promise<number> {
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length;
    return bytes;
  }

  async function isOpen(path: string): Promise<boolean> {
    // Only Linux has the list of open files; elsewhere this is not checked.
    const numbers = await readdir("/proc/self/fd").catch(() => []);
    const targets = await Promise.all(numbers.map((at) => readlink(`/proc/self/fd/${at}`).catch(() => "")));
    return targets.includes(path);
  }

  async function expectFault(path: string, reason: string): Promise<void> {
    const { stream } = await openInput(path);
    const fault: unknown = await readAll(stream).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SourceError);
    expect((fault as Error).message).toBe(`${path} is cut or damaged: ${reason}; download it again`);
    await expectClosed(path);
  }

  function expectClosed(path: string): Promise<void> {
    return waitUntil(async () => !(await isOpen(path)), `${path} is closed`);
  }

  it("says that a gzip is cut", async () => {
    const path = join(folder, "cut.gz");
    const packed = gzipSync(lines);
    await writeFile(path, packed.subarray(0, packed.length / 2));
    await expectFault(path, "unexpected end of file");
  });

  it("says that a gzip is damaged", async () => {
    const path = join(folder, "damaged.gz");
    const packed = gzipSync(lines);
    await writeFile(path, packed.fill(0xff, packed.length / 2, packed.length / 2 + 50));
    await expectFault(path, "incorrect data check");
  });

  it("says that a zip's member is damaged, by its checksum if the bytes still unpack", async () => {
    const path = join(folder, "damaged.zip");
    const zip = await readFile(join(FIXTURES, "BasicCompanyDataAsOneFile-2026-11-01.zip"));
    await writeFile(path, Buffer.from(zip).fill(0xff, 4_000, 4_050));
    const { stream } = await openInput(path);
    await expect(readAll(stream)).rejects.toThrow(
      /^\S+damaged\.zip is cut or damaged: .*; download it again$/,
    );
    await expectClosed(path);
    const sums = Buffer.from(zip);
    const directory = sums.indexOf(Buffer.from("PK\u0001\u0002", "latin1"));
    sums.writeUInt32LE(1, directory + 16);
    await writeFile(path, sums);
    await expectFault(path, "its checksum is wrong");
  });

  it.each(["plain", "packed"])("says that %s standard input cannot be read", async (kind) => {
    const bytes = kind === "packed" ? gzipSync(lines) : Buffer.from(lines);
    let isFirst = true;
    const failing = new Readable({
      read() {
        if (isFirst) this.push(bytes.subarray(0, 1000));
        else
          setImmediate(() =>
            this.destroy(Object.assign(new Error("EIO: i/o error, read"), { syscall: "read" })),
          );
        isFirst = false;
      },
    });
    const { stream } = await openInput("-", failing);
    const reading = readAll(stream);
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toThrow("standard input cannot be read to its end: EIO: i/o error, read");
    expect(failing.destroyed).toBe(true);
  });

  it.each(["unread.gz", "unread.txt"])("closes %s when its reader stops early", async (name) => {
    const path = join(folder, name);
    await writeFile(path, name.endsWith(".gz") ? gzipSync(lines) : lines);
    const { stream } = await openInput(path);
    for await (const chunk of stream) if (chunk) break;
    await expectClosed(path);
    const unread = await openInput(path);
    unread.stream.destroy();
    await expectClosed(path);
  });
});

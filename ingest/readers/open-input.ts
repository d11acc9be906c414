/** Owns the way from a path to a stream of the bulk file's own bytes: plain, gzip, zip or standard input. */
import { constants, createReadStream } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { PassThrough, Transform, type Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import yauzl from "yauzl";
import { SourceError, messageOf } from "../../api/core/errors.ts";
import { showText } from "./show-bytes.ts";

/** A bulk file open for reading. */
export interface Input {
  /** The path as it was given, for people. */
  label: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member. */
  name: string;
  /** Fails with a SourceError. Destroying it closes the file behind it. */
  stream: Readable;
  /** Bytes to come, as far as they can be known beforehand: undefined for standard input. */
  totalBytes: number | undefined;
  /** Bytes consumed so far, in the same measure as `totalBytes`. */
  readBytes: () => number;
}

const ZIP_MAGIC = Buffer.from("PK\u0003\u0004", "latin1");
// A zip without members is its closing record alone.
const EMPTY_ZIP_MAGIC = Buffer.from("PK\u0005\u0006", "latin1");
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

// What the system's commonest faults mean to a person.
const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "this user may not read it",
};

/** Opens a path, or standard input for `-`. Throws SourceError saying what cannot be read and why. */
export async function openInput(path: string, standardInput: Readable = process.stdin): Promise<Input> {
  if (path === "-") return openStandardInput(standardInput);
  const { size, magic } = await inspect(path);
  if (magic.equals(ZIP_MAGIC) || magic.equals(EMPTY_ZIP_MAGIC)) return openZip(path);
  const file = countBytes(createReadStream(path), path);
  const isGzip = magic.subarray(0, 2).equals(GZIP_MAGIC);
  return {
    label: path,
    name: basename(path).replace(/\.gz$/i, ""),
    stream: isGzip ? gunzip(file.stream, path) : file.stream,
    totalBytes: size,
    readBytes: file.readBytes,
  };
}

/** Throws SourceError for a path that names no file that could be read, whatever its content; `-` is one. */
export async function requireFile(path: string): Promise<void> {
  if (path === "-") return;
  await explain(path, async () => {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error("it is a folder; name the files in it");
    // A pipe is read once, and opening one that nobody writes to never ends.
    if (!found.isFile())
      throw new Error("it is no file but a pipe or device; load it as - from standard input");
    await access(path, constants.R_OK);
  });
}

async function inspect(path: string): Promise<{ size: number; magic: Buffer }> {
  await requireFile(path);
  return explain(path, async () => {
    const { size } = await stat(path);
    if (size === 0) throw new Error("it is empty; get it again");
    const file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
    return { size, magic: buffer.subarray(0, bytesRead) };
  });
}

async function explain<T>(path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? messageOf(error);
    throw new SourceError(`${path} cannot be read: ${reason}`);
  }
}

async function openStandardInput(standardInput: Readable): Promise<Input> {
  const label = "standard input";
  const counted = countBytes(standardInput, label);
  const first = await peek(counted.stream);
  if (first.subarray(0, 4).equals(ZIP_MAGIC)) {
    counted.stream.destroy();
    throw new SourceError(
      "a zip cannot be read from standard input: its list of members stands at its end; give the file's name",
    );
  }
  const isGzip = first.subarray(0, 2).equals(GZIP_MAGIC);
  return {
    label,
    name: label,
    stream: isGzip ? gunzip(counted.stream, label) : counted.stream,
    totalBytes: undefined,
    readBytes: counted.readBytes,
  };
}

/** The first chunk of a stream, put back so that it is read again. */
async function peek(stream: Readable): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    stream.once("readable", resolve);
    stream.once("end", resolve);
    stream.once("error", reject);
  });
  const chunk = stream.read() as Buffer | null;
  if (chunk) stream.unshift(chunk);
  return chunk ?? Buffer.alloc(0);
}

/** Opens the one member of a zip; zip64 included. */
async function openZip(path: string): Promise<Input> {
  const refuse = (error: unknown): never => {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${path} is not a whole zip file: ${messageOf(error)}; get it again`);
  };
  // The archive is closed with its member's stream, not when its list of members has been read.
  const archive = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    const member = await findMember(archive, path).catch(refuse);
    const unpacked = await archive.openReadStreamPromise(member).catch(refuse);
    const counted = countBytes(unpacked, path, member.crc32);
    counted.stream.once("close", () => archive.close());
    return {
      label: path,
      name: basename(member.fileName),
      stream: counted.stream,
      totalBytes: member.uncompressedSize,
      readBytes: counted.readBytes,
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

// Names of members that an error tells.
const SHOWN_MEMBERS = 3;

async function findMember(archive: yauzl.ZipFile, path: string): Promise<yauzl.Entry> {
  const members: yauzl.Entry[] = [];
  for await (const entry of archive.eachEntry()) if (!entry.fileName.endsWith("/")) members.push(entry);
  const [member] = members;
  if (!member) throw new SourceError(`${path} holds no file where a bulk zip holds one; get it again`);
  if (members.length > 1) {
    const names = members.slice(0, SHOWN_MEMBERS).map(({ fileName }) => showText(fileName));
    const more = members.length > SHOWN_MEMBERS ? ", …" : "";
    throw new SourceError(
      `${path} holds ${members.length} files (${names.join(", ")}${more}) where a bulk zip holds one; unpack it and load the files`,
    );
  }
  if (member.isEncrypted())
    throw new SourceError(`${path} is encrypted; unpack it with its password and load the file`);
  return member;
}

/** Unpacked bytes. The stage behind the unpacker turns its faults into sentences. */
function gunzip(source: Readable, label: string): Readable {
  return link(link(source, createGunzip(), label), new PassThrough(), label);
}

/** Counts what passes; with a checksum (CRC-32), what passed is checked against it at the end. */
function countBytes(
  source: Readable,
  label: string,
  checksum?: number,
): { stream: Readable; readBytes: () => number } {
  let bytes = 0;
  let sum = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (checksum !== undefined) sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush: (done) => {
      const isWhole = checksum === undefined || sum === checksum;
      done(isWhole ? null : faultOf(label, new Error("its checksum is wrong")));
    },
  });
  return { stream: link(source, counter, label), readBytes: () => bytes };
}

/** Pipes, with what a pipe leaves out: a fault travels on, as a SourceError, and both ends close together. */
function link<Target extends Transform>(source: Readable, target: Target, label: string): Target {
  source.once("error", (error) => target.destroy(faultOf(label, error)));
  source.once("close", () => {
    if (!source.readableEnded) target.destroy(faultOf(label, new Error("it was closed before its end")));
  });
  target.once("close", () => source.destroy());
  // A fault before anybody reads is kept for the reader; unheard, it would end the process.
  target.on("error", () => undefined);
  return source.pipe(target);
}

function faultOf(label: string, error: Error): SourceError {
  if (error instanceof SourceError) return error;
  const isSystemFault = "syscall" in error;
  return new SourceError(
    isSystemFault
      ? `${label} cannot be read to its end: ${error.message}`
      : `${label} is cut or damaged: ${error.message}; get it again`,
  );
}

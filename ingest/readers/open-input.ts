/** Owns the way from a path to a stream of the bulk file's own bytes: plain, gzip, zip or standard input. */
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Transform, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import yauzl from "yauzl";
import { SourceError, messageOf } from "../../api/core/errors.ts";

/** A bulk file open for reading. */
export interface Input {
  /** The path as it was given, for people. */
  label: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member. */
  name: string;
  stream: Readable;
  /** Bytes to come, as far as they can be known beforehand: undefined for standard input. */
  totalBytes: number | undefined;
  /** Bytes consumed so far, in the same measure as `totalBytes`. */
  readBytes: () => number;
}

const ZIP_MAGIC = Buffer.from("PK\u0003\u0004", "latin1");
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Opens a path, or standard input for `-`. Throws SourceError saying what cannot be read and why. */
export async function openInput(path: string, standardInput: Readable = process.stdin): Promise<Input> {
  if (path === "-") return openStandardInput(standardInput);
  const { size, magic } = await inspect(path);
  if (magic.equals(ZIP_MAGIC)) return openZip(path);
  const file = countBytes(createReadStream(path));
  const isGzip = magic.subarray(0, 2).equals(GZIP_MAGIC);
  return {
    label: path,
    name: basename(path).replace(/\.gz$/i, ""),
    stream: isGzip ? gunzip(file.stream) : file.stream,
    totalBytes: size,
    readBytes: file.readBytes,
  };
}

async function inspect(path: string): Promise<{ size: number; magic: Buffer }> {
  try {
    const { size } = await stat(path);
    const file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close());
    if (size === 0) throw new Error("it is empty");
    return { size, magic: buffer.subarray(0, bytesRead) };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new SourceError(`${path} cannot be read: ${isAbsent ? "there is no such file" : messageOf(error)}`);
  }
}

async function openStandardInput(standardInput: Readable): Promise<Input> {
  const counted = countBytes(standardInput);
  const first = await peek(counted.stream);
  if (first.subarray(0, 4).equals(ZIP_MAGIC)) {
    throw new SourceError(
      "a zip cannot be read from standard input: its list of members stands at its end; give the file's name",
    );
  }
  const isGzip = first.subarray(0, 2).equals(GZIP_MAGIC);
  return {
    label: "standard input",
    name: "standard input",
    stream: isGzip ? gunzip(counted.stream) : counted.stream,
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
  // The archive is closed with its member's stream, not when its list of members has been read.
  const archive = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false })
    .catch((error: unknown) => {
      throw new SourceError(`${path} is not a whole zip file: ${messageOf(error)}`);
    });
  const members: yauzl.Entry[] = [];
  for await (const entry of archive.eachEntry()) if (!entry.fileName.endsWith("/")) members.push(entry);
  const [member] = members;
  if (!member || members.length > 1) {
    archive.close();
    throw new SourceError(
      `${path} holds ${members.length} files where a bulk zip holds one; unpack it and load the files`,
    );
  }
  const counted = countBytes(await archive.openReadStreamPromise(member));
  counted.stream.once("close", () => archive.close());
  return {
    label: path,
    name: basename(member.fileName),
    stream: counted.stream,
    totalBytes: member.uncompressedSize,
    readBytes: counted.readBytes,
  };
}

function gunzip(source: Readable): Readable {
  const unpacked = createGunzip();
  source.once("error", (error) => unpacked.destroy(error));
  return source.pipe(unpacked);
}

function countBytes(source: Readable): { stream: Readable; readBytes: () => number } {
  let bytes = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  source.once("error", (error) => counter.destroy(error));
  return { stream: source.pipe(counter), readBytes: () => bytes };
}

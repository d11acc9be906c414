/** Opens a bulk file as a stream of its own bytes: plain, gzip, zip or standard input. */
import { once } from "node:events";
import { constants, createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename } from "node:path";
import { PassThrough, pipeline, Transform, type Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import yauzl from "yauzl";
import { SourceError, messageOf } from "../../api/shared/runtime/errors.ts";

export interface Input {
  label: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member. */
  name: string;
  /** Errors are SourceErrors. Destroying it closes the file. */
  stream: Readable;
  /** Undefined for standard input. */
  totalBytes: number | undefined;
  /** Bytes consumed so far, counted as `totalBytes` is. */
  readBytes: () => number;
}

// The last one starts an empty zip.
const ZIP_MAGICS = ["PK\u0003\u0004", "PK\u0005\u0006"];
const GZIP_MAGIC = "\u001f\u008b";
// Excel until 2007.
const XLS_MAGIC = "\u00d0\u00cf\u0011\u00e0";
const IS_SPREADSHEET = "is a spreadsheet: save it as CSV (UTF-8), with commas between the columns";

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "you have no right to read it",
};

/** Opens a path, or standard input for `-`. Throws SourceError with the reason. */
export async function openInput(path: string, standardInput: Readable = process.stdin): Promise<Input> {
  const isFile = path !== "-";
  const label = isFile ? path : "standard input";
  const totalBytes = await requireFile(path);
  if (totalBytes === 0) throw new SourceError(`${path} cannot be read: it is empty`);
  const source = isFile ? createReadStream(path) : standardInput;
  const magic = await peek(source, label);
  if (ZIP_MAGICS.includes(magic)) {
    source.destroy();
    if (isFile) return openZip(path);
    throw new SourceError("standard input cannot be a zip (its index is at its end); give the file's name");
  }
  if (magic === XLS_MAGIC) {
    source.destroy();
    throw new SourceError(`${label} ${IS_SPREADSHEET}`);
  }
  const name = isFile ? basename(path).replace(/\.gz$/i, "") : label;
  const isGzip = magic.startsWith(GZIP_MAGIC);
  return { label, name, totalBytes, ...unpack(source, { label, isGzip }) };
}

/** The size of a readable file, undefined for `-`. Throws SourceError. */
export async function requireFile(path: string): Promise<number | undefined> {
  if (path === "-") return undefined;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error("it is a folder; name the files in it");
    // A pipe can be read only once, and opening one without a writer never returns.
    if (!found.isFile())
      throw new Error("it is a pipe or device, not a file; load it as - from standard input");
    await access(path, constants.R_OK);
    return found.size;
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? messageOf(error);
    throw new SourceError(`${path} cannot be read: ${reason}`);
  }
}

/** The first bytes of a stream, at most four, without consuming them. */
async function peek(stream: Readable, label: string): Promise<string> {
  await Promise.race([once(stream, "readable"), once(stream, "end")]).catch((error: Error) => {
    throw toSourceError(label, error);
  });
  const chunk = stream.read() as Buffer | null;
  if (chunk) stream.unshift(chunk);
  return chunk?.toString("latin1", 0, 4) ?? "";
}

async function openZip(path: string): Promise<Input> {
  let archive: yauzl.ZipFile | undefined;
  try {
    // The archive closes with its member's stream, not after its list of members.
    archive = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
    const member = await findMember(archive, path);
    const { fileName, uncompressedSize: totalBytes, crc32: checksum } = member;
    const unpacked = unpack(await archive.openReadStreamPromise(member), { label: path, checksum });
    unpacked.stream.once("close", () => archive?.close());
    return { label: path, name: basename(fileName), totalBytes, ...unpacked };
  } catch (error) {
    archive?.close();
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${path} is not a whole zip file: ${messageOf(error)}; download or save it again`);
  }
}

// Limit: of a zip with more members the list is not read on; it may have hundreds of millions.
const SHOWN_MEMBERS = 3;
// Whichever of them the program that has saved it writes first.
const OF_SPREADSHEET = /^(\[Content_Types\]\.xml$|mimetype$|_rels\/|docProps\/|xl\/)/;

async function findMember(archive: yauzl.ZipFile, path: string): Promise<yauzl.Entry> {
  const members: yauzl.Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.endsWith("/")) members.push(entry);
    if (members.length > SHOWN_MEMBERS) break;
  }
  const [member] = members;
  if (!member)
    throw new SourceError(`${path} contains no file, but a bulk zip contains one; download it again`);
  if (members.some(({ fileName }) => OF_SPREADSHEET.test(fileName)))
    throw new SourceError(`${path} ${IS_SPREADSHEET}`);
  if (members.length > 1) {
    const names = members.slice(0, SHOWN_MEMBERS).map(({ fileName }) => fileName);
    const [count, more] =
      members.length > SHOWN_MEMBERS ? [`more than ${SHOWN_MEMBERS}`, ", …"] : [members.length, ""];
    throw new SourceError(
      `${path} contains ${count} files (${names.join(", ")}${more}), but a bulk zip contains one; unpack it and load the files`,
    );
  }
  if (member.isEncrypted())
    throw new SourceError(`${path} is encrypted; unpack it with its password and load the file`);
  // Windows Explorer makes such a file of more than 2 GB (Deflate64).
  if (!member.canDecodeFileData())
    throw new SourceError(
      `${path} is compressed by a method that is not read (${member.compressionMethod}); unpack it and load the file`,
    );
  return member;
}

/** Unpacks and counts bytes, checks a CRC-32. Errors become SourceErrors; both streams close together. */
function unpack(
  source: Readable,
  { label, isGzip = false, checksum }: { label: string; isGzip?: boolean; checksum?: number },
): Pick<Input, "stream" | "readBytes"> {
  let bytes = 0;
  let sum = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (checksum !== undefined) sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush: (done) => {
      done(checksum === undefined || sum === checksum ? null : new Error("its checksum is wrong"));
    },
  });
  const stream = new PassThrough({ destroy: (error, done) => done(error && toSourceError(label, error)) });
  // Keeps an early error for the reader: without a listener it would end the process.
  stream.on("error", () => undefined);
  pipeline([source, counter, ...(isGzip ? [createGunzip()] : []), stream], () => undefined);
  return { stream, readBytes: () => bytes };
}

function toSourceError(label: string, error: NodeJS.ErrnoException): SourceError {
  if (error instanceof SourceError) return error;
  if ("syscall" in error) return new SourceError(`${label} cannot be read to its end: ${error.message}`);
  const isEarly = error.code === "ERR_STREAM_PREMATURE_CLOSE";
  const reason = isEarly ? "it was closed before its end" : error.message;
  return new SourceError(`${label} is cut or damaged: ${reason}; download it again`);
}

/** Opens a bulk file (plain, gzip or zip) or standard input as a stream of unpacked bytes. */
import { once } from "node:events";
import { constants } from "node:fs";
import { access, open, stat, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { PassThrough, pipeline, Readable, Transform } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import yauzl from "yauzl";
import { SourceError, messageOf } from "../../api/shared/runtime/errors.ts";

export interface Input {
  label: string;
  /** The base name without `.gz`; for a zip the name of its one member. */
  name: string;
  /** Errors are SourceErrors. Destroying it closes the file. */
  stream: Readable;
  /** Undefined for standard input. */
  totalBytes: number | undefined;
  /** Bytes consumed so far, counted as `totalBytes` is. */
  readBytes: () => number;
}

// The second one starts an empty zip.
const ZIP_MAGICS = ["PK\u0003\u0004", "PK\u0005\u0006"];
const GZIP_MAGIC = "\u001f\u008b";
// Excel until 2007.
const XLS_MAGIC = "\u00d0\u00cf\u0011\u00e0";
const IS_SPREADSHEET = "is a spreadsheet: save it as CSV (UTF-8), with commas between the columns";

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "you have no right to read it",
  ELOOP: "it is a symbolic link; put the file itself there",
};

/** Opens a path, or standard input for `-`. Throws SourceError with the reason. */
export async function openInput(path: string, standardInput: Readable = process.stdin): Promise<Input> {
  if (path !== "-") return openFile(path, 0);
  const label = "standard input";
  const magic = await peek(standardInput, label);
  const [isZip, isXls] = [ZIP_MAGICS.includes(magic), magic === XLS_MAGIC];
  if (isZip || isXls) standardInput.destroy();
  if (isZip)
    throw new SourceError("standard input cannot be a zip (its index is at its end); give the file's name");
  if (isXls) throw new SourceError(`${label} ${IS_SPREADSHEET}`);
  const isGzip = magic.startsWith(GZIP_MAGIC);
  return { label, name: label, totalBytes: undefined, ...unpack(standardInput, { label, isGzip }) };
}

/** Opens a path that others may change at any moment. Does not follow a symbolic link. Throws SourceError. */
export function openUnlinked(path: string): Promise<Input> {
  // If a pipe has replaced the file, opening it must not block.
  return openFile(path, constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

async function openFile(path: string, flags: number): Promise<Input> {
  await requireFile(path);
  const file = await open(path, constants.O_RDONLY | flags).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const { size: totalBytes } = await file.stat();
    if (totalBytes === 0) throw new SourceError(`${path} cannot be read: it is empty`);
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString("latin1");
    if (ZIP_MAGICS.includes(magic)) return await openZip(file, { path, totalBytes });
    if (magic === XLS_MAGIC) throw new SourceError(`${path} ${IS_SPREADSHEET}`);
    const isGzip = magic.startsWith(GZIP_MAGIC);
    const name = basename(path).replace(/\.gz$/i, "");
    return {
      label: path,
      name,
      totalBytes,
      ...unpack(file.createReadStream({ start: 0 }), { label: path, isGzip }),
    };
  } catch (error) {
    await file.close();
    throw toSourceError(path, error as Error);
  }
}

/** Throws SourceError unless the path is a file that can be read, or `-`. */
export async function requireFile(path: string): Promise<void> {
  if (path === "-") return;
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error("it is a folder; name the files in it");
    // A pipe can be read only once, and opening one without a writer never returns.
    if (!found.isFile())
      throw new Error("it is a pipe or device, not a file; load it as - from standard input");
    await access(path, constants.R_OK);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): SourceError {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? messageOf(error);
  return new SourceError(`${path} cannot be read: ${reason}`);
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

const CHUNK_BYTES = 65_536;

/** Lets yauzl read an archive from an open file, and closes the file with the archive. */
class FileReader extends yauzl.RandomAccessReader {
  constructor(private readonly file: FileHandle) {
    super();
  }

  // Does not use the file's own streams, which close the file at their end.
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.readRange(start, end), { objectMode: false });
  }

  override close(done: (error: Error | null) => void): void {
    this.file.close().then(() => done(null), done);
  }

  private async *readRange(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
      const { bytesRead } = await this.file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }
}

async function openZip(
  file: FileHandle,
  { path, totalBytes }: { path: string; totalBytes: number },
): Promise<Input> {
  try {
    // Not closed after the list of members: the archive closes with its member's stream.
    const options = { lazyEntries: true, autoClose: false };
    const archive = await yauzl.fromRandomAccessReaderPromise(new FileReader(file), totalBytes, options);
    const member = await findMember(archive, path);
    const { fileName, uncompressedSize, crc32: checksum } = member;
    const unpacked = unpack(await archive.openReadStreamPromise(member), { label: path, checksum });
    unpacked.stream.once("close", () => archive.close());
    return { label: path, name: basename(fileName), totalBytes: uncompressedSize, ...unpacked };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${path} is not a whole zip file: ${messageOf(error)}; download or save it again`);
  }
}

// Limit: beyond this many members the list of a zip is not read on; it may have hundreds of millions.
const SHOWN_MEMBERS = 3;
// Programs that save spreadsheets differ in which of these members they write first.
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
  // Windows Explorer compresses a file of more than 2 GB this way (Deflate64).
  if (!member.canDecodeFileData())
    throw new SourceError(
      `${path} is compressed by an unsupported method (${member.compressionMethod}); unpack it and load the file`,
    );
  return member;
}

/** Unpacks gzip, counts bytes and checks a CRC-32. Errors become SourceErrors; both streams close together. */
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
  // Without a listener an error before the first read would end the process; the stream keeps it for its reader.
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

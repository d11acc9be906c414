/** Owns standard input as a file: a load reads each of its files twice. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openInput, type Input } from "../readers/open-input.ts";

/** Opens a file of the load, as often as it is asked to. */
export type FileOpener = (path: string) => Promise<Input>;

const STANDARD_INPUT = "-";

/** Keeps what comes over standard input, where it is among the files, in a temporary file until `remove`. */
export async function spoolStandardInput(
  files: string[],
  standardInput?: Readable,
): Promise<{ open: FileOpener; remove: () => Promise<void> }> {
  if (!files.includes(STANDARD_INPUT))
    return { open: (path) => openInput(path), remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), "company-register-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const spooled = join(folder, "standard input");
    // Unpacked once: what is kept is the bulk file itself.
    const { stream, label, name } = await openInput(STANDARD_INPUT, standardInput);
    await pipeline(stream, createWriteStream(spooled));
    const open: FileOpener = async (path) =>
      path === STANDARD_INPUT ? { ...(await openInput(spooled)), label, name } : openInput(path);
    return { open, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

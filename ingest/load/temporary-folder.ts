/** Owns temporary folders: each is there until its process removes it or, where that was killed, until a later one does. */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, messageOf } from "../../api/shared/runtime/errors.ts";

const own = new Set<string>();

/** Temporary files cannot be written, or read again: no fault of what is loaded. */
export class TemporaryFolderError extends CommandError {
  constructor(cause: unknown) {
    super(
      `the temporary folder ${tmpdir()} (TMPDIR) has no room or cannot be written: ${messageOf(cause)}. ` +
        "Free some room, or set TMPDIR to another folder",
      { cause },
    );
  }
}

/** Makes a folder. Throws TemporaryFolderError where there is none to be had. */
export function makeTemporaryFolder(): string {
  return withTemporaryFiles(() => {
    // Processes of other machines and containers may use the same folder; their ids say nothing here.
    const prefix = `company-register-${hostname()}-`;
    removeLeft(prefix);
    const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
    own.add(folder);
    return folder;
  });
}

/** What `work` with temporary files returns; its faults are those of their folder. */
export function withTemporaryFiles<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new TemporaryFolderError(error);
  }
}

/** None where it may be written, but not listed. */
function listFolder(): string[] {
  try {
    return readdirSync(tmpdir());
  } catch {
    return [];
  }
}

function removeLeft(prefix: string): void {
  for (const name of listFolder().filter((one) => one.startsWith(prefix))) {
    const [, pid] = /^(\d+)-\w+$/.exec(name.slice(prefix.length)) ?? [];
    const folder = join(tmpdir(), name);
    if (pid === undefined || isUsed(Number(pid), folder)) continue;
    try {
      // One of another user is left to them, also by root: whoever owns it could lead elsewhere what removes it.
      const { uid } = lstatSync(folder);
      if (uid === process.getuid?.()) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Somebody else has removed it.
    }
  }
}

/** In a container every process may have the same id as the one before. */
function isUsed(pid: number, folder: string): boolean {
  if (pid === process.pid) return own.has(folder);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

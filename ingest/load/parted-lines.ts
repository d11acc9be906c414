/** Keeps lines in temporary files, split into parts that are small enough to be read into memory. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryFolder, withTemporaryFiles } from "./temporary-folder.ts";

const WAITING_BYTES = 1_536;

export class PartedLines {
  /** Where its files stand until `remove`. */
  readonly folder = makeTemporaryFolder();
  private readonly waiting: { bytes: Buffer; length: number }[];

  /** Makes a folder until `remove`. This and the others throw TemporaryFolderError if there is no room. */
  constructor(readonly parts: number) {
    this.waiting = Array.from({ length: parts }, () => ({ bytes: Buffer.alloc(WAITING_BYTES), length: 0 }));
  }

  /** Adds a line, which must not contain a line break. */
  add(part: number, line: string): void {
    const waiting = this.waiting[part];
    if (!waiting) return;
    const size = Buffer.byteLength(line) + 1;
    if (waiting.length + size > waiting.bytes.length) this.flush(part);
    if (size > waiting.bytes.length) this.append(part, `${line}\n`);
    else waiting.length += waiting.bytes.write(`${line}\n`, waiting.length);
  }

  /** The lines of a part, in the order in which they were added. */
  read(part: number): string[] {
    this.flush(part);
    const path = this.pathOf(part);
    const text = withTemporaryFiles(() => (existsSync(path) ? readFileSync(path, "utf8") : ""));
    return text.split("\n").slice(0, -1);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private flush(part: number): void {
    const waiting = this.waiting[part];
    if (!waiting || waiting.length === 0) return;
    this.append(part, waiting.bytes.subarray(0, waiting.length));
    waiting.length = 0;
  }

  private append(part: number, bytes: string | Buffer): void {
    withTemporaryFiles(() => appendFileSync(this.pathOf(part), bytes));
  }

  private pathOf(part: number): string {
    return join(this.folder, String(part));
  }
}

/** Owns lines that are put aside in temporary files, in so many parts that one of them can be held in memory. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lines by their parts, from 0. */
export class PartedLines {
  private readonly folder = mkdtempSync(join(tmpdir(), "company-register-"));
  private readonly waiting: { bytes: Buffer; length: number }[];

  /**
   * Makes the folder of the files; `remove` takes it away. Throws where the system has no room for it. `waitingBytes`: of each
   * part, that wait to be written.
   */
  constructor(
    readonly parts: number,
    waitingBytes: number,
  ) {
    this.waiting = Array.from({ length: parts }, () => ({ bytes: Buffer.alloc(waitingBytes), length: 0 }));
  }

  /** Puts a line aside, which holds no line break. */
  add(part: number, line: string): void {
    const waiting = this.waiting[part];
    if (!waiting) return;
    const size = Buffer.byteLength(line) + 1;
    if (waiting.length + size > waiting.bytes.length) this.flush(part);
    if (size > waiting.bytes.length) appendFileSync(this.pathOf(part), `${line}\n`);
    else waiting.length += waiting.bytes.write(`${line}\n`, waiting.length);
  }

  /** The lines of a part, in the order in which they were put aside. */
  read(part: number): string[] {
    this.flush(part);
    const path = this.pathOf(part);
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private flush(part: number): void {
    const waiting = this.waiting[part];
    if (!waiting || waiting.length === 0) return;
    appendFileSync(this.pathOf(part), waiting.bytes.subarray(0, waiting.length));
    waiting.length = 0;
  }

  private pathOf(part: number): string {
    return join(this.folder, String(part));
  }
}

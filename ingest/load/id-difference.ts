/**
 * Finds the ids of a very large set that a second set lacks, in constant memory: both sets go to temporary
 * files, split into parts by hash. All officers, 22.6 million ids, take about 1 GB of disk.
 */
import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { PartedLines } from "./parted-lines.ts";

// Collection names contain no tabs.
const SEPARATOR = "\t";
// Tuned: a part of 22.6 million ids has as many. With 256 parts garbage from reading a part takes 70 MB more.
const IDS_A_PART = 11_000;
const PARTS = 2_048;

/** Finds ids that are stored but not named. Its temporary files stay until `remove`. */
export class IdDifference {
  private readonly parts: number;
  private readonly named: PartedLines;
  private readonly stored: PartedLines;
  /** Where its temporary files stand until `remove`. */
  readonly folders: readonly string[];

  /** `ids`: about how many either set has at most; by default unknown, so that they may be very many. */
  constructor(ids = Infinity) {
    this.parts = Math.min(Math.ceil(ids / IDS_A_PART) || 1, PARTS);
    this.named = new PartedLines(this.parts);
    try {
      this.stored = new PartedLines(this.parts);
    } catch (error) {
      rmSync(this.named.folder, { recursive: true, force: true });
      throw error;
    }
    this.folders = [this.named.folder, this.stored.folder];
  }

  name(idsByCollection: Readonly<Record<string, readonly string[]>>): void {
    for (const [collection, ids] of Object.entries(idsByCollection))
      for (const id of ids) {
        const { part, mark } = this.digest(`${collection}${SEPARATOR}${id}`);
        this.named.add(part, mark);
      }
  }

  /** Adds a stored id, which must not contain a line break. */
  hold({ collection, id }: { collection: string; id: string }): void {
    const key = `${collection}${SEPARATOR}${id}`;
    this.stored.add(this.digest(key).part, key);
  }

  /** Yields ids stored but not named, part by part, unordered. May run again; add nothing while it runs. */
  async *lacking() {
    for (let part = 0; part < this.parts; part += 1) {
      const keys = this.stored.read(part);
      if (keys.length === 0) continue;
      const named = new Set(this.named.read(part));
      const lacking = keys.filter((key) => !named.has(this.digest(key).mark));
      yield lacking.map((key) => {
        const [collection = "", id = ""] = key.split(SEPARATOR);
        return { collection, id };
      });
      // A part blocks the process for a moment: let other work run in between, above all the lock renewal.
      await setImmediate();
    }
  }

  async countLacking(): Promise<number> {
    let count = 0;
    for await (const records of this.lacking()) count += records.length;
    return count;
  }

  async remove(): Promise<void> {
    await Promise.all([this.named.remove(), this.stored.remove()]);
  }

  /** 16 bits that choose the part of a key, and 48 bits that identify the key within it. */
  private digest(key: string): { part: number; mark: string } {
    const hex = hash("sha1", key);
    return { part: Number.parseInt(hex.slice(0, 4), 16) % this.parts, mark: hex.slice(4, 16) };
  }
}

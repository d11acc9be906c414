/**
 * Owns the bringing together of rows that make one search document and stand anywhere in a file, as the appointments of a
 * person do: they are put aside in temporary files and make batches of their own behind all others. In place of each a
 * row stays that tells nothing, since the rows beside it are counted; before each the first row of its group comes again.
 */
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batch, BatchLimits } from "../queue/batches.ts";
import type { RawRow, SourceDefinition } from "../sources/define-source.ts";
import { isBlank, isUnreadable, type ReadRow } from "../readers/read-rows.ts";
import { placeOf, type Repeats } from "./repeats.ts";

// Rows of a file for each part, of which some are put aside: a part is held in memory as a whole.
const ROWS_A_PART = 200_000;
const WRITTEN_AT_ONCE = 65_536;

/** A row put aside: its key, itself, and the first row of its group, if that is another. */
type Aside = readonly [key: string, row: RawRow, first: RawRow | null];

/** A batch of rows that were put aside. */
export type GatheredBatch = Batch & { apart: string[]; pieces?: number };

type GatheredSource = Required<Pick<SourceDefinition, "scattered" | "groupKey">>;

/** Rows of one file. */
export class Gathering {
  private readonly waiting: string[];
  private first: RawRow | undefined;

  private constructor(
    private readonly source: GatheredSource,
    private readonly repeats: Repeats,
    private readonly folder: string,
    parts: number,
  ) {
    this.waiting = Array.from({ length: parts }, () => "");
  }

  /** Makes the folder of the temporary files; `remove` takes it away. `rows`: how many the file has. */
  static async open(source: GatheredSource, repeats: Repeats, rows: number): Promise<Gathering> {
    const folder = await mkdtemp(join(tmpdir(), "company-register-"));
    return new Gathering(source, repeats, folder, Math.ceil(rows / ROWS_A_PART) || 1);
  }

  /** Takes the rows in the order of the file; what is to stand in place of each. */
  pass(row: ReadRow): ReadRow {
    if (isBlank(row) || isUnreadable(row)) return row;
    const { scattered, groupKey } = this.source;
    const { first } = this;
    const isFirst = !first || groupKey(first.text) !== groupKey(row.text);
    if (isFirst) this.first = row;
    const key = scattered.keyOf(row.text);
    if (key === undefined || !this.repeats.isAgain(key)) return row;
    this.put([key, row, isFirst ? null : first]);
    return { ...row, isContext: true };
  }

  /** What was put aside, all rows of a key in one batch; a key of more rows than a batch holds is named in `apart`. */
  *batches({ rows: most }: BatchLimits): Generator<GatheredBatch> {
    let batch: GatheredBatch = { rows: [], unreadable: [], apart: [] };
    for (const rows of this.readGroups()) {
      if (batch.rows.length > 0 && batch.rows.length + rows.length > most) {
        yield batch;
        batch = { rows: [], unreadable: [], apart: [] };
      }
      if (rows.length <= most) batch.rows.push(...rows);
      else yield* this.cut(rows, most);
    }
    if (batch.rows.length > 0) yield batch;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private *cut(rows: RawRow[], most: number): Generator<GatheredBatch> {
    const key = this.source.scattered.keyOf(rows.at(-1)?.text ?? "") ?? "";
    const apart = [this.source.scattered.documentOf(key)];
    // An even number: a row goes with the first one of its group.
    const size = most - (most % 2) || 2;
    const pieces = Math.ceil(rows.length / size);
    for (let at = 0; at < rows.length; at += size)
      yield { rows: rows.slice(at, at + size), unreadable: [], apart, pieces };
  }

  private put(aside: Aside): void {
    const part = placeOf(aside[0], this.waiting.length);
    const waiting = `${this.waiting[part]}${JSON.stringify(aside)}\n`;
    this.waiting[part] = waiting.length < WRITTEN_AT_ONCE ? waiting : "";
    if (waiting.length >= WRITTEN_AT_ONCE) appendFileSync(this.pathOf(part), waiting);
  }

  /** Rows of one key after the other, each behind the first one of its group. */
  private *readGroups(): Generator<RawRow[]> {
    for (const [part, waiting] of this.waiting.entries()) {
      appendFileSync(this.pathOf(part), waiting);
      const lines = readFileSync(this.pathOf(part), "utf8").split("\n").filter(Boolean);
      rmSync(this.pathOf(part));
      const groups = new Map<string, RawRow[]>();
      for (const line of lines) {
        // The cast: lines are written above.
        const [key, row, first] = JSON.parse(line) as Aside;
        const group = groups.get(key) ?? [];
        group.push({ ...(first ?? row), isContext: true }, row);
        groups.set(key, group);
      }
      yield* groups.values();
    }
  }

  private pathOf(part: number): string {
    return join(this.folder, `${part}.jsonl`);
  }
}

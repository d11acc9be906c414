/** Owns the cutting of rows into batches: bounded in rows and bytes, never inside a group. Pure. */
import type { RawRow, SourceDefinition } from "./define-source.ts";
import { isUnreadable, type ReadRow, type UnreadableRow } from "./readers/read-rows.ts";

/** Rows for one job. */
export interface Batch {
  rows: RawRow[];
  unreadable: UnreadableRow[];
}

/** When a batch is full. */
export interface BatchLimits {
  rows: number;
  bytes: number;
}

/** Collects rows; gives a batch away whenever one is full. */
export class BatchCutter {
  private batch: Batch = { rows: [], unreadable: [] };
  private bytes = 0;
  private lastGroup: string | undefined;

  constructor(
    private readonly groupKey: SourceDefinition["groupKey"],
    private readonly limits: BatchLimits,
  ) {}

  /** Takes a row; returns the batch before it when that one was full and the row begins a new group. */
  push(row: ReadRow): Batch | null {
    const group = !isUnreadable(row) && this.groupKey ? this.groupKey(row.text) : undefined;
    const full = this.isFull() && (group === undefined || group !== this.lastGroup) ? this.take() : null;
    if (isUnreadable(row)) {
      this.batch.unreadable.push(row);
      this.bytes += row.bytes.length;
    } else {
      this.batch.rows.push(row);
      this.bytes += row.text.length;
      this.lastGroup = group;
    }
    return full;
  }

  /** The rows not yet given away; null when there are none. */
  take(): Batch | null {
    const { batch } = this;
    this.batch = { rows: [], unreadable: [] };
    this.bytes = 0;
    return batch.rows.length + batch.unreadable.length > 0 ? batch : null;
  }

  private isFull(): boolean {
    const { rows, unreadable } = this.batch;
    return rows.length + unreadable.length >= this.limits.rows || this.bytes >= this.limits.bytes;
  }
}

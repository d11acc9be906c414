/** Cuts rows into batches of limited rows and bytes, never inside a group. Pure. */
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { isBlank, isUnreadable, type ReadRow } from "../readers/read-rows.ts";
import type { SourceDefinition } from "../sources/define-source.ts";

/**
 * Raise it with each change of how rows are cut into batches, or of which batches wait for others. A load that began
 * under another version cannot be resumed: its batch numbers mean other rows, or some of its batches would be written
 * too early.
 */
export const CUT_VERSION = 4;

export interface BatchLimits {
  rows: number;
  bytes: number;
}

// Limit: the size of a group, in batches; by default 20,000 rows or 20 MB, in one job that is held in memory.
const MAX_GROUP_BATCHES = 20;

export class BatchCutter {
  private batch: ReadRow[] = [];
  private bytes = 0;
  /** The group of the last row; `line` is its first. */
  private group: { key: string | undefined; line: number; rows: number; bytes: number } | undefined;

  constructor(
    private readonly groupKey: SourceDefinition["groupKey"],
    private readonly limits: BatchLimits,
  ) {}

  /**
   * Adds a row. Returns the batch before it, if that is full and the row begins a new group. Throws SourceError for a
   * group that is too large.
   */
  push(row: ReadRow): ReadRow[] | null {
    if (isBlank(row)) return null;
    // A row that could not be decoded belongs to the group before it.
    const key = isUnreadable(row) ? this.group?.key : this.groupKey?.(row.text);
    const open = key !== undefined && key === this.group?.key ? this.group : undefined;
    const full = !open && this.isFull() ? this.take() : null;
    const group = open ?? { key, line: row.line, rows: 0, bytes: 0 };
    const bytes = isUnreadable(row) ? row.bytes.length : row.text.length;
    this.batch.push(row);
    this.bytes += bytes;
    group.rows += 1;
    group.bytes += bytes;
    this.group = group;
    this.guardSize(group);
    return full;
  }

  /** Returns the rows that are left, or null if there are none. */
  take(): ReadRow[] | null {
    const { batch } = this;
    this.batch = [];
    this.bytes = 0;
    return batch.length > 0 ? batch : null;
  }

  private guardSize({ key, line, ...size }: NonNullable<BatchCutter["group"]>): void {
    const [rows, bytes] = [this.limits.rows * MAX_GROUP_BATCHES, this.limits.bytes * MAX_GROUP_BATCHES];
    if (key === undefined || (size.rows <= rows && size.bytes <= bytes)) return;
    throw new SourceError(
      `line ${line}: more than ${rows} rows or ${bytes} bytes from here on belong together (key "${key}"), ` +
        "which no bulk file has; download the file again, or raise BATCH_ROWS and BATCH_BYTES",
    );
  }

  private isFull(): boolean {
    return this.batch.length >= this.limits.rows || this.bytes >= this.limits.bytes;
  }
}

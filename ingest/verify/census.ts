/** Owns the comparison of two sets of ids of any size in flat memory. Pure. */
import { hash } from "node:crypto";

// Limit: 12 MB. Ids of a bucket in which the sets differ are looked at one by one: about one in a million for each
// difference, so that a hundred thousand of them cost a look at a tenth of all ids.
const BUCKETS = 1 << 20;

/**
 * Ids of the one set are added, those of the other removed. Of each bucket of ids their number and the sums of two
 * halves of their hashes are kept: where all three are zero the sets hold the same ids, but for a chance of 2^-64.
 */
export class Census {
  private readonly counts = new Int32Array(BUCKETS);
  private readonly high = new Int32Array(BUCKETS);
  private readonly low = new Int32Array(BUCKETS);

  add(id: string): void {
    this.change(id, 1);
  }

  remove(id: string): void {
    this.change(id, -1);
  }

  /** True when the sets differ. */
  differs(): boolean {
    return [this.counts, this.high, this.low].some((sums) => sums.some((sum) => sum !== 0));
  }

  /** True for every id by which the sets differ, and for few others. */
  suspects(id: string): boolean {
    const { bucket } = place(id);
    return this.counts[bucket] !== 0 || this.high[bucket] !== 0 || this.low[bucket] !== 0;
  }

  private change(id: string, by: 1 | -1): void {
    const { bucket, high, low } = place(id);
    // Typed arrays wrap round, as sums of hashes may.
    this.counts[bucket] = (this.counts[bucket] ?? 0) + by;
    this.high[bucket] = (this.high[bucket] ?? 0) + by * high;
    this.low[bucket] = (this.low[bucket] ?? 0) + by * low;
  }
}

function place(id: string): { bucket: number; high: number; low: number } {
  const digest = hash("sha1", id, "buffer");
  return {
    bucket: digest.readUInt32BE(0) % BUCKETS,
    high: digest.readInt32BE(4),
    low: digest.readInt32BE(8),
  };
}

/** Owns the progress line of a load: drawn over on a terminal, a line every ten seconds elsewhere. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { formatProgress } from "../progress.ts";
import type { BatchCounts, BatchProducer } from "../queue.ts";
import type { Input } from "../readers/open-input.ts";

const TERMINAL_MS = 200;
const LOG_MS = 10_000;
// Nothing written for this long although batches wait: most likely no worker runs.
const IDLE_MS = 10_000;

/** Shows how far one file is. */
export class ProgressLine {
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private rows = 0;
  private drawnAt = performance.now();
  private isDrawn = false;
  private lastRead = -1;
  private movedAt = performance.now();

  constructor(
    private readonly context: CommandContext,
    private readonly input: Input,
    private readonly counts: () => BatchCounts,
    private readonly producer: BatchProducer,
  ) {
    this.timer = setInterval(() => this.tick(), TERMINAL_MS);
    this.timer.unref();
  }

  /** Rows read so far. */
  update(rows: number): void {
    this.rows = rows;
  }

  /** Takes the line away, for good. */
  clear(): void {
    clearInterval(this.timer);
    if (this.isDrawn) process.stderr.write("\r\u001b[K");
    this.isDrawn = false;
  }

  private tick(): void {
    const now = performance.now();
    const { read } = this.counts();
    if (read !== this.lastRead) this.movedAt = now;
    this.lastRead = read;
    if (now - this.movedAt > IDLE_MS) void this.warnOfIdleQueue(now);
    if (now - this.drawnAt < (this.context.isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.drawnAt = now;
    this.draw(now - this.startedAt);
  }

  private draw(elapsedMs: number): void {
    const { totalBytes } = this.input;
    const share = totalBytes ? Math.min(this.input.readBytes() / totalBytes, 1) : undefined;
    const text = `${this.input.label}: ${formatProgress({ rows: this.rows, share, elapsedMs })}`;
    if (!this.context.isTerminal) return this.context.tell(text);
    process.stderr.write(`\r${text}\u001b[K`);
    this.isDrawn = true;
  }

  private async warnOfIdleQueue(now: number): Promise<void> {
    this.movedAt = now;
    const workers = await this.producer.countWorkers().catch(() => -1);
    if (workers === 0) {
      this.context.tell(
        "batches are waiting, but no worker is running; start one, the load will go on by itself",
      );
    } else {
      this.context.tell(
        "batches are waiting, and none has been written for a while; the worker's log says why",
      );
    }
  }
}

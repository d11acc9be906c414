/** Owns the progress of a load on the screen: how far the reading of a file is, and that nothing is written for long. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { SurveyObserver } from "../load/survey.ts";
import { formatProgress } from "../progress.ts";
import type { BatchProducer } from "../queue/batch-producer.ts";
import type { BatchCounts } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { StatusLine } from "./status-line.ts";

// Nothing written for this long although batches wait: most likely no worker runs.
const IDLE_MS = 10_000;
const TICK_MS = 1_000;

/** The reading that is followed. */
export interface Followed {
  input: Input;
  /** The survey only reads; the load also writes. */
  phase: "survey" | "load";
  counts: () => BatchCounts;
  producer: BatchProducer;
}

/** Shows how far one reading of a file is. */
export class LoadProgress implements SurveyObserver {
  private readonly startedAt = performance.now();
  private readonly line: StatusLine;
  private readonly timer: NodeJS.Timeout | undefined;
  private rows = 0;
  private lastRead = -1;
  private movedAt = performance.now();

  constructor(
    private readonly context: CommandContext,
    private readonly followed: Followed,
  ) {
    this.line = new StatusLine(context, () => this.describe());
    if (followed.phase === "survey") return;
    this.timer = setInterval(() => this.lookForLife(), TICK_MS);
    this.timer.unref();
  }

  /** Rows read so far. */
  onProgress = (rows: number): void => {
    this.rows = rows;
  };

  isStopping = (): boolean => this.context.isStopping();

  /** Takes the line away, for good. */
  end = (): void => {
    clearInterval(this.timer);
    this.line.clear();
  };

  private describe(): string {
    const { input, phase } = this.followed;
    const share = input.totalBytes ? Math.min(input.readBytes() / input.totalBytes, 1) : undefined;
    const elapsedMs = performance.now() - this.startedAt;
    const doing = phase === "survey" ? "checking " : "";
    return `${doing}${input.label}: ${formatProgress({ rows: this.rows, share, elapsedMs })}`;
  }

  private lookForLife(): void {
    const now = performance.now();
    const { read } = this.followed.counts();
    if (read !== this.lastRead) this.movedAt = now;
    this.lastRead = read;
    if (now - this.movedAt > IDLE_MS) void this.warnOfIdleQueue(now);
  }

  private async warnOfIdleQueue(now: number): Promise<void> {
    this.movedAt = now;
    const workers = await this.followed.producer.countWorkers().catch(() => -1);
    if (workers === 0) {
      this.context.tell(
        "batches are waiting, but no worker is running; start one (node dist/ingest/main.js), the load will go on by itself",
      );
    } else {
      this.context.tell(
        "batches are waiting, and none has been written for a while; the worker's log says why",
      );
    }
  }
}

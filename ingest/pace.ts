/** Measures how fast a step of long work goes, and estimates how long it still takes. Callers pass the time in. */
import { formatCount, formatDuration } from "../api/shared/runtime/format.ts";

/** One step of long work. A step without `unit` is a wait, of which only the duration is known. */
export interface Step {
  /** Text for people, such as `loading companies.csv`. */
  doing: string;
  /** What is counted, such as `rows`. */
  unit?: string;
  /** How many units there are, if that is known. */
  total?: number | undefined;
  /** Reads how many units are done, for a step that does not report it through `onProgress`. */
  doneOf?: () => number;
  /** Reads the share that is done, from 0 to 1, for a step without `total`; undefined if unknown. */
  shareOf?: () => number | undefined;
}

/** Reports the progress and the end of a step that is shown. */
export interface StepHandle {
  onProgress: (done: number) => void;
  end: () => void;
}

/** The progress of a step. Members that are not known are null. */
export interface StepState {
  doing: string;
  unit: string | null;
  done: number;
  total: number | null;
  /** From 0 to 1. */
  share: number | null;
  /** Over the last half minute. */
  per_second: number | null;
  seconds_left: number | null;
  /** Since a unit was last done, or since the wait began. */
  still_seconds: number;
}

// Tuned: batches end in bursts. A shorter window shows the bursts, a longer one shows a change of speed too late.
const WINDOW_MS = 30_000;
// A rate measured over a shorter time is a guess.
const LEAST_MS = 2_000;
// A step without progress for this long counts as stalled. It then has neither a rate nor a time left.
const STALL_SECONDS = 10;

export class Pace {
  private samples: { at: number; done: number; share: number | null }[] = [];
  private movedAt: number;

  /** `startedAt` and `at`: milliseconds of any steady clock. */
  constructor(
    private readonly step: Step,
    startedAt: number,
  ) {
    this.movedAt = startedAt;
    this.samples.push({ at: startedAt, ...this.look(step.doneOf?.() ?? 0) });
  }

  /** Call it about once a second. */
  measure(at: number, reported: number): StepState {
    const { doing, unit = null, total = null, doneOf } = this.step;
    const now = { at, ...this.look(doneOf?.() ?? reported) };
    if (now.done !== this.samples.at(-1)?.done) {
      // Samples of a stall say nothing about the speed after it.
      if (this.isStalled(at)) this.samples = [];
      this.movedAt = at;
    }
    this.samples = [...this.samples.filter((sample) => at - sample.at <= WINDOW_MS), now];
    const [first = now] = this.samples;
    const seconds = (at - first.at) / 1_000;
    const isKnown = unit !== null && seconds * 1_000 >= LEAST_MS && !this.isStalled(at);
    const share = now.share ?? 0;
    const sharePerSecond = (share - (first.share ?? 0)) / seconds;
    return {
      ...{ doing, unit, done: now.done, total, share: now.share },
      per_second: isKnown ? (now.done - first.done) / seconds : null,
      seconds_left: isKnown && sharePerSecond > 0 ? (1 - share) / sharePerSecond : null,
      still_seconds: (at - this.movedAt) / 1_000,
    };
  }

  private isStalled(at: number): boolean {
    return at - this.movedAt >= STALL_SECONDS * 1_000;
  }

  private look(done: number) {
    const { total, shareOf } = this.step;
    const share = shareOf?.() ?? (total ? done / total : null);
    return { done, share: share === null ? null : Math.min(share, 1) };
  }
}

/** `loading companies.csv: 12,000 of 50,000 rows, 24 %, 850 rows/s, 45 s left`, or `…, 24 %, no rows for 40 s`. */
export function formatStep(state: StepState): string {
  const { doing, unit, done, total, share, per_second, seconds_left, still_seconds } = state;
  if (unit === null) return `${doing}, for ${formatDuration(still_seconds)}`;
  const parts = [`${formatCount(done)}${total === null ? "" : ` of ${formatCount(total)}`} ${unit}`];
  if (share !== null) parts.push(`${Math.floor(share * 100)} %`);
  if (still_seconds >= STALL_SECONDS) parts.push(`no ${unit} for ${formatDuration(still_seconds)}`);
  if (per_second !== null) parts.push(`${formatCount(Math.round(per_second))} ${unit}/s`);
  if (seconds_left !== null) parts.push(`${formatDuration(seconds_left)} left`);
  return `${doing}: ${parts.join(", ")}`;
}

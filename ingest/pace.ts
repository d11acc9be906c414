/** Measures how fast the steps of long work go, and how long each still takes. Pure but for the clock. */
import { formatCount, formatDuration } from "../api/shared/runtime/format.ts";

/** One step of long work. Without `unit` it is a wait, and only its time is known. */
export interface Step {
  /** For people: `loading companies.csv`. */
  doing: string;
  /** What is counted: `rows`. */
  unit?: string;
  /** How many there are, if that is known. */
  total?: number | undefined;
  /** How many are done, if the step does not report it. */
  doneOf?: () => number;
  /** The share that is done, from 0 to 1, where there is no `total`; undefined if unknown. */
  shareOf?: () => number | undefined;
}

export interface Watching {
  onProgress: (done: number) => void;
  end: () => void;
}

/** How far a step is. Members are null where they are not known. */
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
  /** Since something was last done, or since the wait began. */
  still_seconds: number;
}

// Tuned: batches end in bursts; a shorter window shows the bursts, a longer one the speed of the past.
const WINDOW_MS = 30_000;
// Before that a rate is a guess.
const LEAST_MS = 2_000;
/** After so long without progress a step counts as stalled, in seconds: there is no rate then, and no time left. */
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
      // The time of a stall says nothing about what follows it.
      if (this.isStalled(at)) this.samples = [];
      this.movedAt = at;
    }
    this.samples = [...this.samples.filter((sample) => at - sample.at <= WINDOW_MS), now];
    const [first = now] = this.samples;
    const seconds = (at - first.at) / 1_000;
    const isKnown = unit !== null && seconds * 1_000 >= LEAST_MS && !this.isStalled(at);
    const sharePerSecond = ((now.share ?? 0) - (first.share ?? 0)) / seconds;
    return {
      ...{ doing, unit, done: now.done, total, share: now.share },
      per_second: isKnown ? (now.done - first.done) / seconds : null,
      seconds_left:
        isKnown && now.share !== null && sharePerSecond > 0 ? (1 - now.share) / sharePerSecond : null,
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

/** Owns the series: files of which each builds on the one before, known by their run numbers. */
import type { SetFile, SourceContext } from "../sources/define-source.ts";
import type { LoadRecord } from "./loads.ts";

/** The highest run that has been loaded, by series. */
export type HeldRuns = ReadonlyMap<string, number>;

/** A file's place in a series. */
export interface SeriesRun {
  /** `officers-update`. */
  series: string;
  run: number;
}

/** How the files of a source follow each other. */
export interface Series {
  /** What is kept of a file once all of it is loaded; undefined: nothing. */
  runOf: (context: SourceContext) => SeriesRun | undefined;
  /**
   * Checks the files of one load, in the order in which they are named, against each other and what is held. Returns
   * sentences for the person who loads. Throws SourceError, saying what was expected, when they cannot be applied;
   * `isForced` says that a gap is known.
   */
  check?: (files: readonly SetFile[], held: HeldRuns, isForced: boolean) => string[];
}

/** The highest runs that these loads have brought. */
export function runsOf(loads: readonly LoadRecord[]): HeldRuns {
  const held = new Map<string, number>();
  for (const { run } of loads.flatMap(({ surveyed = [] }) => surveyed))
    if (run && run.run > (held.get(run.series) ?? -1)) held.set(run.series, run.run);
  return held;
}

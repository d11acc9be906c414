/** Owns the series: files of which each builds on the one before, known by their run numbers. */
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import type { SetFile, SourceContext } from "./define-source.ts";

const COLLECTION = "runs";

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

/** The highest runs that have been loaded. */
export async function fetchRuns(documents: DocumentStore): Promise<HeldRuns> {
  const held = await documents.fetchAll(COLLECTION, {});
  return new Map(held.map(({ _id, run }) => [String(_id), Number(run)]));
}

/** Keeps that a file has been loaded whole; of two runs of a series the higher stays. */
export async function raiseRun(documents: DocumentStore, { series, run }: SeriesRun): Promise<void> {
  await documents.raise(COLLECTION, [{ _id: series, run }], "run");
}

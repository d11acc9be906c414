/** Owns the run numbers of the officers files: which daily update may follow what is held. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { SetFile, SourceContext } from "./define-source.ts";
import type { HeldRuns, SeriesRun } from "../history/loads.ts";

const UPDATES = "officers-update";
/** Regions of which snapshots come, by the words of their file names. */
export const REGIONS = ["ew", "sc", "ni"] as const;
/** Products that are snapshots, by the numbers in their file names. */
export const PRODUCTS = ["195", "216"] as const;

/** The run of a daily update. */
export function updateRunOf({ run }: SourceContext): SeriesRun {
  return { series: UPDATES, run: Number(run) };
}

// `Prod195_4321_ew_1_01112026010001.dat`: Prod195, run 4321, England and Wales, the first of its files.
const FILE_NAME = new RegExp(`^Prod(${PRODUCTS.join("|")})_\\d+_(${REGIONS.join("|")})_(\\d+_)?`, "i");

/** What the name of a snapshot file alone tells, as members of its context; another name tells nothing. */
export function readSnapshotName(fileName: string): Pick<SourceContext, "product" | "region" | "part"> {
  const [, product, name = "", number = ""] = FILE_NAME.exec(fileName) ?? [];
  const region = name.toLowerCase();
  return product ? { product, region, part: `${region}_${number.replace("_", "")}` } : {};
}

/** The run of a snapshot file, where its name tells product and region. */
export function snapshotRunOf({ product, region, run }: SourceContext): SeriesRun | undefined {
  if (product === undefined || region === undefined) return undefined;
  return { series: seriesOf(product, region), run: Number(run) };
}

/**
 * Checks that the updates of a load follow each other and what is held; returns what is to be said of those that are not new.
 * Throws SourceError for files out of order, and for missing runs unless `isForced`.
 */
export function checkRuns(files: readonly SetFile[], held: HeldRuns, isForced: boolean): string[] {
  requireAscending(files);
  const snapshot = snapshotRun(held);
  const notes: string[] = [];
  let last = Math.max(held.get(UPDATES) ?? -1, snapshot);
  for (const { file, context } of files) {
    const run = Number(context.run);
    if (last < 0)
      notes.push(
        `${file}: no snapshot of all regions (${REGIONS.join(", ")}) is held, so that it cannot be seen whether ` +
          `runs before ${run} are missing. Load the snapshot first: ${NOT_REACHED}`,
      );
    else if (run <= snapshot)
      notes.push(
        `${file}: run ${run} is not newer than the snapshot of run ${snapshot} that is held: what that names stays as ` +
          "it is, and what it lacks is told",
      );
    else if (run <= last)
      notes.push(
        `${file}: run ${run} has been applied, the last one was ${last}; only what was lacking is added`,
      );
    else if (run > last + 1) notes.push(gapNote(file, { run, last }, isForced));
    last = Math.max(last, run);
  }
  return notes;
}

/** What is to be said of snapshots that are older than the updates that have been applied: one sentence, or none. */
export function noteUpdates(files: readonly SetFile[], held: HeldRuns): string[] {
  const applied = held.get(UPDATES) ?? -1;
  const older = files.find(({ context }) => Number(context.run) < applied);
  if (!older) return [];
  return [
    `${older.file}: updates up to run ${applied} have been applied, and this is run ${Number(older.context.run)}: it ` +
      `undoes nothing of them, but ${NOT_REACHED}`,
  ];
}

const NOT_REACHED =
  "what an update tells of all appointments of a person or a company, or of another day of appointment, does not reach " +
  "those that an older snapshot brings later";

function requireAscending(files: readonly SetFile[]): void {
  for (const [index, { file, context }] of files.entries()) {
    const before = files[index - 1];
    if (!before || Number(context.run) > Number(before.context.run)) continue;
    throw new SourceError(
      `${file} is run ${Number(context.run)} and stands behind ${before.file}, run ${Number(before.context.run)}: ` +
        "name daily updates in ascending order of their runs, each once",
    );
  }
}

/** The run up to which a snapshot of all regions is held, -1 where none is; of several products the later one. */
function snapshotRun(held: HeldRuns): number {
  const ofProducts = PRODUCTS.map((product) =>
    Math.min(...REGIONS.map((region) => held.get(seriesOf(product, region)) ?? -1)),
  );
  return Math.max(...ofProducts);
}

function seriesOf(product: string, region: string): string {
  return `officers-snapshot/${product}/${region}`;
}

function gapNote(file: string, { run, last }: { run: number; last: number }, isForced: boolean): string {
  const missing = run - last === 2 ? `run ${last + 1} is` : `runs ${last + 1} to ${run - 1} are`;
  const found = `${file} is run ${run}, expected was run ${last + 1}: ${missing} missing`;
  const outcome = "and what they told stays missing until the next snapshot";
  if (isForced) return `${found}, ${outcome}`;
  throw new SourceError(
    `${found}. Load the missing first, for afterwards they would undo what is newer; --force goes on without them, ${outcome}`,
  );
}

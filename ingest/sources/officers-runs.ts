/** Run numbers of the officers files: checks whether a daily update may follow the loaded runs. Pure functions. */
import { SourceError } from "../../api/shared/runtime/errors.ts";
import type { SetFile, SourceContext, LoadedRuns, Series } from "./define-source.ts";

const UPDATES = "officers-update";
export const REGIONS = ["ew", "sc", "ni"] as const;
export const PRODUCTS = ["195", "216"] as const;

// `Prod195_4321_ew_1_01112026010001.dat`, `Prod195_4321_ew_1.dat`: run 4321, England and Wales, first of its files.
const FILE_NAME = new RegExp(
  `^Prod(${PRODUCTS.join("|")})_\\d+_(${REGIONS.join("|")})_(?:0*([1-9]\\d{0,2})(?!\\d))?`,
  "i",
);

/** Product, region and part in the name of a snapshot file; an empty object for other names. */
export function readSnapshotName(fileName: string): Pick<SourceContext, "product" | "region" | "part"> {
  const [, product, name = "", number = ""] = FILE_NAME.exec(fileName) ?? [];
  const region = name.toLowerCase();
  return product ? { product, region, part: `${region}_${number}` } : {};
}

const NOT_REACHED =
  "an update's changes to all appointments of a person or company, and to days of appointment, do not apply to " +
  "appointments that an older snapshot adds later";

/** Remembers runs of files whose names have product and region. Notes a file that is older than an applied update. */
export const snapshotSeries = {
  runOf: ({ product, region, run }) => {
    if (product === undefined || region === undefined) return undefined;
    return { series: seriesOf(product, region), run: Number(run) };
  },
  check: (files, stored) => {
    const applied = stored.get(UPDATES) ?? -1;
    const older = files.find((file) => runOf(file) < applied);
    if (!older) return [];
    const found = `updates up to run ${applied} have been applied, and this is run ${runOf(older)}`;
    return [`${older.file}: ${found}: it does not undo them, but ${NOT_REACHED}`];
  },
} satisfies Series;

/** Runs of updates must ascend. Notes runs that were loaded before; a missing run is an error, with --force a note. */
export const updateSeries = {
  runOf: ({ run }) => ({ series: UPDATES, run: Number(run) }),
  awaits: ({ run }, stored) => {
    const last = Math.max(stored.get(UPDATES) ?? -1, snapshotRun(stored));
    if (last < 0) return `a snapshot of all regions (${REGIONS.join(", ")}) must be loaded first`;
    return Number(run) > last + 1 ? `run ${last + 1} must be loaded first` : undefined;
  },
  check: (files, stored, isForced) => {
    for (const [at, file] of files.entries()) requireAscending(file, files[at - 1]);
    const snapshot = snapshotRun(stored);
    return files.flatMap((file, at) => {
      const last = Math.max(stored.get(UPDATES) ?? -1, snapshot, ...files.slice(0, at).map(runOf));
      return noteRun(file, { snapshot, last }, isForced) ?? [];
    });
  },
} satisfies Series;

function requireAscending(file: SetFile, before: SetFile | undefined): void {
  if (!before || runOf(file) > runOf(before)) return;
  throw new SourceError(
    `${file.file} is run ${runOf(file)} and comes after ${before.file}, run ${runOf(before)}: ` +
      "name daily updates in ascending order of their runs, each once",
  );
}

/** The note on an update, given the runs of the snapshot and of the last file; -1: none. */
function noteRun(
  { file, context }: SetFile,
  { snapshot, last }: { snapshot: number; last: number },
  isForced: boolean,
) {
  const run = Number(context.run);
  if (last < 0)
    return (
      `${file}: no snapshot of all regions (${REGIONS.join(", ")}) is loaded, so runs before ${run} may ` +
      `be missing. Load the snapshot first: ${NOT_REACHED}`
    );
  if (run <= snapshot)
    return `${file}: run ${run} is not newer than the snapshot of run ${snapshot}; only records missing from the snapshot are added`;
  if (run <= last)
    return `${file}: run ${run} was applied before (the last run was ${last}); only missing records are added`;
  if (run === last + 1) return undefined;
  const missing = run - last === 2 ? `run ${last + 1} is` : `runs ${last + 1} to ${run - 1} are`;
  const found = `${file} is run ${run}, and ${missing} missing`;
  const outcome = "their changes stay missing until the next snapshot";
  if (isForced) return `${found}: ${outcome}`;
  throw new SourceError(
    `${found}: load the missing runs first; loaded later, they would undo newer changes. With --force ${outcome}`,
  );
}

/** The latest run for which one product's snapshot is loaded for every region; -1: none. */
function snapshotRun(stored: LoadedRuns): number {
  const ofProduct = (product: string) =>
    Math.min(...REGIONS.map((region) => stored.get(seriesOf(product, region)) ?? -1));
  return Math.max(...PRODUCTS.map(ofProduct));
}

function seriesOf(product: string, region: string): string {
  return `officers-snapshot/${product}/${region}`;
}

function runOf({ context }: SetFile): number {
  return Number(context.run);
}

/**
 * Owns a dry run of a load: files are surveyed, mapped, checked and compared, and nothing is written anywhere. What a
 * row would do is decided by the functions that the load itself runs, see `DryTruth`.
 */
import { isGone } from "../../api/core/gone.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { BatchLimits } from "../batches.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { addWarnings } from "../loads.ts";
import { formatCount } from "../progress.ts";
import type { Input } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { checkEdition } from "./check-edition.ts";
import { checkSeries } from "./check-series.ts";
import { checkSize } from "./check-size.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed } from "./cut-file.ts";
import { DryTruth, MOST_KEPT } from "./dry-truth.ts";
import { guardRefusals, type FileCounts } from "./guard-refusals.ts";
import { IdDifference } from "./id-difference.ts";
import { openMended, planMends } from "./mends.ts";
import { previewBatch, type Preview } from "./preview-batch.ts";
import { guardRefused, isCovered, planRetirement } from "./retire.ts";
import type { FileOpener } from "./spool.ts";
import { doubtsOf, readOnce, surveyFiles } from "./survey-files.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";

// Limit: refused rows that are returned; a dry run keeps none.
const KEPT_LETTERS = 50;
// Higher than any under which a record is held; batches take those from here on.
const FIRST_REVISION = Number.MAX_SAFE_INTEGER - 2 ** 40;

/** What would be loaded, and how. */
export interface LoadAim {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
  /** Id of the load of which the files hold mended rows. */
  mends?: string | undefined;
}

/** What a dry run needs beside its aim. */
export interface DryRun {
  stores: Stores;
  aim: LoadAim;
  open: FileOpener;
  limits: BatchLimits;
  /** Least share of what a whole edition covers that it must hold, in per cent. */
  completeMinPercent: number;
  /** Most refused rows of a file, in per cent. */
  refusedMaxPercent: number;
  /** Records that it would have written and that it keeps in memory; 50,000 by itself. */
  mostKept?: number;
  observer: DryRunObserver;
}

/** Who waits for a dry run. */
export interface DryRunObserver {
  /** Called for each reading of a file. */
  watch: (input: Input, phase: "checking" | "comparing") => SurveyObserver;
  /** Told what a person should know of the files. */
  onNote: (note: string) => void;
}

/** What a load would do. */
export interface DryRunOutcome {
  /** Counts of its rows; `retired`: records that a whole edition lacks. */
  totals: Omit<Preview, "letters" | "named" | "guessed" | "forgotten"> & { retired?: number };
  /** The first rows that it would refuse. */
  letters: DeadLetter[];
  /** What guards whole editions and would end the load after all its rows, or what would stop it before. */
  fault: Error | null;
}

/** Looks what a load would do. Throws what it would throw before it writes. */
export async function runDry(run: DryRun): Promise<DryRunOutcome> {
  const { stores, aim, open, observer } = run;
  const { documents } = stores.mongo;
  const mendedOf = aim.mends ? await openMended(documents, await planMends(stores, aim.mends)) : undefined;
  const surveys = await surveyFiles({ ...aim, mendedOf }, open, (input) => observer.watch(input, "checking"));
  const edition = aim.isComplete ? requireWholeEdition(surveys, aim) : null;
  if (!aim.isUnchecked) for (const note of doubtsOf(surveys)) observer.onNote(note);
  if (!aim.mends) await checkAll(run, surveys);
  const ids = edition ? await IdDifference.open() : null;
  try {
    return await preview(run, surveys, new Seen(new DryTruth(stores.mongo, run.mostKept), edition, ids));
  } finally {
    await ids?.remove();
  }
}

async function checkAll({ stores, aim, observer, ...run }: DryRun, surveys: FileSurvey[]): Promise<void> {
  const { documents } = stores.mongo;
  for (const note of await checkSeries(documents, surveys, aim.isForced)) observer.onNote(note);
  for (const note of await checkEdition(documents, surveys, aim)) observer.onNote(note);
  await checkSize(documents, surveys, aim.isForced ? 0 : run.completeMinPercent);
}

async function preview(run: DryRun, surveys: FileSurvey[], seen: Seen): Promise<DryRunOutcome> {
  let stop: Error | null = null;
  for (const survey of surveys) {
    const { read, refused } = seen.totals;
    await previewFile(run, survey, seen);
    const counts = { read: seen.totals.read - read, refused: seen.totals.refused - refused };
    stop ??= stopOf(run, survey, counts);
  }
  if (seen.guessed > 0) run.observer.onNote(describeGuessed(run, seen));
  const fault = stop ?? (await addRetired(run, seen));
  return { totals: seen.totals, letters: seen.letters, fault };
}

/** What would stop the load within a file; null when nothing would. */
function stopOf(
  { aim, refusedMaxPercent: mostPercent }: DryRun,
  { file }: FileSurvey,
  counts: FileCounts,
): Error | null {
  try {
    if (!aim.isForced && !aim.mends) guardRefusals(file, counts, { mostPercent, load: null });
    return null;
  } catch (error) {
    return error as Error; // it throws nothing else
  }
}

async function addRetired({ aim, completeMinPercent }: DryRun, seen: Seen): Promise<Error | null> {
  const { edition, ids } = seen;
  if (!edition || !ids) return null;
  try {
    if (!aim.isForced) guardRefused(seen.totals.refused, null);
    const minimumPercent = aim.isForced ? 0 : completeMinPercent;
    const plan = { revision: FIRST_REVISION, ...edition, minimumPercent, unseen: seen.unseen };
    seen.totals.retired = await planRetirement({ mongo: seen.truth }, ids, plan);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What has been previewed so far. */
class Seen {
  readonly letters: DeadLetter[] = [];
  batches = 0;
  guessed = 0;
  /** Records that the edition would have brought, of those that are forgotten. */
  unseen = 0;
  totals: DryRunOutcome["totals"] = {
    ...{ read: 0, created: 0, changed: 0, unchanged: 0, removed: 0, refused: 0, skipped: 0 },
    warnings: {},
  };

  constructor(
    readonly truth: DryTruth,
    readonly edition: WholeEdition | null,
    /** What its rows named; null where nothing is to be removed. */
    readonly ids: IdDifference | null,
  ) {}

  add({ letters, named, warnings, guessed, forgotten, ...counts }: Preview): void {
    for (const [name, count] of Object.entries(counts)) this.totals[name as keyof typeof counts] += count;
    this.totals.warnings = addWarnings(this.totals.warnings, warnings);
    this.letters.push(...letters.slice(0, KEPT_LETTERS - this.letters.length));
    this.ids?.name(named);
    this.batches += 1;
    this.guessed += guessed;
    const { edition } = this;
    if (edition)
      this.unseen += forgotten.filter(
        ({ now, isNew }) => isNew && !isGone(now) && isCovered(now, edition),
      ).length;
  }
}

async function previewFile(run: DryRun, survey: FileSurvey, seen: Seen): Promise<void> {
  const { aim, open, limits, observer } = run;
  const { truth } = seen;
  const follow = (input: Input) => observer.watch(input, "comparing");
  await readOnce(open, survey.path, follow, (input, reading) =>
    cutSurveyed(input, survey, {
      ...reading,
      as: aim.as,
      encoding: aim.encoding,
      mended: survey.mended,
      limits,
      take: async (batch) => {
        const revision = FIRST_REVISION + seen.batches;
        seen.add(await previewBatch(truth, { load: "dry-run", revision, ...batch, ...survey.mended?.job }));
      },
    }),
  );
}

function describeGuessed({ mostKept = MOST_KEPT }: DryRun, { guessed }: Seen): string {
  return (
    `${formatCount(guessed)} rows were not compared with all that rows before them would have written: a dry run keeps ` +
    `the first ${formatCount(mostKept)} records of that, and the load itself may count these rows in another way`
  );
}

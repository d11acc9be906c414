/** Owns a dry run of a load: files are surveyed, mapped, checked and compared, and nothing is written anywhere. */
import type { Stores } from "../../api/core/stores/index.ts";
import type { BatchLimits } from "../batches.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { addWarnings } from "../loads.ts";
import type { Input } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { checkEdition } from "./check-edition.ts";
import { checkSeries } from "./check-series.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed } from "./cut-file.ts";
import { addNamed, type IdSet } from "./id-set.ts";
import { previewBatch, type Preview } from "./preview-batch.ts";
import { guardRefused, planRetirement } from "./retire.ts";
import type { FileOpener } from "./spool.ts";
import { readOnce, surveyFiles } from "./survey-files.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";
import { ToldBefore } from "./told-before.ts";

// Limit: refused rows that are returned; a dry run keeps none.
const KEPT_LETTERS = 50;
// No record is held under a higher revision than what this load would write.
const LATEST = Number.MAX_SAFE_INTEGER;

/** What would be loaded, and how. */
export interface LoadAim {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
}

/** What a dry run needs beside its aim. */
export interface DryRun {
  stores: Stores;
  aim: LoadAim;
  open: FileOpener;
  limits: BatchLimits;
  /** Least share of what a whole edition covers that it must hold, in per cent. */
  completeMinPercent: number;
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
  totals: Omit<Preview, "letters" | "named"> & { retired?: number };
  /** The first rows that it would refuse. */
  letters: DeadLetter[];
  /** What guards whole editions and would end the load, after all its rows. */
  fault: Error | null;
}

/** Looks what a load would do. Throws what it would throw before it writes. */
export async function runDry(run: DryRun): Promise<DryRunOutcome> {
  const { stores, aim, open, observer } = run;
  const surveys = await surveyFiles(aim, open, (input) => observer.watch(input, "checking"));
  const edition = aim.isComplete ? requireWholeEdition(surveys) : null;
  const { documents } = stores.mongo;
  for (const note of await checkSeries(documents, surveys, aim.isForced)) observer.onNote(note);
  for (const note of await checkEdition(documents, surveys, aim)) observer.onNote(note);
  const seen = new Seen();
  for (const survey of surveys) await previewFile(run, survey, seen);
  const fault = edition ? await addRetired(run, edition, seen) : null;
  return { totals: seen.totals, letters: seen.letters, fault };
}

async function addRetired(
  { stores, aim, completeMinPercent }: DryRun,
  edition: WholeEdition,
  seen: Seen,
): Promise<Error | null> {
  try {
    if (!aim.isForced) guardRefused(seen.totals.refused, null);
    const minimumPercent = aim.isForced ? 0 : completeMinPercent;
    const plan = { revision: LATEST, ...edition, minimumPercent, isDryRun: true };
    seen.totals.retired = (await planRetirement(stores, seen.named, plan)).count;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What has been previewed so far. */
class Seen {
  readonly named = new Map<string, IdSet>();
  readonly letters: DeadLetter[] = [];
  readonly before = new ToldBefore();
  totals: DryRunOutcome["totals"] = {
    ...{ read: 0, created: 0, changed: 0, unchanged: 0, removed: 0, refused: 0, skipped: 0 },
    warnings: {},
  };

  add({ letters, named, warnings, ...counts }: Preview): void {
    for (const [name, count] of Object.entries(counts)) this.totals[name as keyof typeof counts] += count;
    this.totals.warnings = addWarnings(this.totals.warnings, warnings);
    this.letters.push(...letters.slice(0, KEPT_LETTERS - this.letters.length));
    addNamed(this.named, named);
  }
}

async function previewFile(run: DryRun, survey: FileSurvey, seen: Seen): Promise<void> {
  const { stores, aim, open, limits, observer } = run;
  const job = { load: "dry-run", revision: LATEST };
  const follow = (input: Input) => observer.watch(input, "comparing");
  await readOnce(open, survey.path, follow, (input, reading) =>
    cutSurveyed(input, survey, {
      ...reading,
      as: aim.as,
      encoding: aim.encoding,
      limits,
      take: async (batch) => seen.add(await previewBatch(stores, { ...job, ...batch }, seen.before)),
    }),
  );
}

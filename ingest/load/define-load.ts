/** Owns what a load and its dry run have in common: the run, and how its files are surveyed, checked and read. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { LoadRecord } from "../history/loads.ts";
import type { BatchCounts } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { checkFiles, guardRefusals } from "./check-files.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed, type Cutting } from "./cut-file.ts";
import { openMended } from "./mends.ts";
import type { Repeats } from "./repeats.ts";
import type { FileOpener } from "./spool.ts";
import { readOnce, surveyFiles, type FileSurvey, type Follow } from "./survey.ts";

/** What a load, or a dry run of one, needs. */
export interface LoadRun {
  context: Pick<CommandContext, "config" | "tell" | "isStopping">;
  stores: Stores;
  /** As it is kept; its state and counts follow the run. */
  record: LoadRecord;
  /** Opens a file again and again: each is read twice. */
  open: FileOpener;
  /** True: the guards of editions, of daily updates and of refused rows are lifted. */
  isForced: boolean;
  /** Follows each reading of a file. */
  watch: (input: Input, phase: "survey" | "load") => ReturnType<Follow>;
}

/** Reads all files to their ends. Throws SourceError for what is unfit, or is to be an edition in whole and is none. */
export async function surveyLoad(
  { stores, record: { files, plan }, open, isForced, watch }: LoadRun,
  repeats?: Repeats,
): Promise<{ surveys: FileSurvey[]; edition: WholeEdition | null }> {
  const { as, encoding, isUnchecked, mends, isComplete } = plan;
  const mendedOf = mends && (await openMended(stores.mongo.documents, mends));
  const follow: Follow = (input) => Object.assign(watch(input, "survey"), { repeats });
  const surveys = await surveyFiles({ files, as, encoding, isUnchecked, mendedOf }, open, follow);
  return { surveys, edition: isComplete ? requireWholeEdition(surveys, { isForced }) : null };
}

/** Tells what a person should know of the files. Throws for those that do not follow what was loaded before. */
export async function checkLoad(run: LoadRun, surveys: readonly FileSurvey[]): Promise<void> {
  const { record, context } = run;
  const { isComplete, isUnchecked, mends } = record.plan;
  for (const { file, doubt } of isUnchecked ? [] : surveys)
    if (doubt !== undefined) context.tell(`${file}: ${doubt}`);
  if (mends) return;
  const notes = await checkFiles(run.stores.mongo.documents, surveys, {
    ...{ load: record._id, isComplete, completeMinPercent: context.config.COMPLETE_MIN_PERCENT },
    // What has begun with a gap, or as an older edition, goes on.
    isForced: run.isForced || record.surveyed !== undefined,
  });
  for (const note of notes) context.tell(note);
}

/** Reads a file that has been surveyed once more, cut into batches. `drain` waits until they are written. */
export async function readFile(
  { record: { plan }, open, watch }: LoadRun,
  survey: FileSurvey,
  { drain, ...taking }: Pick<Cutting, "take" | "gathering"> & { drain?: () => Promise<void> },
): Promise<void> {
  const follow: Follow = (input) => watch(input, "load");
  await readOnce(open, survey.path, follow, async (input, observer) => {
    const how = { ...plan, as: plan.as, mended: survey.mended };
    await cutSurveyed(input, survey, { ...how, ...observer, ...taking });
    await drain?.();
  });
}

/** Looks at what was refused of a file. `before`: the counts as it began. */
export function guardFile(
  { context, isForced, record: { _id, counts, plan } }: LoadRun,
  { file }: FileSurvey,
  before: BatchCounts,
  load: string | null = _id,
): void {
  // Of mended rows those are left in that nobody could mend.
  if (isForced || plan.mends) return;
  const ofFile = { read: counts.read - before.read, refused: counts.refused - before.refused };
  guardRefusals(file, ofFile, { mostPercent: context.config.REFUSED_MAX_PERCENT, load });
}

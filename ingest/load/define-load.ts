/** Owns what a load and its dry run have in common: the run, and how its files are surveyed and read. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { LoadRecord } from "../history/loads.ts";
import type { Input } from "../readers/open-input.ts";
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

/** Which files of a load are parts of editions whose fingerprints are kept (`history/fingerprints.ts`). Pure. */
import type { EditionFile } from "../history/fingerprints.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { FileSurvey } from "./open-file.ts";

/**
 * True where the change log keeps fingerprints of rows: those of a bulk file that is no update. Where records keep the day of
 * each edition, it would be in every fingerprint, and none would match the next one.
 */
export function hasPrints({ facts, source: { mergeRules, isOrdered } }: FileSurvey): boolean {
  if (facts.mends !== undefined || mergeRules === undefined || isOrdered) return false;
  return Object.values(mergeRules).every(({ keepsDay }) => !keepsDay);
}

/** The edition files of a load whose records no rows without fingerprints change as well. */
export function listEditions(surveys: readonly FileSurvey[]): EditionFile[] {
  const others = surveys.filter((survey) => !hasPrints(survey)).flatMap(({ fills }) => fills);
  const files = surveys.flatMap((survey) => editionOf(survey) ?? []);
  return files.filter(({ collections }) => !collections.some((name) => others.includes(name)));
}

/** The edition file whose fingerprints are kept; undefined for a file that is not part of an edition. */
function editionOf(survey: FileSurvey): EditionFile | undefined {
  const { facts, fills } = survey;
  const { source, scope = "", production_date: day, part } = facts;
  if (day === undefined || !hasPrints(survey)) return undefined;
  const _id = [source, scope, part?.product ?? "", part?.part ?? ""].join("/");
  return { _id, collections: fills };
}

/** Whether the batches of a file store fingerprints, and with those of which load they are compared, if any are known. */
export function printsOf(survey: FileSurvey, known?: ReadonlyMap<string, string>): Pick<BatchJob, "prints"> {
  if (!hasPrints(survey)) return {};
  const of = known?.get(editionOf(survey)?._id ?? "");
  return { prints: of === undefined ? {} : { of } };
}

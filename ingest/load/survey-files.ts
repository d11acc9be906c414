/** Owns the survey of all files of a load, one after the other, and of what they make together. */
import type { SurveyedFile } from "../loads.ts";
import type { Input } from "../readers/open-input.ts";
import { scopeOf } from "./completeness.ts";
import type { Reading } from "./open-source.ts";
import { checkSets } from "./sets.ts";
import type { FileOpener } from "./spool.ts";
import { doubtOf, surveyFile, type FileSurvey, type SurveyObserver } from "./survey.ts";

/** Follows one reading of a file. */
export type Follow = (input: Input) => SurveyObserver & { end?: () => void };

/** Reads every file to its end. Throws SourceError for the first that is unfit, and for files that do not fit together. */
export async function surveyFiles(
  { files, ...how }: Reading & { files: string[] },
  open: FileOpener,
  follow: Follow,
): Promise<FileSurvey[]> {
  const surveys: FileSurvey[] = [];
  for (const file of files) {
    surveys.push(
      await readOnce(open, file, follow, (input, observer) => surveyFile(file, input, how, observer)),
    );
  }
  const doubt = doubtOf(() => checkSets(surveys), how);
  const [first, ...others] = surveys;
  return first && doubt !== null ? [{ ...first, doubt }, ...others] : surveys;
}

/** What a load keeps of a file. */
export function toSurveyed(survey: FileSurvey): SurveyedFile {
  const { file, source, rows, context } = survey;
  const scope = scopeOf(survey);
  const day = context.productionDate;
  const part = source.partOf?.(context);
  return {
    ...{ file, source: source.name, rows, ...(scope && { scope }), ...(day && { production_date: day }) },
    ...(part && part.parts !== 1 && { part }),
  };
}

/** What the ends of files did not bear out, as sentences. */
export function doubtsOf(surveys: readonly FileSurvey[]): string[] {
  return surveys.flatMap(({ file, doubt }) => (doubt === undefined ? [] : `${file}: ${doubt}`));
}

/** Opens a file for one reading, and closes it whatever comes of it. */
export async function readOnce<T>(
  open: FileOpener,
  file: string,
  follow: Follow,
  read: (input: Input, observer: SurveyObserver) => Promise<T>,
): Promise<T> {
  const input = await open(file);
  const observer = follow(input);
  try {
    return await read(input, observer);
  } finally {
    observer.end?.();
    input.stream.destroy();
  }
}

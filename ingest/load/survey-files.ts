/** Owns the survey of all files of a load, one after the other, and of what they make together. */
import type { SurveyedFile } from "../history/loads.ts";
import type { Input } from "../readers/open-input.ts";
import { scopeOf } from "./completeness.ts";
import type { MendedFile, Reading } from "./open-source.ts";
import { checkSets } from "./sets.ts";
import type { FileOpener } from "./spool.ts";
import { doubtOf, surveyFile, type FileSurvey, type SurveyObserver } from "./survey.ts";

/** Follows one reading of a file. */
export type Follow = (input: Input) => SurveyObserver & { end?: () => void };

/** How the files of a load are read. */
export interface FilesReading extends Omit<Reading, "mended"> {
  files: string[];
  /** Of a load of mended rows: which file they are of. */
  mendedOf?: ((input: Input) => Promise<MendedFile>) | undefined;
}

/** Reads every file to its end. Throws SourceError for the first that is unfit, and for files that do not fit together. */
export async function surveyFiles(
  { files, mendedOf, ...how }: FilesReading,
  open: FileOpener,
  follow: Follow,
): Promise<FileSurvey[]> {
  const surveys: FileSurvey[] = [];
  for (const file of files) {
    const survey = async (input: Input, observer: SurveyObserver) =>
      surveyFile(file, input, { ...how, mended: await mendedOf?.(input) }, observer);
    surveys.push(await readOnce(open, file, follow, survey));
  }
  const doubt = mendedOf ? null : doubtOf(() => checkSets(surveys), how);
  const [first, ...others] = surveys;
  return first && doubt !== null ? [{ ...first, doubt }, ...others] : surveys;
}

/** What a load keeps of a file. */
export function toSurveyed(survey: FileSurvey): SurveyedFile {
  const { file, source, rows, context, name, header, mended } = survey;
  const scope = scopeOf(survey);
  const day = context.productionDate;
  const part = source.partOf?.(context);
  return {
    ...{ file, source: source.name, rows, ...(scope && { scope }), ...(day && { production_date: day }) },
    ...(part && part.parts !== 1 && { part }),
    ...(mended && { mends: mended.job.file }),
    ...{ name, ...(header === undefined ? { context } : { header }) },
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

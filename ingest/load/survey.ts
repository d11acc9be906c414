/**
 * Owns the survey: each file of a load is read to its end before anything of it is published, so that one that was
 * cut off, or whose trailer does not add up, fails before it has changed a record.
 */
import { SourceError } from "../../api/core/errors.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { SurveyedFile } from "../history/loads.ts";
import type { RawRow, SetFile, SourceDefinition } from "../sources/define-source.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, textOf, type ReadRow } from "../readers/read-rows.ts";
import { partOf } from "../sources/file-name.ts";
import { checkSets, scopeOf } from "./completeness.ts";
import { EncodingSigns } from "./encoding-signs.ts";
import { openSource, namingFile, type MendedFile, type OpenSource, type Reading } from "./open-source.ts";
import type { Repeats } from "./repeats.ts";
import type { FileOpener } from "./spool.ts";

/** What is known of a file that has been read to its end. */
export interface FileSurvey extends SetFile, Pick<OpenSource, "source" | "context" | "header" | "name"> {
  /** What opens it again: a path, or `-`. */
  path: string;
  /** The kinds of record that its rows fill. */
  fills: readonly RecordDefinition[];
  /** The file whose refused rows it holds, mended. */
  mended?: MendedFile;
  /** What its end did not bear out, where it is loaded all the same. */
  doubt?: string;
}

/** Who waits for a survey. */
export interface SurveyObserver {
  /** Told after each chunk how many rows have been read. */
  onProgress: (rows: number) => void;
  /** Takes the keys of rows that make one document; absent: nobody wants to know. */
  repeats?: Repeats | undefined;
  isStopping: () => boolean;
}

/** Follows one reading of a file; `end`: the reading is over. */
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
  for (const path of files) {
    const survey = async (input: Input, observer: SurveyObserver) =>
      namingFile(input.label, async () =>
        surveyFile(path, input, { ...how, mended: await mendedOf?.(input) }, observer),
      );
    surveys.push(await readOnce(open, path, follow, survey));
  }
  const doubt = mendedOf ? undefined : doubtOf(() => checkSets(surveys), how);
  return surveys.map((survey, at) => (doubt !== undefined && at === 0 ? { ...survey, doubt } : survey));
}

/** What a load keeps of a file. */
export function toSurveyed(survey: FileSurvey): SurveyedFile {
  const { file, source, rows, context, name, header, mended } = survey;
  const scope = scopeOf(survey);
  const day = context.productionDate;
  const part = partOf(context);
  return {
    ...{ file, source: source.name, rows, ...(scope && { scope }), ...(day && { production_date: day }) },
    ...(part && { part }),
    ...(mended && { mends: mended.job.file }),
    ...{ name, ...(header === undefined ? { context } : { header }) },
  };
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

/** Reads a file to its end. Throws SourceError when it is not whole or not what it should be. */
async function surveyFile(
  path: string,
  input: Input,
  reading: Reading,
  { onProgress, isStopping, repeats }: SurveyObserver,
): Promise<FileSurvey> {
  const { rows, ...opened } = await openSource(input, reading);
  const { source, context } = opened;
  const { mended } = reading;
  const seen = new SeenRows(source, new EncodingSigns(reading.encoding), repeats);
  for await (const chunk of rows) {
    seen.add(chunk);
    onProgress(seen.count);
    if (isStopping()) throw new SourceError("stopped before anything was loaded");
  }
  const { count, last, tally } = seen;
  if (mended) requireAllRows(count, mended);
  const check = () => {
    seen.signs.check();
    if (!mended) source.close?.(last, count, context, tally);
  };
  const doubt = doubtOf(check, reading) ?? (mended ? null : last && source.doubtEnd?.(last, context));
  const known = { path, file: input.label, fills: [...seen.fills], ...opened, ...(mended && { mended }) };
  return { ...known, rows: count, last, tally, ...(typeof doubt === "string" && { doubt }) };
}

/** Throws SourceError for mended rows that are fewer or more than their export has: no other could be told apart then. */
function requireAllRows(rows: number, { source, lines, job }: MendedFile): void {
  const wanted = lines.length + (source.trailerOf ? 1 : 0);
  if (rows === wanted) return;
  throw new SourceError(
    `it has ${rows} rows, and the export of ${job.file} has ${wanted}: mend rows in their places, and leave those in that ` +
      "cannot be mended, which are refused again; or load it without --mends",
  );
}

/** What is kept of the rows of one file while they are read. */
class SeenRows {
  count = 0;
  /** Undefined where it could not be decoded. */
  last: RawRow | undefined;
  readonly tally: Record<string, number> = {};
  /** The kinds of record that the rows fill. */
  readonly fills: Set<RecordDefinition>;

  constructor(
    private readonly source: SourceDefinition,
    readonly signs: EncodingSigns,
    private readonly repeats: Repeats | undefined,
  ) {
    this.fills = new Set(typeof source.fills === "function" ? [] : source.fills);
  }

  /** Takes lines in the order of the file; what its end says of its rows does not count blank ones. */
  add(lines: ReadRow[]): void {
    const rows = lines.filter((line) => !isBlank(line));
    for (const row of rows) {
      this.signs.add(row);
      const filled = typeof this.source.fills === "function" ? this.source.fills(textOf(row)) : undefined;
      if (filled) this.fills.add(filled);
      const key = this.repeats && this.source.scattered?.keyOf(textOf(row));
      if (key !== undefined) this.repeats?.see(key);
      const kind = this.source.kindOf?.(textOf(row));
      if (kind !== undefined) this.tally[kind] = (this.tally[kind] ?? 0) + 1;
    }
    this.count += rows.length;
    const end = rows.at(-1);
    if (end) this.last = isUnreadable(end) ? undefined : end;
  }
}

/** What a check finds, where it shall not end the load; undefined when it finds nothing. Throws SourceError otherwise. */
function doubtOf(check: () => void, { isUnchecked }: Pick<Reading, "isUnchecked">): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnchecked) throw error;
    return error.message;
  }
}

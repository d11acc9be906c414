/**
 * Owns the survey: each file of a load is read to its end before anything of it is published, so that one that was
 * cut off, or whose trailer does not add up, fails before it has changed a record.
 */
import { SourceError } from "../../api/core/errors.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { SurveyedFile } from "../history/loads.ts";
import { isBlank, isUnreadable, type ReadRow } from "../readers/read-rows.ts";
import type { SetFile } from "../sources/define-source.ts";
import { partOf } from "../sources/file-name.ts";
import { checkSets, requireWholeEdition, scopeOf, type WholeEdition } from "./completeness.ts";
import { EncodingSigns } from "./encoding-signs.ts";
import { openMended } from "./mends.ts";
import type { MendedFile } from "./open-source.ts";
import { readFile, type FilePlan, type LoadRun, type OpenFile } from "./read-file.ts";
import type { Repeats } from "./repeats.ts";

/** What is known of a file that has been read to its end. */
export interface FileSurvey extends SetFile, Omit<OpenFile, "rows" | "count"> {
  /** The kinds of record that its rows fill. */
  fills: readonly RecordDefinition[];
  /** What its end did not bear out, where it is loaded all the same. */
  doubt?: string;
}

/**
 * Reads all files of a load to their ends; `repeats` takes the keys of rows that make one document. Throws SourceError for the
 * first file that is unfit, for files that do not fit together, and where they are to be an edition in whole and are none.
 */
export async function surveyFiles(
  run: LoadRun,
  repeats?: Repeats,
): Promise<{ surveys: FileSurvey[]; edition: WholeEdition | null }> {
  const { files, plan } = run.record;
  const mendedOf = plan.mends && (await openMended(run.stores.mongo.documents, plan.mends));
  const surveys: FileSurvey[] = [];
  const survey = (file: OpenFile) => surveyFile(file, plan, repeats);
  for (const path of files) surveys.push(await readFile(run, { path, phase: "survey", mendedOf }, survey));
  const [first] = surveys;
  const doubt = mendedOf ? undefined : doubtOf(() => checkSets(surveys), plan);
  if (first && doubt !== undefined) first.doubt = doubt;
  return { surveys, edition: plan.isComplete ? requireWholeEdition(surveys, run) : null };
}

/** Throws SourceError for a file that is not whole, or not what it should be. */
async function surveyFile(file: OpenFile, plan: FilePlan, repeats: Repeats | undefined): Promise<FileSurvey> {
  const { rows, ...known } = file;
  const { source, context, mended } = known;
  const { fills, scattered, kindOf } = source;
  const signs = new EncodingSigns(plan.encoding);
  const filled = new Set(typeof fills === "function" ? [] : fills);
  const tally: Record<string, number> = {};
  let end: ReadRow | undefined;
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (isBlank(row)) continue;
      signs.add(row);
      const text = textOf(row);
      const kind = typeof fills === "function" ? fills(text) : undefined;
      if (kind) filled.add(kind);
      const key = repeats && scattered?.keyOf(text);
      if (key !== undefined) repeats?.see(key);
      const counted = kindOf?.(text);
      if (counted !== undefined) tally[counted] = (tally[counted] ?? 0) + 1;
      end = row;
    }
  }
  const last = end && !isUnreadable(end) ? end : undefined;
  if (mended) requireAllRows(file.count, mended);
  const doubt = doubtOf(() => {
    signs.check();
    if (!mended) source.close?.(last, file.count, context, tally);
  }, plan);
  const found = { ...known, rows: file.count, last, tally, fills: [...filled] };
  const odd = doubt ?? (mended ? null : last && source.doubtEnd?.(last, context));
  return { ...found, ...(odd != null && { doubt: odd }) };
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

/** Throws SourceError for mended rows that are fewer or more than their export has: no other could be told apart then. */
function requireAllRows(rows: number, { source, lines, job }: MendedFile): void {
  const wanted = lines.length + (source.trailerOf ? 1 : 0);
  if (rows === wanted) return;
  throw new SourceError(
    `it has ${rows} rows, and the export of ${job.file} has ${wanted}: mend rows in their places, and leave those in that ` +
      "cannot be mended, which are refused again; or load it without --mends",
  );
}

/** Of a row that could not be decoded, what of it is ASCII. */
function textOf(row: ReadRow): string {
  return isUnreadable(row) ? Buffer.from(row.bytes, "base64").toString("latin1") : row.text;
}

/** What a check finds, where it shall not end the load; undefined when it finds nothing. Throws SourceError otherwise. */
function doubtOf(check: () => void, { isUnchecked }: Pick<FilePlan, "isUnchecked">): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnchecked) throw error;
    return error.message;
  }
}

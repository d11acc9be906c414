/**
 * Owns the reading of a load's files, each from its beginning to its end, twice: the survey comes before anything is published,
 * so that a file that was cut off, or whose trailer does not add up, fails before it has changed a record; then its rows are
 * cut into batches.
 */
import type { CommandContext } from "../../api/core/define-command.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { LoadPlan, LoadRecord, SurveyedFile } from "../history/loads.ts";
import { BatchCutter, type Batch } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank, isUnreadable, type ReadRow } from "../readers/read-rows.ts";
import type { SetFile } from "../sources/define-source.ts";
import { partOf } from "../sources/frame.ts";
import { checkSets, requireWholeEdition, scopeOf, type WholeEdition } from "./completeness.ts";
import { EncodingSigns } from "./encoding-signs.ts";
import type { Gathering } from "./gathering.ts";
import { openMended } from "./mends.ts";
import { namingFile, openSource, type MendedFile, type OpenSource } from "./open-source.ts";
import type { Repeats } from "./repeats.ts";
import type { FileOpener } from "./spool.ts";

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
  watch: (input: Input, phase: "survey" | "load") => FileWatch;
}

/** Who follows one reading of a file. */
interface FileWatch {
  /** Told after each chunk how many rows have been read. */
  onProgress: (rows: number) => void;
  isStopping: () => boolean;
  /** Told that the reading is over. */
  end: () => void;
}

/** How a file is read and cut. */
type FilePlan = Pick<LoadPlan, "as" | "encoding" | "limits" | "isUnchecked">;

/** By what files are read. */
type FileReading = Pick<LoadRun, "open" | "watch"> & { record: { plan: FilePlan } };

/** A file that is being read. */
interface OpenFile extends OpenSource {
  /** What opens it again: a path, or `-`. */
  path: string;
  /** The path as it was given, for people. */
  file: string;
  /** The file whose refused rows it holds, mended. */
  mended?: MendedFile;
  /** Rows after the header that have been read, blank ones left out. */
  count: number;
}

/** Which file, and why. `mendedOf` finds the file of which it holds mended rows, if it does. */
interface FileToRead {
  path: string;
  phase: "survey" | "load";
  mendedOf: ((input: Input) => MendedFile | undefined) | undefined;
}

/** Opens a file, has its rows read, and closes it whatever comes of it. What goes wrong is told with its name. */
async function readFile<T>(
  { open, watch, record: { plan } }: FileReading,
  { path, phase, mendedOf }: FileToRead,
  read: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const input = await open(path);
  const watching = watch(input, phase);
  try {
    return await namingFile(input.label, async () => {
      const mended = mendedOf?.(input);
      const { rows, ...opened } = await openSource(input, { ...plan, as: plan.as, mended });
      const file = { ...opened, path, file: input.label, ...(mended && { mended }), count: 0 };
      async function* follow() {
        for await (const chunk of rows) {
          yield chunk;
          for (const row of chunk) if (!isBlank(row)) file.count += 1;
          watching.onProgress(file.count);
          const where = phase === "survey" ? "before anything was loaded" : `after ${file.count} rows`;
          if (watching.isStopping()) throw new SourceError(`stopped ${where}`);
        }
      }
      return read(Object.assign(file, { rows: follow() }));
    });
  } finally {
    watching.end();
    input.stream.destroy();
  }
}

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

/** What a batch says of its file. */
export type FileBatch = Omit<BatchJob, "load" | "revision">;

/** Who takes the batches of a file. */
interface Cutting {
  /** Brings together what makes one document; absent: rows stay where they are. */
  gathering?: Gathering | undefined;
  /** Takes a batch; resolves when there is room for the next one. */
  take: (batch: FileBatch) => Promise<void>;
  /** Waits until all of them are written. */
  drain?: () => Promise<void>;
}

/**
 * Cuts a file into batches: the same file and plan make the same ones, whenever. Returns how many rows it has. Throws
 * SourceError when it is unfit, or no longer the one that was surveyed; the batches before were taken.
 */
export function cutFile(
  reading: FileReading,
  { path, mended, ...survey }: Pick<FileSurvey, "path"> & Partial<FileSurvey>,
  { take, gathering, drain }: Cutting,
): Promise<number> {
  const { limits } = reading.record.plan;
  return readFile(reading, { path, phase: "load", mendedOf: () => mended }, async (opened) => {
    const { file, source, context } = opened;
    const cutter = new BatchCutter(source.groupKey, limits);
    const give = (batch: Batch) =>
      take({ file, source: source.name, context, ...gathering?.apartOf(batch), ...batch });
    for await (const chunk of opened.rows) {
      for (const row of chunk) {
        const batch = cutter.push(gathering?.pass(row) ?? row);
        if (batch) await give(batch);
      }
    }
    const rest = cutter.take();
    if (rest) await give(rest);
    for (const batch of gathering?.batches(limits) ?? []) await give(batch);
    const { rows = opened.count } = survey;
    if (rows !== opened.count || (survey.source ?? source) !== source)
      throw new SourceError(
        `${file}: the file was changed while it was loaded: its ${rows} rows became ${opened.count}`,
      );
    await drain?.();
    return opened.count;
  });
}

/**
 * Owns the two readings of a load's files: the survey comes first, so that a file that was cut off, or whose trailer does not
 * add up, fails before it has changed a record; then rows are cut into batches.
 */
import { isUtf8 } from "node:buffer";
import { formatCount } from "../../api/core/format.ts";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import type { LoadPlan, SurveyedFile } from "../history/loads.ts";
import { BatchCutter, type Batch } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import { isBlank, isUnreadable, textOf, type Encoding, type ReadRow } from "../readers/read-rows.ts";
import type { SetFile } from "../sources/define-source.ts";
import { partOf } from "../sources/frame.ts";
import { checkSets, requireWholeEdition } from "./editions.ts";
import type { Gathering } from "./gathering.ts";
import { openMended } from "./mends.ts";
import { readFile, type LoadRun, type MendedFile, type OpenFile } from "./open-file.ts";
import type { Repeats } from "./repeats.ts";

/** What is known of a file that has been read to its end. */
export interface FileSurvey extends SetFile, Omit<OpenFile, "rows" | "count"> {
  /** Collections of the records that its rows fill. */
  fills: readonly string[];
  /** What is odd about it, where it is loaded all the same. */
  doubt?: string;
  /** What the load keeps of it. */
  facts: SurveyedFile;
}

/**
 * Reads all files of a load to their ends; `repeats` takes the keys of rows that make one document. Throws SourceError for the
 * first file that is unfit, for files that do not fit together, and where they are to be an edition in whole and are none.
 */
export async function surveyFiles(run: LoadRun, repeats?: Repeats) {
  const { files, plan } = run.record;
  const mendedOf = plan.mends ? await openMended(run.stores.mongo.documents, plan.mends) : () => undefined;
  const surveys: FileSurvey[] = [];
  const survey = async (file: OpenFile) => void surveys.push(await surveyFile(file, plan, repeats));
  for (const path of files) await readFile(run, { path, phase: "survey", mendedOf }, survey);
  const [first] = surveys;
  const doubt = plan.mends ? undefined : doubtOf(() => checkSets(surveys), plan);
  if (first && doubt !== undefined) first.doubt = doubt;
  const filled = surveys.flatMap(({ fills }) => fills);
  const edition = plan.isComplete ? requireWholeEdition(surveys, run) : null;
  return { surveys, fills: filled, edition };
}

/** Throws SourceError for a file that is not whole, or not what it should be. */
async function surveyFile(file: OpenFile, plan: LoadPlan, repeats: Repeats | undefined): Promise<FileSurvey> {
  const { rows, ...known } = file;
  const { source, context, mended } = known;
  const { fills, scattered, kindOf } = source;
  const signs = new EncodingSigns(plan.encoding);
  const filled = new Set(typeof fills === "function" ? [] : fills.map(({ collection }) => collection));
  const tally: Record<string, number> = {};
  let end: ReadRow | undefined;
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (isBlank(row)) continue;
      signs.add(row);
      const text = textOf(row);
      const kind = typeof fills === "function" ? fills(text) : undefined;
      if (kind) filled.add(kind.collection);
      const key = repeats && scattered?.keyOf(text);
      if (key !== undefined) repeats?.see(key);
      const counted = kindOf?.(text);
      if (counted !== undefined) tally[counted] = (tally[counted] ?? 0) + 1;
      end = row;
    }
  }
  const last = end && !isUnreadable(end) ? end : undefined;
  if (mended) requireAllRows(file, mended);
  const doubt =
    doubtOf(() => {
      signs.check();
      if (!mended) source.close?.(last, file.count, context, tally);
    }, plan) ?? (mended || !last ? null : source.doubtEnd?.(last, context));
  const found = {
    ...known,
    rows: file.count,
    last,
    tally,
    fills: [...filled],
    facts: { ...factsOf(file), fills: [...filled] },
  };
  return { ...found, ...(doubt != null && { doubt }) };
}

function factsOf({ file, source, count, context, name, header, mended }: OpenFile): SurveyedFile {
  const facts: SurveyedFile = { file, source: source.name, rows: count, name };
  const scope = source.completeness?.scopeOf?.(context);
  const part = partOf(context);
  if (scope) facts.scope = scope;
  if (context.productionDate) facts.production_date = context.productionDate;
  if (part) facts.part = part;
  if (mended) facts.mends = mended.job.file;
  return { ...facts, ...(header === undefined ? { context } : { header }) };
}

/** Throws SourceError for mended rows that are fewer or more than their export has: no other could be told apart then. */
function requireAllRows({ count, source }: OpenFile, { lines, job }: MendedFile): void {
  const wanted = lines.length + (source.trailerOf ? 1 : 0);
  if (count === wanted) return;
  throw new SourceError(
    `it has ${count} rows, and the export of ${job.file} has ${wanted}: mend rows in their places, and leave those in that ` +
      "cannot be mended, which are refused again; or load it without --mends",
  );
}

/** What a check finds, where it shall not end the load; undefined when it finds nothing. Throws SourceError otherwise. */
function doubtOf(check: () => void, { isUnchecked }: LoadPlan): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnchecked) throw error;
    return error.message;
  }
}

// A single row of bytes that are no text is a damaged row; from two on, with nothing to the contrary, it is the file.
const LEAST_ROWS = 2;

// eslint-disable-next-line no-control-regex -- ASCII is what is looked for
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Follows the rows of one file; those of ASCII alone say nothing, being the same in every encoding. */
export class EncodingSigns {
  /** Rows that speak against the encoding, and the line of the first. */
  private against = 0;
  private firstAgainst = 0;
  private isBorneOut = false;

  constructor(private readonly encoding: Encoding) {}

  /** Takes a row into account: hardly any text of Latin-1 makes UTF-8. Free of cost once a row has borne the encoding out. */
  add(row: ReadRow): void {
    if (this.isBorneOut || !BEYOND_ASCII.test(textOf(row))) return;
    const isOfUtf8 = isUtf8(Buffer.from(textOf(row), isUnreadable(row) ? "latin1" : this.encoding));
    if (isOfUtf8 === (this.encoding === "utf-8")) this.isBorneOut = true;
    else if ((this.against += 1) === 1) this.firstAgainst = row.line;
  }

  /** Throws SourceError when rows speak against the encoding and none for it. */
  check(): void {
    if (this.isBorneOut || this.against === 0) return;
    const rows = `${this.against} ${this.against === 1 ? "row" : "rows"} (the first on line ${this.firstAgainst})`;
    if (this.encoding === "latin1")
      throw new SourceError(
        `expected Latin-1, as --encoding says, found UTF-8 in ${rows} and nothing else beyond ASCII: ` +
          "load it without --encoding",
      );
    if (this.against < LEAST_ROWS) return;
    throw new SourceError(
      `expected UTF-8, found bytes that are none in ${rows} and no row beyond ASCII that is: ` +
        "it is of another encoding; if that is Latin-1, load it with --encoding latin1, and if only those rows are " +
        "damaged, with --unchecked",
    );
  }
}

/** What a batch says of its file. */
export type FileBatch = Omit<BatchJob, "load" | "revision">;

interface Cutting {
  take: (batch: FileBatch) => Promise<void>;
  gathering?: Gathering | undefined;
  drain?: () => Promise<void>;
}

/**
 * Cuts a file into batches: the same file and plan make the same ones, whenever. `take` resolves when there is room for the
 * next one, `drain` when all are written; `gathering` brings together what makes one document. Returns how many rows the file
 * has. Throws SourceError when it is unfit, or no longer the one that was surveyed; the batches before were taken.
 */
export function cutFile(
  run: LoadRun,
  { path, mended, ...survey }: Pick<FileSurvey, "path"> & Partial<FileSurvey>,
  { take, gathering, drain }: Cutting,
): Promise<number> {
  const { limits } = run.record.plan;
  return readFile(run, { path, phase: "load", mendedOf: () => mended }, async (opened) => {
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

// Limit: fewer refused rows than this stop no load, so that small files load as far as they can.
const FEWEST_REFUSED = 100;

/**
 * Returns a check for while a file is written: it throws CommandError when too many rows were refused since. Most likely the
 * file is then not what its load was told, and not one with a few bad rows.
 */
export function guardRefusals(run: LoadRun, { file }: FileSurvey): () => void {
  const { context, isForced, isDryRun, record } = run;
  const { _id: load, plan, counts: before } = record;
  const mostPercent = context.config.REFUSED_MAX_PERCENT;
  return () => {
    // Of mended rows those are left in that nobody could mend.
    if (isForced || plan.mends) return;
    const [read, refused] = [record.counts.read - before.read, record.counts.refused - before.refused];
    if (refused < FEWEST_REFUSED || refused * 100 <= read * mostPercent) return;
    const share = `${formatCount(refused)} of ${formatCount(read)} rows`;
    const most = `more than ${mostPercent} % (REFUSED_MAX_PERCENT)`;
    throw new CommandError(
      isDryRun
        ? `${file}: ${share} would be refused, ${most}: the load would stop; --force goes on`
        : `${file}: ${share} were refused so far, ${most}. npm run cli -- dead-letters list ${load} says why: when the format ` +
            `or the encoding was wrong, load the file anew with --as or --encoding; to take what is left of it, load --resume ${load} --force`,
    );
  };
}

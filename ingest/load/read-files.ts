/** Reads the files of a load twice: a survey, so that an unfit file changes nothing, then in batches. */
import { isUtf8 } from "node:buffer";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { ChangedFilesError, NeedsForceError, SourceError } from "../../api/shared/runtime/errors.ts";
import { noCounts } from "../history/counts.ts";
import { resumeCommand, type LoadPlan, type SurveyedFile } from "../history/loads.ts";
import { BatchCutter } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import { isBlank, isUnreadable, textOf, toBytes, type Encoding, type ReadRow } from "../readers/read-rows.ts";
import { OR_UNCHECKED, partOf, requireNoFutureDay } from "../sources/frame.ts";
import { checkSets, requireWholeEdition } from "./editions.ts";
import { openMended, planMends } from "./mends.ts";
import { readFile, type FileSurvey, type LoadRun, type OpenFile } from "./open-file.ts";
import type { Repeats } from "./repeats.ts";

/** Reads all files to their ends. Throws SourceError for unfit files, or files that do not fit together. */
export async function surveyFiles(run: LoadRun, repeats?: Repeats) {
  const { files, plan } = run.record;
  const mendedOf = plan.mends ? await openMended(run.stores.mongo.documents, plan.mends) : () => undefined;
  const surveys: FileSurvey[] = [];
  const survey = (file: OpenFile) => surveyFile(file, run.record, repeats);
  for (const path of files) surveys.push(await readFile(run, { path, phase: "survey", mendedOf }, survey));
  const [first] = surveys;
  const doubt = plan.mends ? undefined : doubtOf(() => checkSets(surveys), plan);
  if (first && doubt !== undefined) first.doubt = doubt;
  const edition = plan.isComplete ? requireWholeEdition(surveys, run) : null;
  return { surveys, fills: surveys.flatMap(({ fills }) => fills), edition };
}

async function surveyFile(
  file: OpenFile,
  { plan, started_at }: LoadRun["record"],
  repeats: Repeats | undefined,
): Promise<FileSurvey> {
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
  requireAllRows(file.count, file);
  const doubt =
    doubtOf(() => {
      signs.check();
      if (mended) return;
      requireNoFutureDay(context, started_at.slice(0, 10));
      source.close?.(last, file.count, context, tally);
    }, plan) ??
    (mended || !end ? null : source.describeCutEnd?.({ line: end.line, text: textOf(end) }, context));
  const facts = { ...factsOf(file), fills: [...filled] };
  const found = { ...known, rows: file.count, last, tally, fills: facts.fills, facts };
  return { ...found, ...(doubt != null && { doubt }) };
}

function factsOf({ file, source, count, checksum, context, name, header, mended }: OpenFile): SurveyedFile {
  const facts: SurveyedFile = { file, source: source.name, rows: count, checksum, name };
  const scope = source.completeness?.scopeOf?.(context);
  const part = partOf(context);
  if (scope) facts.scope = scope;
  if (context.productionDate) facts.production_date = context.productionDate;
  if (part) facts.part = part;
  if (mended) facts.mends = mended.job.file;
  return { ...facts, ...(header === undefined ? { context } : { header }) };
}

/**
 * Reads again which refused rows are mended: while the load waited, others may have mended, replaced or undone them.
 * Call it while holding the locks of the record kinds. Throws CommandError or SourceError.
 */
export async function renewMended({ stores, record }: LoadRun, surveys: readonly FileSurvey[]) {
  const { plan } = record;
  if (!plan.mends) return;
  const { mends } = await planMends(stores, plan.mends.load, record._id);
  // A resumed load keeps the place that its batches already have.
  if (!record.surveyed) plan.mends = mends;
  const mendedOf = await openMended(stores.mongo.documents, plan.mends);
  for (const survey of surveys) {
    survey.mended = mendedOf(survey, survey.mended?.job.file);
    requireAllRows(survey.rows, survey);
  }
}

/** Mended rows are matched by position, so there must be as many as in the export. */
function requireAllRows(count: number, { source, mended }: Pick<OpenFile, "source" | "mended">): void {
  if (!mended) return;
  const { lines, job } = mended;
  const wanted = lines.length + (source.trailerOf ? 1 : 0);
  if (count === wanted) return;
  throw new SourceError(
    `it has ${formatNumber(count, "row")}, but the export of ${job.file} has ${wanted}: correct rows in place and keep those that you ` +
      "cannot correct (they are refused again), or load it without --mends",
  );
}

/**
 * Runs a check. If the load is unchecked, returns the message of its SourceError, or undefined; otherwise throws the
 * error.
 */
function doubtOf(check: () => void, { isUnchecked }: LoadPlan): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnchecked) throw error;
    return error.message.replace(OR_UNCHECKED, "");
  }
}

// One undecodable row is a damaged row. From this many on, the encoding of the file is wrong.
const LEAST_ROWS = 2;

// oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Checks the encoding of a file by its rows. ASCII rows are the same in both encodings and do not count. */
export class EncodingSigns {
  /** Rows that contradict the encoding, and the line of the first. */
  private against = 0;
  private firstAgainst = 0;
  private isConfirmed = false;

  constructor(private readonly encoding: Encoding) {}

  /** Counts a row: Latin-1 text is hardly ever valid UTF-8. Costs nothing once the encoding is confirmed. */
  add(row: ReadRow): void {
    if (this.isConfirmed || !BEYOND_ASCII.test(textOf(row))) return;
    const bytes = isUnreadable(row) ? Buffer.from(row.bytes, "base64") : toBytes(row.text, this.encoding);
    const isOfUtf8 = isUtf8(bytes);
    if (isOfUtf8 === (this.encoding === "utf-8")) this.isConfirmed = true;
    else if ((this.against += 1) === 1) this.firstAgainst = row.line;
  }

  /** Throws SourceError when rows contradict the encoding and none confirms it. */
  check(): void {
    if (this.isConfirmed || this.against === 0) return;
    const rows = `${formatNumber(this.against, "row")} (the first on line ${this.firstAgainst})`;
    if (this.encoding === "latin1")
      throw new SourceError(
        `expected Latin-1, as --encoding says, found UTF-8 in ${rows} and nothing else beyond ASCII: ` +
          "load it without --encoding",
      );
    if (this.against < LEAST_ROWS) return;
    throw new SourceError(
      `expected UTF-8, found other bytes in ${rows} and no UTF-8 beyond ASCII: the file has another encoding, or those rows are ` +
        `damaged; if that is Latin-1, load it with --encoding latin1${OR_UNCHECKED}`,
    );
  }
}

export type FileBatch = Omit<BatchJob, "load" | "revision">;

export interface Cutting {
  take: (batch: FileBatch) => Promise<void>;
  /** In a first load: names the documents that other batches have rows of, too (`repeats.ts`). */
  apart?: ((rows: readonly ReadRow[]) => Pick<BatchJob, "apart">) | undefined;
  drain?: () => Promise<void>;
}

/**
 * Cuts a file into batches, always the same ones for the same file and plan; returns its number of rows.
 * `take` resolves when there is room, `drain` when all are written. Throws SourceError if the file is unfit, and
 * ChangedFilesError if it has changed since the survey; some batches may be written by then.
 */
export function cutFile(
  run: LoadRun,
  { path, mended, ...survey }: Pick<FileSurvey, "path"> & Partial<FileSurvey>,
  { take, apart, drain }: Cutting,
): Promise<number> {
  const { limits } = run.record.plan;
  return readFile(run, { path, phase: "load", mendedOf: () => mended }, async (opened) => {
    const { file, source, context } = opened;
    const cutter = new BatchCutter(source.groupKey, limits);
    const give = (rows: ReadRow[]) => take({ file, source: source.name, context, ...apart?.(rows), rows });
    for await (const chunk of opened.rows) {
      for (const row of chunk) {
        const batch = cutter.push(row);
        if (batch) await give(batch);
      }
    }
    const rest = cutter.take();
    if (rest) await give(rest);
    const { rows = opened.count, facts } = survey;
    const { checksum = opened.checksum } = facts ?? {};
    if (rows !== opened.count || (survey.source ?? source) !== source)
      throw new ChangedFilesError(
        `${file} changed while it was loaded: ${formatNumber(rows, "row")} became ${formatCount(opened.count)}`,
      );
    if (checksum !== opened.checksum)
      throw new ChangedFilesError(`${file} changed while it was loaded: some of its rows have other content`);
    await drain?.();
    return opened.count;
  });
}

// Limit: fewer refused rows never stop a load, so that all good rows of a small file are loaded.
const FEWEST_REFUSED = 100;

/**
 * Returns a check that throws NeedsForceError if too many rows were refused: the format is probably wrong. `countDone`:
 * for a resumed load, the counts of batches of this file that an earlier run has written and that have been passed.
 */
export function guardRefusals(run: LoadRun, { file }: FileSurvey, countDone = noCounts): () => void {
  const { context, isForced, isDryRun, record } = run;
  const { _id: load, plan, counts: before } = record;
  const mostPercent = context.config.REFUSED_MAX_PERCENT;
  return () => {
    // A file of mended rows also has those that could not be mended.
    if (isForced || plan.mends) return;
    const counted = countDone();
    const countOf = (what: "read" | "refused") => record.counts[what] - before[what] + counted[what];
    const [read, refused] = [countOf("read"), countOf("refused")];
    if (refused < FEWEST_REFUSED || refused * 100 <= read * mostPercent) return;
    const share = `${formatCount(refused)} of ${formatCount(read)} rows`;
    const most = `more than ${mostPercent} % (REFUSED_MAX_PERCENT)`;
    const anyway = resumeCommand(record, true) ?? "load it again with --force";
    throw new NeedsForceError(
      isDryRun
        ? `${file}: ${share} would be refused, ${most}: the load would stop; use --force to load it anyway`
        : `${file}: ${share} were refused so far, ${most}. npm run cli -- refused-rows list ${load} says why: if the format ` +
            `or the encoding was wrong, load the file again with --as or --encoding; to load the rest anyway, ${anyway}`,
    );
  };
}

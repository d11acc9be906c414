/**
 * Owns what the files of a load are measured by before anything of them is written: the loads before them, by their days,
 * their runs and their size; and while they are written the share of their rows that is refused.
 */
import { basename } from "node:path";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import { filesOf, isOverlapping, runsOf, type LoadedFile } from "../history/editions.ts";
import { fetchLatestLoads, type SurveyedFile } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import type { SourceDefinition } from "../sources/define-source.ts";
import { earliestDay, scopeOf } from "./completeness.ts";
import { toSurveyed, type FileSurvey, type LoadRun } from "./read-files.ts";

/** Tells what a person should know of the files. Throws SourceError or CommandError for those that do not follow. */
export async function checkFiles(run: LoadRun, surveys: readonly FileSurvey[]): Promise<void> {
  const { record, context } = run;
  const { isUnchecked, mends } = record.plan;
  for (const { file, doubt } of isUnchecked ? [] : surveys)
    if (doubt !== undefined) context.tell(`${file}: ${doubt}`);
  if (mends) return;
  // What has begun with a gap, or as an older edition, goes on.
  const isForced = run.isForced || record.surveyed !== undefined;
  const loaded = filesOf(await fetchLatestLoads(run.stores.mongo.documents));
  const others = loaded.filter(({ load }) => load !== record._id);
  const [held, notes] = [runsOf(loaded), [] as string[]];
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const files = surveys.filter((survey) => survey.source === source);
    notes.push(...(source.series?.check?.(files, held, isForced) ?? []));
    notes.push(...checkDay(source, files, others, { isComplete: record.plan.isComplete, isForced }));
    checkSize(source, files, loaded, isForced ? 0 : context.config.COMPLETE_MIN_PERCENT);
  }
  for (const note of notes) context.tell(note);
}

/**
 * What is to be said of an edition that is older than a loaded one, where editions of the source tell their day. Throws
 * CommandError for it unless forced: then its rows yield to what has been told since, and so does what it lacks.
 */
function checkDay(
  source: SourceDefinition,
  files: readonly FileSurvey[],
  loaded: readonly LoadedFile[],
  { isComplete, isForced }: { isComplete: boolean; isForced: boolean },
): string[] {
  if (!source.completeness) return [];
  const ofSource = loaded.filter((file) => file.source === source.name);
  const older = findOlder(files, ofSource);
  if (!older) return [];
  const found = `the edition is of ${older.day}, and one of ${older.later} was loaded (${older.load})`;
  const outcome = "where both tell something, the later one stands";
  if (isForced) return [`${source.name}: ${found}: ${outcome}`];
  throw new CommandError(
    `${isComplete ? "--complete" : source.name}: ${found}: an older edition adds what that one lacks, and ${outcome}. ` +
      "When that is what you want, lift this with --force",
  );
}

/** The day of files that are older than what was loaded, the latest day of that, and the load which brought it. */
function findOlder(files: readonly FileSurvey[], loaded: readonly LoadedFile[]) {
  const found = [...new Set(files.map(scopeOf))].flatMap((scope) => {
    const day = earliestDay(files.filter((file) => scopeOf(file) === scope));
    return loaded.flatMap(({ load, scope: other, production_date: later = "" }) =>
      day !== undefined && later > day && isOverlapping(scope, other) ? { day, later, load } : [],
    );
  });
  return found.sort((a, b) => b.later.localeCompare(a.later))[0];
}

/** Files of one edition, of one load or of several. */
interface Edition {
  /** The latest load that brought a file of it, and that file. */
  load: string;
  file: string;
  /** How many files it has. */
  parts: number;
  /** Rows of each, by its part. */
  rows: Map<number | string, number>;
}

/**
 * Throws SourceError for an edition that holds fewer rows than `minimumPercent` of the same files of the last edition
 * that was loaded, where nothing in its files states their number: one that was cut at the end of a row looks whole.
 */
function checkSize(
  source: SourceDefinition,
  files: readonly FileSurvey[],
  loaded: readonly LoadedFile[],
  minimumPercent: number,
): void {
  if (source.trailerOf || !source.completeness) return;
  const succeeded = loaded.filter(({ hasSucceeded }) => hasSucceeded);
  const before = groupEditions(succeeded, source);
  const own = files.map((file) => ({ ...toSurveyed(file), load: "" }));
  for (const { file, parts, rows } of groupEditions(own, source)) {
    const earlier = findSame({ parts, rows }, before);
    const count = sum(rows.values());
    if (!earlier || count * 100 >= earlier.rows * minimumPercent) continue;
    const percent = ((100 * count) / earlier.rows).toFixed(1);
    const has = parts === 1 ? `${file} has` : `the files of the edition have`;
    throw new SourceError(
      `${has} ${formatCount(count)} rows, only ${percent} % of the ${formatCount(earlier.rows)} that were loaded before ` +
        `(${earlier.load}), and ${minimumPercent} % is the least (COMPLETE_MIN_PERCENT): most likely an incomplete ` +
        "download. Get it again, or, when it is as it should be, load it with --force",
    );
  }
}

/** Editions of a source, of the latest load first: files named as their publisher names them, with a day. Extracts may be of any size. */
function groupEditions(
  files: readonly (SurveyedFile & { load: string })[],
  { name, fileNames }: SourceDefinition,
): Edition[] {
  const editions = new Map<string, Edition>();
  for (const { load, file, source, rows, production_date: day, part, mends } of files) {
    const isEdition = day !== undefined && fileNames.test(basename(file)) && mends === undefined;
    if (source !== name || !isEdition) continue;
    const { part: place = 1, parts = 1 } = part ?? {};
    const key = `${day} in ${parts}`;
    const edition = editions.get(key) ?? { load, file, parts, rows: new Map<number | string, number>() };
    editions.set(key, edition);
    // Of a file that was loaded again the latest load counts.
    if (!edition.rows.has(place)) edition.rows.set(place, rows);
  }
  return [...editions.values()];
}

/** The last edition that has all that this one has: the same parts, or all of both. */
function findSame(own: Pick<Edition, "parts" | "rows">, editions: readonly Edition[]) {
  const isWhole = own.rows.size === own.parts;
  for (const { load, parts, rows } of editions) {
    if (isWhole && rows.size === parts) return { load, rows: sum(rows.values()) };
    const same = [...own.rows.keys()].flatMap((part) => rows.get(part) ?? []);
    if (parts === own.parts && same.length === own.rows.size) return { load, rows: sum(same) };
  }
  return undefined;
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

// Limit: fewer refused rows than this stop no load, so that small files load as far as they can.
const FEWEST_REFUSED = 100;

/**
 * Returns what is asked while a file is written: it throws CommandError when too many rows were refused since. Most likely the
 * file is then not what its load was told, and not one with a few bad rows.
 */
export function guardRefusals(
  { context, isForced, record }: LoadRun,
  { file }: FileSurvey,
  isDryRun = false,
): () => void {
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

/**
 * Owns what the files of a load are checked against before anything of them is written: each other, as parts of a set and as
 * the whole edition that `--complete` wants, and the loads before them, by their days, their runs and their size.
 */
import { basename } from "node:path";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import { fetchLoadedFiles, isOverlapping, type LoadedFile, type SurveyedFile } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import type { Completeness, SetPart, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import type { LoadRun } from "./open-file.ts";
import type { FileSurvey } from "./read-files.ts";

/** An edition of which all files are there: the context of its first one, and the day that it shows. */
export interface WholeEdition {
  completeness: Completeness;
  context: SourceContext;
  productionDate: string | undefined;
}

/**
 * What the files leave nothing out of. Throws SourceError, saying why, when they are no whole edition; for one of no day
 * not when `isForced`.
 */
export function requireWholeEdition(
  surveys: readonly FileSurvey[],
  { isForced }: { isForced: boolean },
): WholeEdition {
  const [first] = surveys;
  if (!first) throw new SourceError("--complete: no file is named");
  const { completeness, name } = first.source;
  const different = surveys.find(({ source }) => source !== first.source);
  if (different)
    throw new SourceError(
      `--complete: ${first.file} is of the format ${name}, ${different.file} of ${different.source.name}: ` +
        "load one edition at a time",
    );
  if (!completeness)
    throw new SourceError(`--complete: no file of the format ${name} is ever the whole of anything`);
  const parts = surveys.flatMap(({ facts: { part } }) => part ?? []);
  const wanted = Array.from({ length: parts[0]?.parts ?? 0 }, (_none, index) => index + 1);
  const lacking = wanted.filter((number) => parts.every(({ part }) => part !== number));
  if (lacking.length > 0)
    throw new SourceError(`--complete: part ${lacking.join(", ")} of the edition is lacking`);
  completeness.requireWhole?.(surveys);
  if (!isForced) requireDays(surveys, completeness);
  return { completeness, context: first.context, productionDate: earliestDay(surveys) };
}

/** Every guard of what was told later goes by the day. */
function requireDays(surveys: readonly FileSurvey[], { nameWithDay }: Completeness): void {
  const undated = surveys.find(({ context }) => context.productionDate === undefined);
  if (!undated) return;
  const { file, name } = undated;
  // Of standard input the label is all there is; in a zip the member bears the name.
  const named = file.replace(/\.gz$/i, "").endsWith(name) ? file : `${name} in ${file}`;
  throw new SourceError(
    `--complete: the name of ${named} tells no day, and what events, daily updates and later editions have told since ` +
      "the day of the edition would be removed for being lacking. Name it as its publisher does" +
      `${nameWithDay ? `, such as ${nameWithDay}` : ""}, or lift this with --force`,
  );
}

/** The day of the edition; of several the earliest, on which all of it was so. */
function earliestDay(surveys: readonly FileSurvey[]): string | undefined {
  const days = surveys.map(({ context }) => context.productionDate);
  return days.includes(undefined) ? undefined : days.toSorted()[0];
}

/**
 * Checks the files of one load against each other. Throws SourceError for parts of two editions and for a part that
 * is there twice, and what the format itself demands of a whole set.
 */
export function checkSets(surveys: readonly FileSurvey[]): void {
  const setOf = ({ source, facts: { part } }: FileSurvey) => part && `${source.name}/${part.product ?? ""}`;
  for (const set of new Set(surveys.flatMap((survey) => setOf(survey) ?? []))) {
    const files = surveys.filter((survey) => setOf(survey) === set);
    for (const [at, file] of files.entries()) requireFit(file, files.slice(0, at));
    const [first] = files;
    if (files.length === first?.facts.part?.parts) first.source.closeSet?.(files);
  }
}

function requireFit({ file, facts: { part } }: FileSurvey, before: readonly FileSurvey[]): void {
  const [first] = before;
  if (!first) return;
  const nameOf = ({ edition = "", parts }: Partial<SetPart> = {}) =>
    parts === undefined ? edition : `${edition} in ${parts} parts`;
  const [name, firstName] = [nameOf(part), nameOf(first.facts.part)];
  if (name !== firstName)
    throw new SourceError(
      `${first.file} and ${file} are parts of two editions (${firstName}, ${name}): load the editions one after the other`,
    );
  const same = before.find(({ facts }) => facts.part?.part === part?.part);
  if (same) throw new SourceError(`${same.file} and ${file} are both part ${part?.part}: name it once`);
}

/** Tells what a person should know of the files. Throws SourceError or CommandError for those that do not follow. */
export async function checkFiles(run: LoadRun, surveys: readonly FileSurvey[]): Promise<void> {
  const { record, context } = run;
  const { isUnchecked, isComplete, mends } = record.plan;
  for (const { file, doubt } of isUnchecked ? [] : surveys)
    if (doubt !== undefined) context.tell(`${file}: ${doubt}`);
  if (mends) return;
  // What has begun with a gap, or as an older edition, goes on.
  const isForced = run.isForced || record.surveyed !== undefined;
  const loaded = await fetchLoadedFiles(run.stores.mongo.documents);
  const others = loaded.filter(({ of }) => of._id !== record._id);
  const runs = new Map<string, number>();
  for (const { run: known } of loaded)
    if (known) runs.set(known.series, Math.max(known.run, runs.get(known.series) ?? 0));
  const notes: string[] = [];
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const files = surveys.filter((survey) => survey.source === source);
    notes.push(...(source.series?.check?.(files, runs, isForced) ?? []));
    notes.push(...checkDay(source, files, others, { isComplete, isForced }));
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
  const older = [...new Set(files.map(({ facts }) => facts.scope))].flatMap((scope) => {
    const day = earliestDay(files.filter(({ facts }) => facts.scope === scope));
    return loaded.flatMap(({ of: { _id: load }, source: name, scope: other, production_date: later = "" }) =>
      name === source.name && day !== undefined && later > day && isOverlapping(scope, other)
        ? { day, later, load }
        : [],
    );
  });
  const [latest] = older.sort((a, b) => b.later.localeCompare(a.later));
  if (!latest) return [];
  const found = `the edition is of ${latest.day}, and one of ${latest.later} was loaded (${latest.load})`;
  const outcome = "where both tell something, the later one stands";
  if (isForced) return [`${source.name}: ${found}: ${outcome}`];
  throw new CommandError(
    `${isComplete ? "--complete" : source.name}: ${found}: an older edition adds what that one lacks, and ${outcome}. ` +
      "When that is what you want, lift this with --force",
  );
}

/** Files of one edition, of one load or of several: the latest load that brought one, that file, and the rows of each by its part. */
interface Edition {
  load: string;
  file: string;
  /** How many files it has. */
  parts: number;
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
  const succeeded = loaded.filter(({ of }) => of.state === "succeeded");
  const before = groupEditions(succeeded, source);
  const own = files.map(({ facts }) => ({ ...facts, of: { _id: "" } }));
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
  files: readonly (SurveyedFile & { of: { _id: string } })[],
  { name, fileNames }: SourceDefinition,
): Edition[] {
  const editions = new Map<string, Edition>();
  for (const {
    of: { _id: load },
    file,
    source,
    rows,
    production_date: day,
    part,
    mends,
  } of files) {
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

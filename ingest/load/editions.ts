/**
 * Owns what the files of a load are checked against before anything of them is written: each other, as parts of a set and as
 * the whole edition that `--complete` wants, and the loads before them, by their days, their runs and their size.
 */
import { basename } from "node:path";
import { formatCount } from "../../api/core/format.ts";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import { fetchLoadedFiles, isOverlapping, type LoadedFile } from "../history/loads.ts";
import type { Completeness, SetPart, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { placeAgain } from "./former.ts";
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
export function requireWholeEdition(surveys: readonly FileSurvey[], { isForced }: LoadRun): WholeEdition {
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

const OUTCOME = "where both tell something, the later one stands";

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
  const facts = record.surveyed ? [] : surveys.map((survey) => survey.facts);
  const again = await placeAgain(run.stores.mongo.documents, record, facts);
  const runs = new Map<string, number>();
  for (const { run: known } of loaded)
    if (known) runs.set(known.series, Math.max(known.run, runs.get(known.series) ?? 0));
  const notes: string[] = [];
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const files = surveys.filter((survey) => survey.source === source);
    notes.push(...(source.series?.check?.(files, runs, isForced) ?? []));
    if (!source.completeness) continue;
    const ofSource = loaded.filter((file) => file.source === source.name);
    const others = ofSource.filter(({ of }) => of._id !== record._id);
    const news = files.filter((survey) => !again.includes(survey.facts));
    const older = findOlder(news, others);
    if (older !== undefined && !isForced)
      throw new CommandError(
        `${isComplete ? "--complete" : source.name}: ${older}: an older edition adds what that one lacks, and ${OUTCOME}. ` +
          "When that is what you want, lift this with --force",
      );
    // Its rows yield to what has been told since, and so does what it lacks.
    if (older !== undefined) notes.push(`${source.name}: ${older}: ${OUTCOME}`);
    const own = files.map(({ facts }) => ({ ...facts, of: record }));
    const succeeded = ofSource.filter(({ of }) => of.state === "succeeded");
    if (!isForced && !source.trailerOf)
      checkSize(source, own, succeeded, context.config.COMPLETE_MIN_PERCENT);
  }
  for (const note of notes) context.tell(note);
}

/** The day of an edition that is older than a loaded one, where editions of the source tell their day, and of that one. */
function findOlder(files: readonly FileSurvey[], loaded: readonly LoadedFile[]): string | undefined {
  const older = [...new Set(files.map(({ facts }) => facts.scope))].flatMap((scope) => {
    const day = earliestDay(files.filter(({ facts }) => facts.scope === scope));
    return loaded.flatMap(({ of: { _id: load }, scope: other, production_date: later = "" }) =>
      day !== undefined && later > day && isOverlapping(scope, other) ? { day, later, load } : [],
    );
  });
  const [latest] = older.sort((a, b) => b.later.localeCompare(a.later));
  return latest && `the edition is of ${latest.day}, and one of ${latest.later} was loaded (${latest.load})`;
}

/**
 * Throws SourceError for an edition that holds far fewer rows than the same files of the last edition that was loaded, where
 * nothing in its files states their number: one that was cut at the end of a row looks whole.
 */
function checkSize(
  { fileNames }: SourceDefinition,
  files: readonly LoadedFile[],
  loaded: readonly LoadedFile[],
  minimumPercent: number,
): void {
  const before = groupEditions(loaded, fileNames);
  for (const own of groupEditions(files, fileNames)) {
    const earlier = before.map((one) => filesToCompare(own, one)).find((same) => same.length > 0) ?? [];
    const [count, former] = [countRows([...own.values()]), countRows(earlier)];
    if (count * 100 >= former * minimumPercent) continue;
    const [file] = own.values();
    const has = partsOf(own) === 1 ? `${file?.file} has` : `the files of the edition have`;
    throw new SourceError(
      `${has} ${formatCount(count)} rows, only ${((100 * count) / former).toFixed(1)} % of the ` +
        `${formatCount(former)} that were loaded before (${earlier[0]?.of._id}), and ${minimumPercent} % is the least ` +
        "(COMPLETE_MIN_PERCENT): most likely an incomplete download. Get it again, or, when it is as it should be, " +
        "load it with --force",
    );
  }
}

/** The files of an edition, of one load or of several, by their parts. */
type Edition = ReadonlyMap<number | string, LoadedFile>;

/** Editions, of the latest load first: files named as their publisher names them, with a day. Extracts may be of any size. */
function groupEditions(files: readonly LoadedFile[], fileNames: RegExp): Edition[] {
  const editions = new Map<string, Map<number | string, LoadedFile>>();
  for (const file of files) {
    const { production_date: day, part: { part = 1, parts = 1 } = {}, mends } = file;
    if (day === undefined || mends !== undefined || !fileNames.test(basename(file.file))) continue;
    const edition = editions.get(`${day} in ${parts}`) ?? new Map<number | string, LoadedFile>();
    editions.set(`${day} in ${parts}`, edition);
    // Of a file that was loaded again the latest load counts.
    if (!edition.has(part)) edition.set(part, file);
  }
  return [...editions.values()];
}

/** Those of an earlier edition that one is compared with: all where both are whole, or the same parts, or none. */
function filesToCompare(own: Edition, earlier: Edition): LoadedFile[] {
  const areWhole = [own, earlier].every((edition) => edition.size === partsOf(edition));
  if (areWhole) return [...earlier.values()];
  const same = [...own.keys()].flatMap((part) => earlier.get(part) ?? []);
  return partsOf(own) === partsOf(earlier) && same.length === own.size ? same : [];
}

/** How many files it has when it is whole. */
function partsOf(edition: Edition): number {
  const [file] = edition.values();
  return file?.part?.parts ?? 1;
}

function countRows(files: readonly LoadedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

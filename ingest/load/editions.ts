/** Checks the files of a load before it writes: against each other, and against earlier loads. */
import { basename } from "node:path";
import { formatCount } from "../../api/core/format.ts";
import { CommandError, SourceError } from "../../api/core/errors.ts";
import { fetchLoad, fetchLoadedFiles, isOverlapping, lastRuns, type LoadedFile } from "../history/loads.ts";
import type { Completeness, SetPart, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { requireNotUndone } from "./mends.ts";
import type { LoadRun, FileSurvey } from "./open-file.ts";

export interface WholeEdition {
  completeness: Completeness;
  context: SourceContext;
  productionDate: string | undefined;
}

/** Throws SourceError unless the files are a whole edition, and one with a day unless forced. */
export function requireWholeEdition(surveys: readonly FileSurvey[], { isForced }: LoadRun): WholeEdition {
  const [first] = surveys;
  if (!first) throw new SourceError("--complete: no file is named");
  const { completeness, name } = first.source;
  const different = surveys.find(({ source }) => source !== first.source);
  if (different)
    throw new SourceError(
      `--complete: ${first.file} is ${name}, ${different.file} is ${different.source.name}: load one edition at a time`,
    );
  if (!completeness)
    throw new SourceError(`--complete: files of the format ${name} are never a whole edition`);
  const parts = surveys.flatMap(({ facts: { part } }) => part ?? []);
  const wanted = Array.from({ length: parts[0]?.parts ?? 0 }, (_none, index) => index + 1);
  const lacking = wanted.filter((number) => parts.every(({ part }) => part !== number));
  if (lacking.length > 0)
    throw new SourceError(`--complete: part ${lacking.join(", ")} of the edition is missing`);
  completeness.requireWhole?.(surveys);
  if (!isForced) requireDays(surveys, completeness);
  return { completeness, context: first.context, productionDate: earliestDay(surveys) };
}

function requireDays(surveys: readonly FileSurvey[], { nameWithDay }: Completeness): void {
  const undated = surveys.find(({ context }) => context.productionDate === undefined);
  if (!undated) return;
  const { file, name } = undated;
  // Standard input has only a label; a zip is named by its member.
  const named = file.replace(/\.gz$/i, "").endsWith(name) ? file : `${name} in ${file}`;
  throw new SourceError(
    `--complete: the name of ${named} has no day, so records that events, daily updates or later editions have added ` +
      "since would be removed. Name it as its publisher does" +
      `${nameWithDay ? `, such as ${nameWithDay}` : ""}, or override this with --force`,
  );
}

/** The day of the edition; the earliest where its files differ. */
function earliestDay(surveys: readonly FileSurvey[]): string | undefined {
  const days = surveys.map(({ context }) => context.productionDate);
  return days.includes(undefined) ? undefined : days.toSorted()[0];
}

/** Throws SourceError for parts of two editions, for a part named twice, and for what `closeSet` finds. */
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

const OUTCOME = "where both have a value, the later edition wins";

/** Prints notes on the files. Throws SourceError or CommandError if they cannot follow earlier loads. */
export async function checkFiles(run: LoadRun, surveys: readonly FileSurvey[]): Promise<void> {
  const { record, context } = run;
  const { isUnchecked, isComplete, mends } = record.plan;
  for (const { file, doubt } of isUnchecked ? [] : surveys)
    if (doubt !== undefined) context.tell(`${file}: ${doubt}`);
  // It may have been undone since this load was planned.
  if (mends) return requireNotUndone(await fetchLoad(run.stores.mongo.documents, mends.load));
  // A load that was let through with a gap, or as an older edition, may be resumed.
  const isForced = run.isForced || record.surveyed !== undefined;
  const loaded = await fetchLoadedFiles(run.stores.mongo.documents);
  const runs = lastRuns(loaded);
  const notes: string[] = [];
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const files = surveys.filter((survey) => survey.source === source);
    notes.push(...(source.series?.check?.(files, runs, isForced) ?? []));
    if (!source.completeness) continue;
    const ofSource = loaded.filter((file) => file.source === source.name);
    const others = ofSource.filter(({ of }) => of._id !== record._id);
    const older = findOlder(files, others);
    if (older !== undefined && !isForced)
      throw new CommandError(
        `${isComplete ? "--complete" : source.name}: ${older}: an older edition adds what that one lacks, and ${OUTCOME}. ` +
          "If that is what you want, override this with --force",
      );
    // Newer data wins over the rows of an older edition, and over its removals.
    if (older !== undefined) notes.push(`${source.name}: ${older}: ${OUTCOME}`);
    const own = files.map(({ facts }) => ({ ...facts, of: record }));
    const succeeded = ofSource.filter(({ of }) => of.state === "succeeded");
    if (!isForced && !source.trailerOf)
      checkSize(source, own, succeeded, context.config.COMPLETE_MIN_PERCENT);
  }
  for (const note of notes) context.tell(note);
}

/** Says that the edition is older than a loaded one; undefined if not, or if a day is unknown. */
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

/** Throws SourceError for far fewer rows than before: a file cut after a row looks whole. */
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
        `${formatCount(former)} that were loaded before (${earlier[0]?.of._id}); at least ${minimumPercent} % are required ` +
        "(COMPLETE_MIN_PERCENT). Most likely the download is incomplete: download it again, or, if it is correct, " +
        "load it with --force",
    );
  }
}

type Edition = ReadonlyMap<number | string, LoadedFile>;

/** Groups dated files with their publisher's names by edition; extracts may have any size. */
function groupEditions(files: readonly LoadedFile[], fileNames: RegExp): Edition[] {
  const editions = new Map<string, Map<number | string, LoadedFile>>();
  for (const file of files) {
    const { production_date: day, part: { part = 1, parts = 1 } = {}, mends } = file;
    if (day === undefined || mends !== undefined || !fileNames.test(basename(file.file))) continue;
    const edition = editions.get(`${day} in ${parts}`) ?? new Map<number | string, LoadedFile>();
    editions.set(`${day} in ${parts}`, edition);
    // The latest load of a file counts.
    if (!edition.has(part)) edition.set(part, file);
  }
  return [...editions.values()];
}

/** The earlier files to compare with: all if both editions are whole, else the same parts, or none. */
function filesToCompare(own: Edition, earlier: Edition): LoadedFile[] {
  const areWhole = [own, earlier].every((edition) => edition.size === partsOf(edition));
  if (areWhole) return [...earlier.values()];
  const same = [...own.keys()].flatMap((part) => earlier.get(part) ?? []);
  return partsOf(own) === partsOf(earlier) && same.length === own.size ? same : [];
}

function partsOf(edition: Edition): number {
  const [file] = edition.values();
  return file?.part?.parts ?? 1;
}

function countRows(files: readonly LoadedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

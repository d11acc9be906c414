/** Checks the files of a load before it writes: against each other, and against earlier loads. */
import type { Config } from "../../api/shared/settings/config.ts";
import { groupBy } from "../../api/shared/values/group-by.ts";
import { missingParts } from "../../api/shared/values/parts.ts";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { NeedsForceError, SourceError } from "../../api/shared/runtime/errors.ts";
import {
  filesOf,
  isOverlapping,
  lastRuns,
  type LoadedFile,
  type LoadFacts,
  type SurveyedFile,
} from "../history/loads.ts";
import type { Completeness, SetPart } from "../sources/define-source.ts";
import { findSource } from "../sources/index.ts";
import type { LoadRun, FileSurvey } from "./open-file.ts";

export type WholeEdition = ReturnType<typeof requireWholeEdition>;

/** Throws SourceError unless the files are one whole edition and, unless forced, each of them has a day. */
export function requireWholeEdition(surveys: readonly FileSurvey[], { isForced }: LoadRun) {
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
  const lacking = missingParts(surveys.map(({ facts: { part } }) => part));
  if (lacking.length > 0)
    throw new SourceError(`--complete: part ${lacking.join(", ")} of the edition is missing`);
  requireOneDay(surveys);
  completeness.requireWhole?.(surveys);
  if (!isForced) requireDays(surveys, completeness);
  return { completeness, context: first.context, productionDate: earliestDay(factsOf(surveys)) };
}

function requireOneDay(surveys: readonly FileSurvey[]): void {
  const [first, ...others] = surveys.filter(({ context }) => context.productionDate !== undefined);
  const other = others.find(({ context }) => context.productionDate !== first?.context.productionDate);
  if (!first || !other) return;
  const [one, two] = [first, other].map(({ context }) => context.productionDate);
  throw new SourceError(
    `--complete: ${first.file} is of ${one}, ${other.file} of ${two}: load one edition at a time`,
  );
}

function requireDays(surveys: readonly FileSurvey[], { nameWithDay }: Completeness): void {
  const undated = surveys.find(({ context }) => context.productionDate === undefined);
  if (!undated) return;
  const { file, name } = undated;
  // For standard input `file` is only a label; for a zip `name` is that of its member.
  const named = file.replace(/\.gz$/i, "").endsWith(name) ? file : `${name} in ${file}`;
  throw new SourceError(
    `--complete: the name of ${named} has no day, so records that events, daily updates or later editions have added ` +
      "since would be removed. Name it as its publisher does" +
      `${nameWithDay ? `, such as ${nameWithDay}` : ""}, or override this with --force`,
  );
}

function factsOf(surveys: readonly FileSurvey[]): SurveyedFile[] {
  return surveys.map(({ facts }) => facts);
}

/** The day of the edition: the earliest of its files, or undefined if a file has none. */
function earliestDay(files: readonly SurveyedFile[]): string | undefined {
  const days = files.map(({ production_date: day }) => day);
  return days.includes(undefined) ? undefined : days.toSorted()[0];
}

/** Throws SourceError for parts of two editions, for a part named twice, and for a fault that `closeSet` finds. */
export function checkSets(surveys: readonly FileSurvey[]): void {
  const setOf = ({ source, facts: { part } }: FileSurvey) => part && `${source.name}/${part.product ?? ""}`;
  for (const set of new Set(surveys.flatMap((survey) => setOf(survey) ?? []))) {
    const files = surveys.filter((survey) => setOf(survey) === set);
    for (const [at, file] of files.entries()) requireFit(file, files.slice(0, at));
    const [first] = files;
    if (missingParts(files.map(({ facts: { part } }) => part)).length === 0) first?.source.closeSet?.(files);
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

const OUTCOME =
  "where both have a value, the later edition wins, except for records that it only repeated: such a record still counts as of " +
  "the edition in which it last changed";

/** Prints notes on the files. Throws SourceError or NeedsForceError if they must not follow earlier loads, `known`. */
export function checkFiles(run: LoadRun, surveys: readonly FileSurvey[], known: readonly LoadFacts[]): void {
  const { record, context } = run;
  const { isUnchecked, isComplete, mends } = record.plan;
  for (const { file, doubt } of isUnchecked ? [] : surveys)
    if (doubt !== undefined) context.tell(`${file}: ${doubt}`);
  if (mends) return;
  // A load that began despite a gap may be resumed without --force. So may a load of an older edition, unless a later
  // edition was loaded since.
  const isForced = run.isForced || record.surveyed !== undefined;
  const loaded = filesOf(known);
  const runs = lastRuns(loaded);
  const notes: string[] = [];
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const files = surveys.filter((survey) => survey.source === source);
    notes.push(...(source.series?.check?.(files, runs, isForced) ?? []));
    for (const { file, name, context: of } of files) {
      const note = source.fileNames.test(name) ? source.noteOn?.(of) : undefined;
      if (note !== undefined) notes.push(`${file}: ${note}`);
    }
    if (!source.completeness) continue;
    const ofSource = loaded.filter((file) => file.source === source.name);
    const older = describeOlder(record, factsOf(files), ofSource);
    if (older !== undefined && !run.isForced)
      throw new NeedsForceError(
        `${isComplete ? "--complete" : source.name}: ${older}: an older edition adds what that one lacks, and ${OUTCOME}. ` +
          "If that is what you want, override this with --force",
      );
    // Newer data wins over the rows of an older edition, and over its removals.
    if (older !== undefined) notes.push(`${source.name}: ${older}: ${OUTCOME}`);
    const succeeded = ofSource.filter(({ of }) => of.state === "succeeded");
    notes.push(...checkEditions({ ...run, isForced }, files, succeeded), ...noteLacking(files, succeeded));
  }
  for (const note of notes) context.tell(note);
}

/** Names the parts of the edition that no load has, this one included. Only a note: parts may be loaded one by one. */
function noteLacking(files: readonly FileSurvey[], loaded: readonly LoadedFile[]): string[] {
  const own = files.flatMap(({ facts: { part } }) => part ?? []);
  // Editions of two products may have the same run and day.
  const isOfEdition = ({ part }: LoadedFile) =>
    (["edition", "product", "parts"] as const).every((member) => part?.[member] === own[0]?.[member]);
  const lacking = missingParts([...own, ...loaded.filter(isOfEdition).map(({ part }) => part)]);
  if (lacking.length === 0) return [];
  return [`${files[0]?.source.name}: part ${lacking.join(", ")} of the edition is missing; load it, too`];
}

/**
 * True for a failed load that `--resume` continues only with `--force` (`checkFiles`): a later edition of one of its
 * files was read by another load since, even if that load has failed.
 */
export function isOutdated(record: LoadFacts, loaded: readonly LoadedFile[]): boolean {
  const { state, plan, surveyed = [] } = record;
  if (state !== "failed" || plan.mends) return false;
  const bySource = groupBy(surveyed, ({ source }) => source);
  return [...bySource].some(([source, files]) => {
    const ofSource = loaded.filter((file) => file.source === source);
    return findSource(source).completeness && describeOlder(record, files, ofSource) !== undefined;
  });
}

/**
 * Describes an edition that was loaded and is newer than these files of one source. For a load that has begun, only
 * editions loaded since count. Undefined if there is none, or if a day is unknown.
 */
function describeOlder(
  { _id: own, surveyed }: Pick<LoadFacts, "_id" | "surveyed">,
  files: readonly SurveyedFile[],
  loaded: readonly LoadedFile[],
): string | undefined {
  const others = loaded.filter(({ of: { _id } }) => (surveyed ? _id > own : _id !== own));
  const older = [...new Set(files.map(({ scope }) => scope))].flatMap((scope) => {
    const day = earliestDay(files.filter((file) => file.scope === scope));
    return others.flatMap(({ of: { _id: load }, scope: other, production_date: later = "" }) =>
      day !== undefined && later > day && isOverlapping(scope, other) ? { day, later, load } : [],
    );
  });
  const [latest] = older.sort((a, b) => b.later.localeCompare(a.later));
  return latest && `the edition is of ${latest.day}, and one of ${latest.later} was loaded (${latest.load})`;
}

/**
 * Marks files of one source as extracts if they lack the publisher's name or a day, have a doubtful end, or have far
 * fewer rows than the edition before. With --complete none is marked. Returns notes. Throws SourceError for far fewer
 * rows unless forced, since a file that was cut off after a row looks whole.
 */
function checkEditions(
  { record, context, isForced }: LoadRun,
  files: readonly FileSurvey[],
  loaded: readonly LoadedFile[],
): string[] {
  const [first] = files;
  if (!first) return [];
  const { fileNames, trailerOf } = first.source;
  const whole = new Set<SurveyedFile>();
  const notes: string[] = [];
  const own = files.map(({ facts }) => facts);
  for (const edition of groupEditions(own, fileNames)) {
    const small = trailerOf ? undefined : describeSmall(edition, loaded, fileNames, context.config);
    if (small === undefined) for (const facts of edition) whole.add(facts);
    else if (isForced || wasForced(edition, loaded)) notes.push(`${small}: ${AS_EXTRACT}`);
    else throw new SourceError(`${small}. ${TOO_SMALL}`);
  }
  if (record.plan.isComplete) return [];
  for (const { facts, doubt } of files) if (doubt !== undefined || !whole.has(facts)) facts.isExtract = true;
  return notes;
}

const TOO_SMALL =
  "Most likely the download is incomplete: download it again, or, if it is correct, load it with --force";
const AS_EXTRACT = "it is loaded as an extract, and the coverage stays that of the edition before";

/** Describes an edition with far fewer rows than the whole edition before; undefined if not, or if there is none. */
function describeSmall(
  edition: readonly SurveyedFile[],
  loaded: readonly LoadedFile[],
  fileNames: RegExp,
  { COMPLETE_MIN_PERCENT: minimumPercent }: Pick<Config, "COMPLETE_MIN_PERCENT">,
): string | undefined {
  const known = loaded.filter(({ isExtract }) => !isExtract);
  const before = groupEditions(known, fileNames).map((one) => filesToCompare(edition, one));
  const earlier = before.find(({ length }) => length > 0) ?? [];
  const count = countRows(edition);
  const former = countRows(earlier);
  if (count * 100 >= former * minimumPercent) return undefined;
  const has = partsOf(edition) === 1 ? `${edition[0]?.file} has` : `the files of the edition have`;
  return (
    `${has} ${formatNumber(count, "row")}, only ${((100 * count) / former).toFixed(1)} % of the ` +
    `${formatCount(former)} that were loaded before (${earlier[0]?.of._id}); at least ${minimumPercent} % are required ` +
    "(COMPLETE_MIN_PERCENT)"
  );
}

/** True for an edition once loaded with --force as an extract: it may be corrected and loaded again without it. */
function wasForced([own]: readonly SurveyedFile[], loaded: readonly LoadedFile[]): boolean {
  return loaded.some(({ isExtract, file, production_date: day }) =>
    Boolean(isExtract && file === own?.file && day === own.production_date),
  );
}

/**
 * Groups files that have a day and their publisher's name by edition. Of several files of one part it keeps the first,
 * which is of the latest load.
 */
function groupEditions<File extends SurveyedFile>(files: readonly File[], fileNames: RegExp): File[][] {
  const editions = new Map<string, File[]>();
  for (const file of files) {
    const { production_date: day, mends, name } = file;
    if (day === undefined || mends !== undefined || !fileNames.test(name)) continue;
    const key = `${day} in ${partsOf([file])}`;
    const edition = editions.get(key) ?? [];
    if (!edition.some((other) => partOf(other) === partOf(file))) edition.push(file);
    editions.set(key, edition);
  }
  return [...editions.values()];
}

/** The earlier files to compare with: all if both editions are whole, else the same parts, or none. */
function filesToCompare(own: readonly SurveyedFile[], earlier: LoadedFile[]): LoadedFile[] {
  const isWhole = (edition: readonly SurveyedFile[]) =>
    missingParts(edition.map(({ part }) => part)).length === 0;
  if ([own, earlier].every(isWhole)) return earlier;
  const same = own.flatMap((file) => earlier.find((other) => partOf(other) === partOf(file)) ?? []);
  return partsOf(own) === partsOf(earlier) && same.length === own.length ? same : [];
}

function partOf({ part }: SurveyedFile): number | string {
  return part?.part ?? 1;
}

function partsOf([file]: readonly SurveyedFile[]): number {
  return file?.part?.parts ?? 1;
}

export function countRows(files: readonly Pick<SurveyedFile, "rows">[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}

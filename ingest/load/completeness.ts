/** Owns how the files of a load belong together: as parts of a set, and as the edition in whole that `--complete` wants. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { Completeness, SetPart, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { partOf } from "../sources/frame.ts";
import type { FileSurvey } from "./read-files.ts";

/** An edition of which all files are there. */
export interface WholeEdition {
  completeness: Completeness;
  /** Of its first file. */
  context: SourceContext;
  /** The day that it shows. */
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
  const [first, ...others] = surveys;
  const different = others.find(({ source }) => source !== first?.source);
  if (!first) throw new SourceError("--complete: no file is named");
  if (different) {
    throw new SourceError(
      `--complete: ${first.file} is of the format ${first.source.name}, ${different.file} of ` +
        `${different.source.name}: load one edition at a time`,
    );
  }
  const { completeness, name } = first.source;
  if (!completeness)
    throw new SourceError(`--complete: no file of the format ${name} is ever the whole of anything`);
  const parts = partsOf(surveys, first.source);
  const lacking = Array.from({ length: parts[0]?.parts ?? 0 }, (_none, index) => index + 1).filter(
    (wanted) => !parts.some(({ part }) => part === wanted),
  );
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

/** What of its source a file covers; undefined: all of it. */
export function scopeOf({ source, context }: Pick<FileSurvey, "source" | "context">): string | undefined {
  return source.completeness?.scopeOf?.(context);
}

/** The day of the edition; of several the earliest, on which all of it was so. */
export function earliestDay(surveys: readonly FileSurvey[]): string | undefined {
  const days = surveys.map(({ context }) => context.productionDate);
  return days.includes(undefined) ? undefined : days.toSorted()[0];
}

/** A file and which part of a set it is. */
interface Part extends SetPart {
  survey: FileSurvey;
}

/**
 * Checks the files of one load against each other. Throws SourceError for parts of two editions and for a part that
 * is there twice, and what the format itself demands of a whole set.
 */
export function checkSets(surveys: readonly FileSurvey[]): void {
  for (const source of new Set(surveys.map((survey) => survey.source))) {
    const ofSource = partsOf(surveys, source);
    for (const product of new Set(ofSource.map((part) => part.product))) {
      const parts = ofSource.filter((part) => part.product === product);
      for (const [at, part] of parts.entries()) requireFit(part, parts.slice(0, at));
      if (parts.length === parts[0]?.parts) source.closeSet?.(parts.map(({ survey }) => survey));
    }
  }
}

/** The files of a source that do not stand alone. */
function partsOf(surveys: readonly FileSurvey[], source: SourceDefinition): Part[] {
  return surveys.flatMap((survey) => {
    const part = survey.source === source ? partOf(survey.context) : undefined;
    return part ? [{ ...part, survey }] : [];
  });
}

function requireFit(part: Part, before: readonly Part[]): void {
  const [first = part] = before;
  const files = (other: Part) => `${other.survey.file} and ${part.survey.file} are`;
  if (first.edition !== part.edition || first.parts !== part.parts)
    throw new SourceError(
      `${files(first)} parts of two editions (${nameOf(first)}, ${nameOf(part)}): ` +
        "load the editions one after the other",
    );
  const same = before.find((other) => other.part === part.part);
  if (same) throw new SourceError(`${files(same)} both part ${part.part}: name it once`);
}

function nameOf({ edition, parts }: Part): string {
  return parts === undefined ? edition : `${edition} in ${parts} parts`;
}

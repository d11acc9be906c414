/** Owns the question whether the files of a load are an edition in whole, as `--complete` wants them. Pure. */
import { SourceError } from "../../api/core/errors.ts";
import type { Completeness, SourceContext } from "../sources/define-source.ts";
import { lackingParts } from "./sets.ts";
import type { FileSurvey } from "./survey.ts";

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
  surveys: FileSurvey[],
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
  const lacking = lackingParts(surveys, first.source);
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
  return days.includes(undefined) ? undefined : (days.toSorted()[0] ?? undefined);
}

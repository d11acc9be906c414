/** Owns the question whether an edition that is to be loaded is older than one of its kind that was loaded before. */
import { CommandError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchLoadedEditions, isOverlapping, type LoadedEdition } from "../history/editions.ts";
import { earliestDay, scopeOf } from "./completeness.ts";
import type { FileSurvey } from "./survey.ts";

/**
 * Asks each source whose editions tell their day; returns what is to be said of older ones. Throws CommandError for an
 * older one unless `isForced`: then its rows yield to what has been told since, and so does what it lacks (`isComplete`).
 * `load` is this load itself.
 */
export async function checkEdition(
  documents: DocumentStore,
  surveys: readonly FileSurvey[],
  { load, isComplete, isForced }: { load?: string; isComplete: boolean; isForced: boolean },
): Promise<string[]> {
  const sources = [...new Set(surveys.map(({ source }) => source))].filter(
    ({ completeness }) => completeness,
  );
  if (sources.length === 0) return [];
  const names = sources.map(({ name }) => name);
  const editions = (await fetchLoadedEditions(documents, names)).filter((edition) => edition.load !== load);
  return sources.flatMap((source) => {
    const older = findOlder(
      surveys.filter((survey) => survey.source === source),
      editions.filter((edition) => edition.source === source.name),
    );
    if (!older) return [];
    const found = `the edition is of ${older.day}, and one of ${older.later.day} was loaded (${older.later.load})`;
    const outcome = "where both tell something, the later one stands";
    if (isForced) return [`${source.name}: ${found}: ${outcome}`];
    throw new CommandError(
      `${isComplete ? "--complete" : source.name}: ${found}: an older edition adds what that one lacks, and ${outcome}. ` +
        "When that is what you want, lift this with --force",
    );
  });
}

/** An edition's day, and the one of a later day. */
interface Older {
  day: string;
  later: LoadedEdition & { day: string };
}

/** Of the files of one source those that are older than what was loaded; of several later ones the latest counts. */
function findOlder(files: readonly FileSurvey[], editions: readonly LoadedEdition[]): Older | undefined {
  const found = [...new Set(files.map(scopeOf))].flatMap((scope) => {
    const own = earliestDay(files.filter((file) => scopeOf(file) === scope));
    return editions.flatMap(({ day, ...later }) => {
      if (own === undefined || day === undefined || day <= own) return [];
      return isOverlapping(scope, later.scope) ? [{ day: own, later: { ...later, day } }] : [];
    });
  });
  return found.sort((a, b) => b.later.day.localeCompare(a.later.day))[0];
}

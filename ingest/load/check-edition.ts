/** Owns the question whether an edition that is to be loaded is older than one of its kind that was loaded before. */
import { CommandError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchLatestLoads, LOADS_LOOKED_AT, type SurveyedFile } from "../loads.ts";
import { earliestDay } from "./completeness.ts";
import type { FileSurvey } from "./survey.ts";

/**
 * Asks each source whose editions tell their day; returns what is to be said of older ones. Throws CommandError for an
 * older one that is to remove what it lacks (`isComplete`): what came after its day is lacking, too. Not when `isForced`.
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
  const loads = (await fetchLatestLoads(documents, LOADS_LOOKED_AT)).filter(({ _id }) => _id !== load);
  return sources.flatMap((source) => {
    const own = earliestDay(surveys.filter((survey) => survey.source === source));
    const days = loads.flatMap(({ _id, surveyed = [] }) =>
      surveyed.filter((file) => file.source === source.name).map((file) => ({ _id, day: dayOf(file) })),
    );
    const [latest] = days.sort((a, b) => b.day.localeCompare(a.day));
    if (own === undefined || !latest || latest.day <= own) return [];
    const found = `the edition is of ${own}, and one of ${latest.day} was loaded (${latest._id})`;
    if (!isComplete || isForced)
      return [`${source.name}: ${found}: where both tell something, the older one will stand`];
    throw new CommandError(
      `--complete: ${found}: what has come since would be removed for being lacking. Leave --complete out, or, when ` +
        "the register is to be as it was then, lift this with --force",
    );
  });
}

function dayOf({ production_date: day = "" }: SurveyedFile): string {
  return day;
}

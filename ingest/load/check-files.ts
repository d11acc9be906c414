/** Owns the question whether the files of a load may follow what has been loaded: their days, their runs, their size. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchRuns } from "../history/series.ts";
import { checkEdition } from "./check-edition.ts";
import { checkSize } from "./check-size.ts";
import type { FileSurvey } from "./survey.ts";

/** What is asked of the files. */
export interface FilesAim {
  /** Id of this load; absent in a dry run. */
  load?: string;
  isComplete: boolean;
  /** True: that they are older, behind a gap or small is known. */
  isForced: boolean;
  /** Least share of the rows of the edition before, in per cent. */
  completeMinPercent: number;
}

/** Returns what is to be said of the files. Throws SourceError or CommandError for files that do not follow. */
export async function checkFiles(
  documents: DocumentStore,
  surveys: readonly FileSurvey[],
  aim: FilesAim,
): Promise<string[]> {
  const ofRuns = await checkSeries(documents, surveys, aim.isForced);
  const ofDays = await checkEdition(documents, surveys, aim);
  await checkSize(documents, surveys, aim.isForced ? 0 : aim.completeMinPercent);
  return [...ofRuns, ...ofDays];
}

/** Asks each source of the load whose files are runs of a series. */
async function checkSeries(
  documents: DocumentStore,
  surveys: readonly FileSurvey[],
  isForced: boolean,
): Promise<string[]> {
  const checking = [...new Set(surveys.map(({ source }) => source))].filter(({ series }) => series?.check);
  if (checking.length === 0) return [];
  const held = await fetchRuns(documents);
  return checking.flatMap((source) => {
    const files = surveys.filter((survey) => survey.source === source);
    return source.series?.check?.(files, held, isForced) ?? [];
  });
}

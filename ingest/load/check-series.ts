/** Owns the question whether the files of a load may follow what has been loaded, where they are runs of a series. */
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { fetchRuns } from "../series.ts";
import type { FileSurvey } from "./survey.ts";

/**
 * Asks each source of the load; returns what is to be said of its files. Throws SourceError for files that do not
 * follow; `isForced`: a gap is known.
 */
export async function checkSeries(
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

/**
 * Owns the survey: each file of a load is read to its end before anything of it is published, so that one that was
 * cut off, or whose trailer does not add up, fails before it has changed a record.
 */
import { SourceError } from "../../api/core/errors.ts";
import type { RawRow, SetFile } from "../define-source.ts";
import type { Input } from "../readers/open-input.ts";
import { isUnreadable } from "../readers/read-rows.ts";
import { EncodingSigns } from "./encoding-signs.ts";
import { openSource, namingFile, type OpenSource, type Reading } from "./open-source.ts";

/** What is known of a file that has been read to its end. */
export interface FileSurvey extends SetFile, Pick<OpenSource, "source" | "context" | "first"> {
  /** What opens it again: a path, or `-`. */
  path: string;
  /** Base name without `.zip` or `.gz`; for a zip the name of its one member. */
  name: string;
  /** What its end did not bear out, where the load was told to take it all the same. */
  doubt?: string;
}

/** Who waits for a survey. */
export interface SurveyObserver {
  /** Told after each chunk how many rows have been read. */
  onProgress: (rows: number) => void;
  isStopping: () => boolean;
}

/** Reads a file to its end. Throws SourceError, with the file's name, when it is not whole or not what it should be. */
export function surveyFile(
  path: string,
  input: Input,
  reading: Reading,
  { onProgress, isStopping }: SurveyObserver,
): Promise<FileSurvey> {
  return namingFile(input.label, async () => {
    const { source, context, first, rows } = await openSource(input, reading);
    let count = 0;
    let last: RawRow | undefined;
    const signs = new EncodingSigns(reading.encoding);
    for await (const chunk of rows) {
      const end = chunk.at(-1);
      if (!end) continue;
      count += chunk.length;
      for (const row of chunk) signs.add(row);
      last = isUnreadable(end) ? undefined : end;
      onProgress(count);
      if (isStopping()) throw new SourceError("stopped before anything was loaded");
    }
    const survey = { path, file: input.label, name: input.name, source, context, first, rows: count, last };
    const check = () => {
      signs.check();
      source.close?.(last, count, context);
    };
    const doubt = doubtOf(check, reading);
    return doubt === null ? survey : { ...survey, doubt };
  });
}

/** What a check finds, where it shall not end the load; null when it finds nothing. Throws SourceError otherwise. */
export function doubtOf(check: () => void, { isUnchecked }: Pick<Reading, "isUnchecked">): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof SourceError) || !isUnchecked) throw error;
    return error.message;
  }
}

/** Owns the cutting of one file into batches: the same file and plan make the same batches, whenever. */
import { SourceError } from "../../api/core/errors.ts";
import { BatchCutter, type Batch, type BatchLimits } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank } from "../readers/read-rows.ts";
import type { Gathering } from "./gathering.ts";
import { namingFile, openSource, type Reading } from "./open-source.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";

/** What a batch says of its file. */
export type FileBatch = Pick<
  BatchJob,
  "file" | "source" | "context" | "rows" | "unreadable" | "blank" | "apart" | "pieces"
>;

/** How to cut, and who takes what is cut. */
export interface Cutting extends SurveyObserver, Reading {
  limits: BatchLimits;
  /** Brings together what makes one document; absent: rows stay where they are. */
  gathering?: Gathering | undefined;
  /** Takes a batch; resolves when there is room for the next one. */
  take: (batch: FileBatch) => Promise<void>;
}

/** What a file turned out to be. */
export interface CutFile {
  source: string;
  /** Rows after the header, blank ones left out. */
  rows: number;
}

/** Cuts a file to its end. Throws SourceError when it is unfit; the batches before were taken. */
export function cutFile(input: Input, cutting: Cutting): Promise<CutFile> {
  return namingFile(input.label, async () => {
    const { source, context, rows } = await openSource(input, cutting);
    const cutter = new BatchCutter(source.groupKey, cutting.limits);
    const { gathering } = cutting;
    const apart = gathering && { apart: [] };
    const take = (batch: Batch) =>
      cutting.take({ file: input.label, source: source.name, context, ...apart, ...batch });
    let count = 0;
    for await (const chunk of rows) {
      for (const row of chunk) {
        const batch = cutter.push(gathering?.pass(row) ?? row);
        if (batch) await take(batch);
        if (!isBlank(row)) count += 1;
      }
      cutting.onProgress(count);
      if (cutting.isStopping()) throw new SourceError(`stopped after ${count} rows`);
    }
    const rest = cutter.take();
    if (rest) await take(rest);
    for (const batch of gathering?.batches(cutting.limits) ?? []) await take(batch);
    return { source: source.name, rows: count };
  });
}

/** Cuts a file that has been surveyed. Throws SourceError when it is no longer the one that was. */
export async function cutSurveyed(input: Input, survey: FileSurvey, cutting: Cutting): Promise<void> {
  const { source, rows } = await cutFile(input, cutting);
  if (source === survey.source.name && rows === survey.rows) return;
  throw new SourceError(
    `${input.label}: the file was changed while it was loaded: its ${survey.rows} rows became ${rows}`,
  );
}

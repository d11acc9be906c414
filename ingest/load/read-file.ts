/** Owns the reading of a file of a load from its beginning to its end, and the cutting of its rows into batches. */
import type { CommandContext } from "../../api/core/define-command.ts";
import { SourceError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { LoadPlan, LoadRecord } from "../history/loads.ts";
import { BatchCutter, type Batch } from "../queue/batches.ts";
import type { BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import { isBlank } from "../readers/read-rows.ts";
import type { Gathering } from "./gathering.ts";
import { namingFile, openSource, type MendedFile, type OpenSource } from "./open-source.ts";
import type { FileOpener } from "./spool.ts";
import type { FileSurvey } from "./survey.ts";

/** What a load, or a dry run of one, needs. */
export interface LoadRun {
  context: Pick<CommandContext, "config" | "tell" | "isStopping">;
  stores: Stores;
  /** As it is kept; its state and counts follow the run. */
  record: LoadRecord;
  /** Opens a file again and again: each is read twice. */
  open: FileOpener;
  /** True: the guards of editions, of daily updates and of refused rows are lifted. */
  isForced: boolean;
  /** Follows each reading of a file. */
  watch: (input: Input, phase: "survey" | "load") => FileWatch;
}

/** Who follows one reading of a file. */
interface FileWatch {
  /** Told after each chunk how many rows have been read. */
  onProgress: (rows: number) => void;
  isStopping: () => boolean;
  /** Told that the reading is over. */
  end: () => void;
}

/** How a file is read and cut. */
export type FilePlan = Pick<LoadPlan, "as" | "encoding" | "limits" | "isUnchecked">;

/** By what files are read. */
export type FileReading = Pick<LoadRun, "open" | "watch"> & { record: { plan: FilePlan } };

/** A file that is being read. */
export interface OpenFile extends OpenSource {
  /** What opens it again: a path, or `-`. */
  path: string;
  /** The path as it was given, for people. */
  file: string;
  /** The file whose refused rows it holds, mended. */
  mended?: MendedFile;
  /** Rows after the header that have been read, blank ones left out. */
  count: number;
}

/** Which file, and why. `mendedOf` finds the file of which it holds mended rows, if it does. */
interface FileToRead {
  path: string;
  phase: "survey" | "load";
  mendedOf: ((input: Input) => MendedFile | undefined) | undefined;
}

/** Opens a file, has its rows read, and closes it whatever comes of it. What goes wrong is told with its name. */
export async function readFile<T>(
  { open, watch, record: { plan } }: FileReading,
  { path, phase, mendedOf }: FileToRead,
  read: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const input = await open(path);
  const watching = watch(input, phase);
  try {
    return await namingFile(input.label, async () => {
      const mended = mendedOf?.(input);
      const { rows, ...opened } = await openSource(input, { ...plan, as: plan.as, mended });
      const file = { ...opened, path, file: input.label, ...(mended && { mended }), count: 0 };
      async function* follow() {
        for await (const chunk of rows) {
          yield chunk;
          for (const row of chunk) if (!isBlank(row)) file.count += 1;
          watching.onProgress(file.count);
          const where = phase === "survey" ? "before anything was loaded" : `after ${file.count} rows`;
          if (watching.isStopping()) throw new SourceError(`stopped ${where}`);
        }
      }
      return read(Object.assign(file, { rows: follow() }));
    });
  } finally {
    watching.end();
    input.stream.destroy();
  }
}

/** What a batch says of its file. */
export type FileBatch = Omit<BatchJob, "load" | "revision">;

/** Who takes the batches of a file. */
export interface Cutting {
  /** Brings together what makes one document; absent: rows stay where they are. */
  gathering?: Gathering | undefined;
  /** Takes a batch; resolves when there is room for the next one. */
  take: (batch: FileBatch) => Promise<void>;
  /** Waits until all of them are written. */
  drain?: () => Promise<void>;
}

/**
 * Cuts a file into batches: the same file and plan make the same ones, whenever. Returns how many rows it has. Throws
 * SourceError when it is unfit, or no longer the one that was surveyed; the batches before were taken.
 */
export function cutFile(
  reading: FileReading,
  { path, mended, ...survey }: Pick<FileSurvey, "path"> & Partial<FileSurvey>,
  { take, gathering, drain }: Cutting,
): Promise<number> {
  const { limits } = reading.record.plan;
  return readFile(reading, { path, phase: "load", mendedOf: () => mended }, async (opened) => {
    const { file, source, context } = opened;
    const cutter = new BatchCutter(source.groupKey, limits);
    const give = (batch: Batch) =>
      take({ file, source: source.name, context, ...gathering?.apartOf(batch), ...batch });
    for await (const chunk of opened.rows) {
      for (const row of chunk) {
        const batch = cutter.push(gathering?.pass(row) ?? row);
        if (batch) await give(batch);
      }
    }
    const rest = cutter.take();
    if (rest) await give(rest);
    for (const batch of gathering?.batches(limits) ?? []) await give(batch);
    const { rows = opened.count } = survey;
    if (rows !== opened.count || (survey.source ?? source) !== source)
      throw new SourceError(
        `${file}: the file was changed while it was loaded: its ${rows} rows became ${opened.count}`,
      );
    await drain?.();
    return opened.count;
  });
}

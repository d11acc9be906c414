/** Plans what a watched folder loads next: files become batches, one load each, in the order in which they build on each other. Pure. */
import { messageOf } from "../../api/core/errors.ts";
import type { HeldRuns } from "../history/loads.ts";
import type { SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { partOf } from "../sources/frame.ts";

/** What the beginning of a file says. */
export interface FileFormat {
  source: SourceDefinition;
  context: SourceContext;
}

export interface DroppedFile {
  name: string;
  /** False: somebody may still be writing it. */
  isAtRest: boolean;
  /** Absent: no format that can be loaded. Its load will say why. */
  format: FileFormat | undefined;
}

/** The files of one load. */
export interface Batch {
  names: string[];
  format: FileFormat | undefined;
  /** True: the load removes what the edition lacks. */
  isComplete: boolean;
  /** True: a file is still being written. */
  isGrowing: boolean;
  /** Why it cannot be loaded yet, if it cannot. */
  waits: string | undefined;
}

// Without a day a file counts as later than what was loaded before it. The API's answers say more than a bulk file, and
// events change what the API answered.
const LAST_SOURCES = ["api-json-lines", "streaming-events"];
const NO_DAY = "9999-99-99";
const NUMERIC = { numeric: true };

/** All batches in order. `held`: the last loaded run of each series; `isComplete`: editions are loaded with --complete. */
export function planBatches(files: readonly DroppedFile[], held: HeldRuns, isComplete: boolean): Batch[] {
  const groups = new Map<string, DroppedFile[]>();
  for (const file of files.toSorted((a, b) => a.name.localeCompare(b.name, "en", NUMERIC)))
    groups.set(groupOf(file), [...(groups.get(groupOf(file)) ?? []), file]);
  const runs = new Map(held);
  const growing: Batch[] = [];
  return [...groups.values()].sort(compareGroups).map((group) => {
    const batch = toBatch(group, isComplete);
    const before = growing.find((other) => isBlocking(other, batch));
    if (batch.isGrowing) growing.push(batch);
    else if (before) batch.waits ??= `${before.names.join(", ")} is still being written`;
    const { source, context } = batch.format ?? {};
    if (source && context) batch.waits ??= source.series?.awaits?.(context, runs);
    if (batch.waits !== undefined || batch.isGrowing) return batch;
    // Later batches are judged as if this one were loaded.
    for (const { format } of group) {
      const ran = format?.source.series?.runOf(format.context);
      if (ran) runs.set(ran.series, Math.max(ran.run, runs.get(ran.series) ?? 0));
    }
    return batch;
  });
}

/** The parts of one edition are one group, every other file is alone. */
function groupOf({ name, format }: DroppedFile): string {
  const part = format && partOf(format.context);
  return part ? [format.source.name, part.product, part.edition, part.parts].join("/") : `/${name}`;
}

/** By day, then daily updates behind snapshots, then by source and name. */
function compareGroups([a]: DroppedFile[], [b]: DroppedFile[]): number {
  const keyOf = (file?: DroppedFile) => {
    const { source, context } = file?.format ?? {};
    const rank = source ? LAST_SOURCES.indexOf(source.name) + 1 : LAST_SOURCES.length + 1;
    return [context?.productionDate ?? NO_DAY, source?.isOrdered ? 1 : 0, rank, file?.name].join("/");
  };
  return keyOf(a).localeCompare(keyOf(b), "en", NUMERIC);
}

function toBatch(group: DroppedFile[], isComplete: boolean): Batch {
  const [first] = group;
  const { source, context } = first?.format ?? {};
  const isWhole = isComplete && source?.completeness !== undefined && context?.productionDate !== undefined;
  return {
    names: group.map(({ name }) => name),
    format: first?.format,
    isComplete: isWhole,
    isGrowing: group.some(({ isAtRest }) => !isAtRest),
    waits: describeLacking(group, isWhole),
  };
}

/** What an edition still lacks; undefined when it is whole, or when nothing says how many parts it has. */
function describeLacking(group: readonly DroppedFile[], isWhole: boolean): string | undefined {
  const formats = group.flatMap(({ name, format }) => (format ? [{ file: name, ...format }] : []));
  const parts = formats[0]?.context.parts ?? 0;
  const wanted = Array.from({ length: parts }, (_none, index) => index + 1);
  const lacking = wanted.filter((part) => formats.every(({ context }) => context.part !== part));
  if (lacking.length > 0) return `part ${lacking.join(", ")} of ${parts} is missing`;
  try {
    const set = formats.map((file) => ({ ...file, rows: 0, last: undefined, tally: {} }));
    if (isWhole) formats[0]?.source.completeness?.requireWhole?.(set);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** True when a file that is still being written may tell of the records of a later batch. */
function isBlocking(growing: Batch, batch: Batch): boolean {
  const [first, later] = [growing, batch].map(({ format }) => format?.source.fills);
  if (!Array.isArray(first)) return false;
  return !Array.isArray(later) || later.some((record) => first.includes(record));
}

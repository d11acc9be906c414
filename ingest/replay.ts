/** Owns the replay of refused rows: they go through the present code as the batch that they were refused in. */
import { SourceError } from "../api/core/errors.ts";
import type { Stores } from "../api/core/stores/index.ts";
import type { DocumentStore } from "../api/core/stores/mongo.ts";
import { readDeadLetters, removeDeadLetter, replaceDeadLetter, type DeadLetter } from "./dead-letters.ts";
import { fetchLoadFile, type LoadedFileRecord } from "./load-files.ts";
import { addMendedBatch } from "./load/mended-batches.ts";
import { fetchLoad } from "./loads.ts";
import { idsOf, processBatch, sortRows, type Sorted } from "./pipeline.ts";
import type { BatchCounts, BatchJob } from "./queue.ts";
import { decodeRow, isUnreadable, type Encoding, type ReadRow } from "./readers/read-rows.ts";
import { fetchRefusedGroup, noteReplay, removeRefusedGroup, type RefusedGroup } from "./refused-groups.ts";
import { replayRevision } from "./revisions.ts";
import { findSource, sources } from "./sources/index.ts";

/** What became of a refused row. */
export interface Replayed {
  letter: DeadLetter;
  /** `left`: it cannot be run again; `reason` says why. */
  outcome: "accepted" | "refused" | "left";
  /** Why it is refused now, or left. */
  reason?: string;
  field?: string;
}

export interface ReplayOptions {
  /** Encoding of rows that could not be read; absent: the one that their file was loaded with. */
  encoding?: Encoding | undefined;
  /** True: nothing is written. */
  isDryRun: boolean;
  isStopping: () => boolean;
}

/** Letters of one batch that can be run again. */
interface ReplayBatch {
  job: BatchJob;
  /** What the present code makes of its rows. */
  sorted: Sorted;
  /** Revision of the batch that refused them. */
  batchRevision: number;
  letters: DeadLetter[];
  /** Their groups, as this replay of them is noted. */
  groups: RefusedGroup[];
}

/**
 * Runs the refused rows of a load again, batch by batch, and tells what became of each. Accepted ones are written
 * and let go, others stay with their new reason. They are written under the revision of their batch: what has been
 * written since, by a later batch or load, stays as it is. Where rows belong together the whole group is run again,
 * under the next revision, since part of it may have been written; so the load must have ended. May be run again.
 */
export async function* replayLoad(
  stores: Stores,
  load: string,
  options: ReplayOptions,
): AsyncGenerator<{ replayed: Replayed[]; counts: BatchCounts | null }> {
  for await (const letters of batchesOf(readDeadLetters(stores.mongo.documents, load))) {
    if (options.isStopping()) return;
    const { left, batch } = await prepareBatch(stores, letters, options.encoding);
    const replayed = batch ? judge(batch) : [];
    const counts = batch && !options.isDryRun ? await writeBatch(stores, batch, replayed) : null;
    yield { replayed: [...replayed, ...left], counts };
  }
}

/** Letters of one batch follow each other, for their lines do. */
async function* batchesOf(letters: AsyncGenerator<DeadLetter>): AsyncGenerator<DeadLetter[]> {
  let batch: DeadLetter[] = [];
  for await (const letter of letters) {
    const [first] = batch;
    if (first && (first.file !== letter.file || first.revision !== letter.revision)) {
      yield batch;
      batch = [];
    }
    batch.push(letter);
  }
  if (batch.length > 0) yield batch;
}

async function prepareBatch(
  { mongo }: Stores,
  letters: DeadLetter[],
  encoding: Encoding | undefined,
): Promise<{ left: Replayed[]; batch: ReplayBatch | null }> {
  const [first] = letters;
  const leave = (some: DeadLetter[], reason: string) =>
    some.map((letter): Replayed => ({ letter, outcome: "left", reason }));
  const file = first ? await fetchLoadFile(mongo.documents, first) : null;
  if (!first || !file || first.revision === undefined)
    return {
      left: leave(letters, "was refused by a release that did not keep how to read it again"),
      batch: null,
    };
  if (!sources.some(({ name }) => name === first.source))
    return {
      left: leave(letters, `is of a format that is not known any more: ${first.source}`),
      batch: null,
    };
  const left = leave(
    letters.filter(({ cut }) => cut),
    "is kept in part only, for its length",
  );
  const { rows, groups, lacking } = await readGroups(mongo, letters);
  left.push(...leave(lacking, "belongs with rows that are too many to be kept"));
  const whole = letters.filter(({ line }) => rows.has(line));
  const batchRevision = first.revision;
  const replays = 1 + Math.max(0, ...[...groups.values()].map((group) => group.replays ?? 0));
  const revision = groups.size > 0 ? replayRevision(batchRevision, replays) : batchRevision;
  const job = buildJob(file, revision, [...rows.values()], encoding);
  if (job instanceof SourceError) return { left: [...left, ...leave(whole, job.message)], batch: null };
  if (whole.length === 0) return { left, batch: null };
  const noted = [...groups.values()].map((group) => ({ ...group, replays }));
  const sorted = sortRows(findSource(job.source), job);
  return { left, batch: { job, sorted, batchRevision, letters: whole, groups: noted } };
}

/** The rows to be run again, those of whole groups included; `lacking`: letters whose group was not kept. */
async function readGroups({ documents }: Stores["mongo"], letters: DeadLetter[]) {
  const rows = new Map<number, ReadRow>();
  const groups = new Map<number, RefusedGroup>();
  const lacking: DeadLetter[] = [];
  for (const letter of letters.filter(({ cut }) => !cut)) {
    if (letter.group === undefined) rows.set(letter.line, toRow(letter));
    else if (!groups.has(letter.group)) {
      const group = await fetchRefusedGroup(documents, { ...letter, line: letter.group });
      if (group) groups.set(letter.group, group);
      else lacking.push(letter);
      for (const row of group?.rows ?? []) rows.set(row.line, row);
    }
  }
  return { rows, groups, lacking };
}

function toRow({ line, text, bytes = "", reason }: DeadLetter): ReadRow {
  return text === undefined ? { line, bytes, reason } : { line, text };
}

/** The batch as the present code would have read it; what it says of a first row that it no longer takes. */
function buildJob(
  { load, file, name, source, encoding: asLoaded, first }: LoadedFileRecord,
  revision: number,
  rows: ReadRow[],
  encoding = asLoaded,
): BatchJob | SourceError {
  const read = rows
    .map((row) =>
      isUnreadable(row)
        ? decodeRow({ line: row.line, bytes: Buffer.from(row.bytes, "base64") }, encoding)
        : row,
    )
    .sort((a, b) => a.line - b.line);
  try {
    return {
      ...{ load, file, source, revision },
      context: findSource(source).open(first, name),
      rows: read.flatMap((row) => (isUnreadable(row) ? [] : row)),
      unreadable: read.filter(isUnreadable),
    };
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

function judge({ sorted, letters }: ReplayBatch): Replayed[] {
  const refused = new Map(sorted.letters.map((letter) => [letter.line, letter]));
  return letters.map((letter) => {
    const again = refused.get(letter.line);
    if (!again) return { letter, outcome: "accepted" };
    const { reason, field } = again;
    return { letter, outcome: "refused", reason, ...(field !== undefined && { field }) };
  });
}

async function writeBatch(
  stores: Stores,
  { job, sorted, groups }: ReplayBatch,
  replayed: Replayed[],
): Promise<BatchCounts> {
  const { documents } = stores.mongo;
  const jobId = `${job.load}-replay-${job.revision}`;
  // Before: one that is broken off leaves its number to itself, and the next one overwrites what it has written.
  if (replayed.some(({ outcome }) => outcome === "accepted"))
    for (const group of groups) await noteReplay(documents, job, group);
  const counts = await processBatch(stores, findSource(job.source), job, jobId, sorted);
  await keepMended(documents, replayed, idsOf({ ...sorted, events: new Map(), changes: new Map() }));
  // Afterwards: a replay that ends before this does the same once more.
  for (const { letter, outcome, reason = "", field } of replayed) {
    if (outcome === "accepted") await removeDeadLetter(documents, letter);
    else if (reason !== letter.reason || field !== letter.field) {
      const now: DeadLetter = { ...letter, reason };
      delete now.field;
      await replaceDeadLetter(documents, field === undefined ? now : { ...now, field });
    }
  }
  const open = new Set(
    replayed.flatMap(({ letter, outcome }) => (outcome === "refused" ? letter.group : [])),
  );
  for (const { line } of groups.filter((group) => !open.has(group.line))) {
    await removeRefusedGroup(documents, { ...job, line });
  }
  return counts;
}

/** A whole edition that has not removed yet what it lacks may do so when it knows what its refused rows name. */
async function keepMended(
  documents: DocumentStore,
  replayed: Replayed[],
  named: Record<string, string[]>,
): Promise<void> {
  const [{ load, revision = 0 } = { load: "" }] = replayed.map(({ letter }) => letter);
  const record = await fetchLoad(documents, load);
  if (!record?.plan.isComplete || record.state === "succeeded") return;
  const accepted = replayed.filter(({ outcome }) => outcome === "accepted");
  await addMendedBatch(documents, {
    load,
    revision,
    lines: accepted.map(({ letter }) => letter.line),
    named,
  });
}

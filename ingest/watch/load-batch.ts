/** Loads a batch of a watched folder as the load command does, and puts its files away with a report. */
import { basename } from "node:path";
import type { CommandContext, GivenOptions } from "../../api/core/define-command.ts";
import {
  CommandError,
  DeniedError,
  messageOf,
  SourceError,
  UnavailableError,
} from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { fetchResumable, planLoad } from "../commands/load.ts";
import { loadLocked, outcomeOf } from "../commands/load-process.ts";
import { fetchDeadLetters } from "../dead-letters/dead-letters.ts";
import { fetchLoad, loadLock, requireLoad, writeLoad, type LoadRecord } from "../history/loads.ts";
import { waitForLock } from "../load/kind-locks.ts";
import type { LoadRun } from "../load/open-file.ts";
import { openInput } from "../readers/open-input.ts";
import type { TakenLoad, WatchedFolder } from "./folder.ts";
import type { Batch } from "./plan.ts";

export interface WatchRun {
  context: CommandContext;
  stores: Stores;
  folder: WatchedFolder;
  given: GivenOptions;
}

// Limit: refused rows in a report; `dead-letters list` has all of them.
const MOST_REFUSED = 1_000;

/** Files keep their own names in messages and dead letters, wherever they are moved. */
export const openByName: LoadRun["open"] = async (path) => ({
  ...(await openInput(path)),
  label: basename(path),
});

/** Loads a batch; returns its exit code. Throws when it has not ended: `resumeTaken` goes on with it. */
export async function loadBatch(run: WatchRun, { names, isComplete }: Batch): Promise<number> {
  const { context, stores, folder } = run;
  const options: GivenOptions = isComplete ? { complete: "true" } : {};
  const record = await planLoad(stores, options, { files: [], config: context.config });
  record.files = await folder.take(record._id, names);
  return finish(run, record, false);
}

/** Goes on with what an earlier process, or an earlier try, has left; returns its exit code. */
export async function resumeTaken(run: WatchRun, taken: TakenLoad): Promise<number> {
  const { context, stores, folder } = run;
  const { load, names, report } = taken;
  const { documents } = stores.mongo;
  if (report) return putAway(run, { load, names, report });
  if (!(await fetchLoad(documents, load))) {
    // It ended before anything was read.
    const files = await folder.giveBack(load, names);
    if (files.length === 0) return 0;
    const record = await planLoad(stores, {}, { files, config: context.config });
    const fault = new CommandError("a file of the same name was dropped later, before this one was loaded");
    return conclude(run, { ...record, _id: load }, fault);
  }
  const lock = await waitForLock(stores.redis, loadLock(load), (wait) => {
    if (wait === 1) context.tell(`waiting for the process that runs load ${load}, or was killed just now`);
    if (context.isStopping()) throw new CommandError("stopped");
  });
  await lock.release();
  const record = await requireLoad(documents, load);
  if (record.state === "succeeded") return conclude(run, record);
  return finish(run, await fetchResumable(stores, load, {}), true);
}

async function finish(run: WatchRun, record: LoadRecord, isResumed: boolean): Promise<number> {
  const { stores } = run;
  const given = isResumed ? { resume: record._id } : {};
  const context = run.given.json ? { ...run.context, print: () => undefined } : run.context;
  let fault: Error | undefined;
  try {
    await loadLocked({ context, stores, record, given, open: openByName, isForced: false, isDryRun: false });
  } catch (error) {
    fault = error as Error;
    if (isStoreAway(fault) || context.isStopping()) throw fault;
    // A batch that failed because a store was away is no fault of the file.
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
  }
  return conclude(run, record, fault);
}

export function isStoreAway(error: unknown): boolean {
  return error instanceof UnavailableError || error instanceof DeniedError;
}

/** Keeps the report of a load that has ended, and puts its files away. */
async function conclude(run: WatchRun, record: LoadRecord, fault?: Error): Promise<number> {
  const { stores, folder } = run;
  const { _id: load, counts, started_at, finished_at } = record;
  let names = record.files.map((path) => basename(path));
  // Nothing was loaded. The other parts of the edition wait for a good one.
  const unfit = fault instanceof SourceError && !record.surveyed ? fault.file : undefined;
  if (unfit !== undefined && names.length > 1)
    names = await folder.giveBack(
      load,
      names.filter((name) => name !== basename(unfit)),
    );
  const letters =
    counts.refused > 0 ? await fetchDeadLetters(stores.mongo.documents, load, MOST_REFUSED) : [];
  const report = {
    ...outcomeOf(record),
    state: fault ? "failed" : "succeeded",
    files: names,
    ...(fault && { reason: messageOf(fault) }),
    ...{ started_at, finished_at },
    refused: letters,
  };
  await folder.writeReport(load, report);
  return putAway(run, { load, names, report });
}

async function putAway(run: WatchRun, { load, names, report }: Required<TakenLoad>): Promise<number> {
  const { context, stores, folder, given } = run;
  const { documents } = stores.mongo;
  const record = await fetchLoad(documents, load);
  if (record) {
    // Where `load --resume` finds them, in their order.
    const left = record.files.map((path) => basename(path)).filter((name) => names.includes(name));
    const files = left.map((name) => folder.pathOf(load, report, name));
    await writeLoad(documents, { ...record, files });
  }
  const target = folder.pathOf(load, report);
  await folder.putAway(load, target);
  const { state, reason, counts } = report;
  if (given.json) context.print(JSON.stringify(report));
  context.tell(`${names.join(", ")}: moved to ${target}${reason === undefined ? "" : `: ${reason}`}`);
  if (state !== "succeeded") return 1;
  return counts.refused > 0 ? 2 : 0;
}

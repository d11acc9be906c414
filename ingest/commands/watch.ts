/** The `watch` command: loads the files that are put into a folder, one load after the other. */
import { access, constants, lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineCommand, parseWholeNumber, type GivenOptions } from "./define-command.ts";
import {
  CommandError,
  DeniedError,
  isPassing,
  messageOf,
  SourceError,
} from "../../api/shared/runtime/errors.ts";
import { fetchLoadedFiles, writeLoad, type LoadedFile, type LoadRecord } from "../history/loads.ts";
import { OvertakenError } from "../load/kind-locks.ts";
import { endLoad } from "../load/run-load.ts";
import { prepareStores } from "../prepare.ts";
import { openUnlinked } from "../readers/open-input.ts";
import { fetchWait, groupFiles, listFiles, type FileGroup } from "../watch/groups.ts";
import { loadLocked, outcomeOf, type LoadCall } from "./load-process.ts";
import { planLoad } from "./load.ts";
import { lockedElsewhere, underLock } from "./long-work.ts";

const DEFAULT_REST = "5";
const LONGEST_PAUSE_MS = 2_000;
const RETRY_MS = 10_000;
const [DONE, FAILED] = ["done", "failed"];
// The folder for the files of the next load, made before it: on a full disk, loaded files could not be moved.
const NEXT = ".next";
const [EXIT_FAILED, EXIT_REFUSED] = [1, 2];

interface WatchRun extends Pick<LoadCall, "context" | "stores" | "given"> {
  folder: string;
  /** Throws unless this process still has its lock and every store can be written. */
  requireReady: () => Promise<void>;
}

export const watchCommand = defineCommand({
  name: "watch",
  summary: "Load the bulk files that are put into a folder, until Ctrl-C or SIGTERM.",
  effect: "writes",
  details:
    "Loading begins when no file in the folder has changed for some seconds. Names that begin with . or end with .part,\n" +
    ".tmp, .crdownload, .filepart, .partial or .download are ignored, as are empty files and folders: upload under such a\n" +
    "name, then rename the file.\n" +
    "Files are loaded by their day, daily updates after snapshots, files without a day last. The parts of an edition are\n" +
    "loaded together and wait for each other; a daily update waits for its snapshot and for the run before it.\n" +
    "Loaded files are moved to done/LOAD/, the others to failed/LOAD/, with a report.json: what load --json prints. To\n" +
    "load a file again, move it back. A load that was stopped or killed begins again: its files are still in the folder.\n" +
    "Exit code of --once: 0 all rows loaded, 2 some rows refused, 1 a load failed. Files that wait do not count.",
  arguments: [{ name: "<folder>", description: "folder into which the files are put" }],
  options: [
    { flags: "--once", description: "load the files in the folder, then end" },
    { flags: "--complete", description: "load editions that have a day as load --complete does" },
    {
      flags: "--rest <seconds>",
      description: "how long no file must have changed before loading begins",
      default: DEFAULT_REST,
    },
    { flags: "--dry-run", description: "list the files in their order, and what they wait for" },
  ],
  example: "watch /srv/register/inbox",
  run: (context, [path = ""], given) =>
    watch({ context, path, given }, 1_000 * parseWholeNumber("--rest", given.rest ?? DEFAULT_REST, 1)),
});

/**
 * Runs the command. `restMs`: how long no file must have changed before loading begins; `retryMs`: the pause after a
 * passing fault. Returns the exit code.
 */
export async function watch(
  { context, path, given }: Pick<WatchRun, "context" | "given"> & { path: string },
  restMs: number,
  retryMs = RETRY_MS,
): Promise<number> {
  const folder = await openFolder(path, given);
  const stores = context.openStores();
  if (given.dryRun) return preview({ context, stores, given, folder });
  // If the first answer of Elasticsearch is a refusal, the password is wrong. A later refusal may pass.
  await stores.elasticsearch.ping().catch((error: unknown) => {
    if (error instanceof DeniedError) throw error;
  });
  const work = `a watch of ${folder}`;
  return underLock(context, stores.redis, { name: `watch:${folder}`, work }, (lock) => {
    const requireReady = async () => {
      if (!(await lock.isHeld())) throw lockedElsewhere(context.config, work);
      await prepareStores(stores, new Date(), context.tell);
    };
    return watchFolder({ context, stores, given, folder, requireReady }, { restMs, retryMs });
  });
}

/** Makes the folders for loaded files. Returns the real path. Throws CommandError if files cannot be moved. */
async function openFolder(path: string, { dryRun }: GivenOptions): Promise<string> {
  try {
    const folder = await realpath(path);
    for (const name of dryRun ? [] : ["", DONE, FAILED]) {
      const own = join(folder, name);
      await mkdir(own, { recursive: true });
      if ((await lstat(own)).isSymbolicLink())
        throw new Error(`${own} is a symbolic link, and files would go wherever it leads; remove it`);
      await access(own, constants.W_OK);
    }
    await listFiles(folder);
    return folder;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CommandError(
      `${path} cannot be watched: ${isMissing ? "there is no such folder" : messageOf(error)}`,
    );
  }
}

async function preview({ context, stores, given, folder }: Omit<WatchRun, "requireReady">): Promise<number> {
  for (const group of await groupFiles(folder, (await listFiles(folder)).keys(), Boolean(given.complete))) {
    const waits = await fetchWait(() => fetchLoadedFiles(stores.mongo.documents), group);
    const { names: files, isComplete } = group;
    if (given.json) context.print(JSON.stringify({ files, isComplete, waits }));
    else
      context.print(`${files.join(", ")} ${waits === undefined ? "waits for nothing" : `waits: ${waits}`}`);
  }
  return 0;
}

/** Loads groups until it is stopped or, with --once, until all groups that are left wait. Returns the exit code. */
async function watchFolder(
  run: WatchRun,
  { restMs, retryMs }: { restMs: number; retryMs: number },
): Promise<number> {
  const { context, given, folder } = run;
  const codes = new Set<number>();
  const told = new Set<string>();
  const tellOnce = (line: string) => {
    if (!told.has(line)) context.tell(line);
    told.add(line);
  };
  let seen = new Map<string, string>();
  let since = performance.now();
  if (!given.once) context.tell(`watching ${folder}`);
  while (!context.isStopping()) {
    const files = await listFiles(folder);
    if (JSON.stringify([...files]) !== JSON.stringify([...seen])) since = performance.now();
    for (const [name, stamp] of files)
      if (seen.has(name) && seen.get(name) !== stamp)
        tellOnce(`${name} is still being written; loading begins when all files are complete`);
    seen = files;
    try {
      const isAtRest = performance.now() - since >= restMs;
      const code = isAtRest ? await loadNext(run, files, tellOnce) : undefined;
      if (code !== undefined) codes.add(code);
      else if (isAtRest && given.once)
        return [EXIT_FAILED, EXIT_REFUSED].find((known) => codes.has(known)) ?? 0;
      else await sleep(Math.min(restMs, LONGEST_PAUSE_MS));
    } catch (error) {
      if (context.isStopping()) break;
      if (given.once || !(isPassing(error) || error instanceof OvertakenError)) throw error;
      context.tell(`${error.message}; the watch tries again in ${retryMs / 1_000} s`);
      await sleep(retryMs);
    }
  }
  context.tell("stopped; files that were not loaded are still in the folder");
  return given.once ? EXIT_FAILED : 0;
}

/** Loads the first group that need not wait; returns its exit code, or undefined if there is none. */
async function loadNext(run: WatchRun, seen: Map<string, string>, tellOnce: (line: string) => void) {
  const { stores, given, folder } = run;
  let loaded: Promise<LoadedFile[]> | undefined;
  const fetchLoaded = () => (loaded ??= fetchLoadedFiles(stores.mongo.documents));
  for (const group of await groupFiles(folder, seen.keys(), Boolean(given.complete))) {
    const waits = await fetchWait(fetchLoaded, group);
    if (waits === undefined) return loadGroup(run, group, seen);
    tellOnce(`${group.names.join(", ")} waits: ${waits}`);
  }
  return undefined;
}

/** Loads a group and moves its files, which leave `seen`, unless they have changed since. Returns the exit code. */
async function loadGroup(run: WatchRun, group: FileGroup, seen: Map<string, string>): Promise<number> {
  const { context, stores, folder, requireReady } = run;
  const { names } = group;
  await requireReady();
  // Made anew: an uploader may have put a folder of that name there, with links in it.
  await rm(join(folder, NEXT), { recursive: true, force: true });
  await mkdir(join(folder, NEXT));
  const options: GivenOptions = group.isComplete ? { complete: "true" } : {};
  const files = names.map((name) => join(folder, name));
  const record = await planLoad(stores, options, { files, config: context.config });
  const given = { json: run.given.json };
  const call = { context, stores, record, given, open: openUnlinked, isForced: false, isDryRun: false };
  const outcome = await loadLocked({ ...call, isPrepared: true }).catch(async (error: Error) => {
    if (context.isStopping() || isPassing(error) || error instanceof OvertakenError) throw error;
    // A batch may have failed because a store is unavailable, which is no fault of the files.
    await requireReady();
    return error;
  });
  const fault = outcome instanceof Error ? outcome : undefined;
  if (fault && record.state === "running") await endLoad({ stores, record }, fault);
  const now = await listFiles(folder);
  const changed = names.filter((name) => now.get(name) !== seen.get(name));
  // If one file is at fault, only this one is moved; the other parts of its edition wait for a good one.
  const moved = fault instanceof SourceError && fault.file !== undefined ? [basename(fault.file)] : names;
  if (changed.length > 0) context.tell(`${changed.join(", ")}: changed or removed during the load`);
  else {
    const target = await moveFiles(run, record, moved);
    // `load --resume` finds the files there.
    await writeLoad(stores.mongo.documents, record);
    for (const name of moved) seen.delete(name);
    context.tell(`${moved.join(", ")}: moved to ${target}${fault ? `: ${fault.message}` : ""}`);
  }
  return outcome instanceof Error ? EXIT_FAILED : outcome;
}

/** Moves files of a load, and writes its report beside them; returns their folder. */
async function moveFiles(
  { folder, context }: Pick<WatchRun, "folder" | "context">,
  record: LoadRecord,
  names: readonly string[],
): Promise<string> {
  const { _id: load, state, files, started_at, finished_at } = record;
  const target = join(folder, state === "succeeded" ? DONE : FAILED, load);
  const isMoved = (path: string) => names.includes(basename(path));
  record.files = files.map((path) => (isMoved(path) ? join(target, basename(path)) : path));
  await rename(join(folder, NEXT), target);
  // A link may have taken the place of one of these folders during the load.
  if ((await realpath(target)) !== target)
    throw new CommandError(`${target} is behind a symbolic link; remove it`);
  for (const name of names) await rename(join(folder, name), join(target, name));
  const report = { ...outcomeOf(record), started_at, finished_at };
  const text = `${JSON.stringify(report, null, 2)}\n`;
  // A full disk costs the report alone: files that stayed in the folder would be loaded again.
  await writeFile(join(target, "report.json"), text, { flag: "wx" }).catch((error: unknown) =>
    context.tell(`no report of load ${load}: ${messageOf(error)}; loads show ${load} says how it ended`),
  );
  return target;
}

/** Owns the `watch` command: looks into a folder again and again, and loads what is complete, one batch at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { CommandError, messageOf, SourceError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { parseWholeNumber } from "../../api/core/whole-number.ts";
import { fetchLoadedFiles, lastRuns } from "../history/loads.ts";
import { readFile } from "../load/open-file.ts";
import { prepareStores } from "../prepare.ts";
import { WatchedFolder } from "../watch/folder.ts";
import { isStoreAway, loadBatch, openByName, resumeTaken, type WatchRun } from "../watch/load-batch.ts";
import { planBatches, type Batch, type FileFormat } from "../watch/plan.ts";
import { planLoad } from "./load.ts";
import { heldElsewhere } from "./long-work.ts";

const DEFAULT_REST = "5";
// Between two looks at the most.
const LOOK_MS = 2_000;
const RETRY_MS = 10_000;
const EXIT_FAILED = 1;

export const watchCommand = defineCommand({
  name: "watch",
  summary: "Load the bulk files that are put into a folder.",
  effect: "writes",
  details:
    "Takes files that have not changed for some seconds. Never takes names that begin with . or end with .part, .tmp or\n" +
    ".crdownload: write a file under such a name and rename it when it is complete. Folders in it are left alone.\n" +
    "Order: by the day of the files, daily updates behind snapshots; files that tell no day last. The parts of an edition\n" +
    "are one load, and wait for each other; a daily update waits for the snapshot and for the run before it.\n" +
    "A load works on loading/LOAD/, which becomes done/LOAD/ or failed/LOAD/ with a report.json: what load --json says, the\n" +
    "reason and the refused rows. Of a failed load: get the file again, or move it back into the folder to try it again.\n" +
    "Ctrl-C or SIGTERM stops after the batch of rows under way; the next start goes on. While a store is away it waits.\n" +
    "Exit code of --once: 0 all loaded, 2 some rows refused, 1 a load failed. Files that wait do not count.",
  arguments: [{ name: "<folder>", description: "folder into which the files are put" }],
  options: [
    { flags: "--once", description: "load what is there, then end" },
    {
      flags: "--complete",
      description:
        "load whole editions that tell their day as load --complete does: remove what they no longer hold",
    },
    {
      flags: "--rest <seconds>",
      description: "how long a file must not have changed before it is taken",
      default: DEFAULT_REST,
    },
    {
      flags: "--dry-run",
      description: "say what would be loaded, in which order, and what waits; move nothing",
    },
    { flags: "--json", description: "print the report of each load as a line of JSON" },
  ],
  example: "watch /srv/register/inbox",
  run: async (context, [path = ""], given) => {
    const restMs = 1_000 * parseWholeNumber("--rest", given.rest ?? DEFAULT_REST, 1);
    const stores = context.openStores();
    const identify = await openIdentify(context, stores);
    const folder = new WatchedFolder(path, restMs, identify);
    const run = { context, stores, folder, given };
    const cannot = ({ message }: Error) => {
      throw new CommandError(`${path} cannot be watched: ${message}`);
    };
    await folder.look().catch(cannot);
    if (given.dryRun) return preview(run, restMs);
    const id = await folder.prepare().catch(cannot);
    const lock = await stores.redis.locks.acquire(`watch:${id}`);
    const held = heldElsewhere(context.config, `a watch of ${path}`);
    if (!lock) throw held;
    const requireLock = async () => {
      if (!(await lock.isHeld())) throw held;
    };
    try {
      return await watchFolder(run, { restMs, requireLock });
    } finally {
      await lock.release().catch(() => undefined);
    }
  },
});

/** Reads what the beginning of a file says; undefined for a file of no known format. */
async function openIdentify(context: CommandContext, stores: Stores) {
  const record = await planLoad(stores, {}, { files: [], config: context.config });
  const watch = () => ({ onProgress: () => undefined, end: () => undefined });
  const run = { context, stores, record, open: openByName, isForced: false, isDryRun: true, watch };
  return async (path: string): Promise<FileFormat | undefined> => {
    const file = { path, phase: "survey" as const, mendedOf: () => undefined };
    try {
      return await readFile(run, file, ({ source, context }) => Promise.resolve({ source, context }));
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  };
}

/**
 * Loads batch by batch until the person stops it, or, once, until nothing is ready although every file that was seen after the
 * last load has had the time to be at rest.
 */
async function watchFolder(
  run: WatchRun,
  { restMs, requireLock }: { restMs: number; requireLock: () => Promise<void> },
): Promise<number> {
  const { context, given, folder } = run;
  const codes: number[] = [];
  const told = new Set<string>();
  let restedAt = Infinity;
  while (!context.isStopping()) {
    try {
      const isRested = performance.now() > restedAt;
      const taken = await folder.findTaken();
      const batches = taken ? [] : await fetchPlan(run);
      const next = batches.find(isReady);
      if (taken ?? next) {
        await requireLock();
        // Stores that nothing can be loaded into are no fault of a file.
        await prepareStores(run.stores, new Date());
      }
      if (taken ?? next) restedAt = Infinity;
      if (taken) codes.push(await resumeTaken(run, taken));
      else if (next) codes.push(await loadBatch(run, next));
      else {
        restedAt = Math.min(restedAt, performance.now() + restMs);
        const isOver = given.once !== undefined && isRested;
        const left = batches.filter(({ isGrowing }) => !isGrowing || isOver).map(describe);
        for (const words of left) if (!told.has(words)) context.tell(words);
        for (const words of left) told.add(words);
        if (isOver) return codes.includes(EXIT_FAILED) ? EXIT_FAILED : Math.max(0, ...codes);
        await sleep(Math.min(restMs, LOOK_MS));
      }
    } catch (error) {
      if (context.isStopping()) break;
      if (given.once || !isPassing(error)) throw error;
      context.tell(`${messageOf(error)}; the watch tries again in ${RETRY_MS / 1_000} s`);
      await sleep(RETRY_MS);
    }
  }
  context.tell("stopped; the next start goes on from here");
  return given.once ? EXIT_FAILED : 0;
}

/** True when a store is away, or the disk of the folder is away or full. */
function isPassing(error: unknown): boolean {
  return isStoreAway(error) || (error instanceof Error && "syscall" in error);
}

async function fetchPlan({ stores, folder, given }: WatchRun): Promise<Batch[]> {
  const files = await folder.look();
  const isAsked = files.some(({ format }) => format?.source.series?.awaits);
  const held = isAsked ? lastRuns(await fetchLoadedFiles(stores.mongo.documents)) : new Map<string, number>();
  return planBatches(files, held, given.complete !== undefined);
}

function isReady({ isGrowing, waits }: Batch): boolean {
  return !isGrowing && waits === undefined;
}

function describe({ names, isGrowing, waits }: Batch): string {
  const what = isGrowing ? "is still being written" : waits ? `waits: ${waits}` : "is ready";
  return `${names.join(", ")} ${what}`;
}

async function preview(run: WatchRun, restMs: number): Promise<number> {
  const { context, given } = run;
  await sleep(restMs);
  const batches = await fetchPlan(run);
  const shown = batches.map(({ names, isComplete, isGrowing, waits }) => ({
    ...{ names, isComplete, isGrowing, waits },
  }));
  if (given.json) context.print(JSON.stringify(shown));
  else for (const batch of batches) context.print(describe(batch));
  if (batches.length === 0) context.tell("the folder holds no file that can be taken");
  return 0;
}

/** A reindex beside loads and searches: it checks that nothing is lost or refused, and measures no rate. */
import { linkSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import { startApi } from "../api-process.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import type { WireClient } from "../http-client.ts";
import { loadCompanies, loadWithCommand, type Pipeline } from "../load/pipeline.ts";
import { runToEnd } from "../processes.ts";
import { readPaths, writeRenamed } from "../register/company-file.ts";
import { reindexWithCommand } from "./run-command.ts";

const SEARCH_EVERY_MS = 50;
const LOOK_MS = 100;
// Head start of the load, so that it is running when the reindex begins.
const LOAD_AHEAD_MS = 3_000;
// Each edition puts its word before every name.
const EDITIONS = ["NEW", "NEWER"];

/** Reindexes while changes are loaded and searches are sent. Throws CommandError if anything was lost or failed. */
export async function reindexUnderLoad(
  context: PartContext,
  options: PartOptions,
  index: IndexName,
): Promise<PartReport> {
  const pipeline = await loadCompanies(context, options, "live");
  const { config, stores, folder, csv } = pipeline;
  const paths = await readPaths(csv);
  const editions = await writeEditions(csv, folder);
  const { client } = await startApi(context, pipeline);
  const searches = startSearches(client, paths.searches);
  const moves = watchAlias(stores, index);
  context.tell("loading changes of all of them, searching and reindexing");
  let isReindexed = false;
  const loading = loadUntil(() => isReindexed, { context, pipeline, editions });
  // Awaited below: until then, the error of a failed load must not count as unhandled.
  loading.catch(() => undefined);
  await sleep(LOAD_AHEAD_MS);
  const reindex = await reindexWithCommand(context, config, folder, index).finally(
    () => (isReindexed = true),
  );
  const loads = await loading;
  const { asked, failed, slowestMs } = await searches.stop();
  const moved = await moves.stop();
  await verify(context, pipeline, index);
  if (failed.length > 0) throw new CommandError(`${failed.length} searches failed, the first: ${failed[0]}`);
  if (moved !== 1) throw new CommandError(`the alias moved ${moved} times`);
  const { documents, ms: reindexMs } = reindex;
  const facts = { documents, reindexMs, loads, asked, failed: 0, moved, slowestMs };
  const lines = [
    `${documents} documents in ${(reindexMs / 1_000).toFixed(1)} s beside ${loads === 1 ? "a load that" : `${loads} loads, one after the other, of which the last`} ended after it`,
    `${asked} searches, none failed, the slowest took ${Math.round(slowestMs)} ms; the alias moved once; both stores are equal`,
  ];
  return { lines, facts };
}

/**
 * Loads the editions in turn until `isOver`, and finishes the last load. Each load has a later day than the one before,
 * since an older edition would be refused. Returns the number of loads.
 */
async function loadUntil(
  isOver: () => boolean,
  { context, pipeline, editions }: { context: PartContext; pipeline: Pipeline; editions: string[] },
): Promise<number> {
  let loads = 0;
  for (; !isOver(); loads += 1) {
    const path = editions[loads % editions.length] ?? "";
    const day = new Date(Date.UTC(2026, 11, 1 + loads)).toISOString().slice(0, 10);
    const dated = join(dirname(path), `BasicCompanyDataAsOneFile-${day}.csv`);
    linkSync(path, dated);
    await loadWithCommand(context, pipeline, dated);
  }
  return loads;
}

/** Files of the same companies, each with one more word in its name. */
async function writeEditions(from: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const word of EDITIONS) {
    const path = join(folder, `${word}.csv`);
    await writeRenamed(from, path, word);
    paths.push(path);
  }
  return paths;
}

/** Searches at a fixed rate, whether or not the last one has been answered. */
function startSearches(api: WireClient, paths: readonly string[]) {
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  let asked = 0;
  let slowestMs = 0;
  const ask = async (path: string) => {
    try {
      const { status, ms } = await api.send({ method: "GET", path, headers: {} });
      slowestMs = Math.max(slowestMs, ms);
      if (status !== 200) failed.push(`status ${status} for ${path}`);
    } catch (error) {
      failed.push(`${String(error)} for ${path}`);
    }
  };
  const timer = setInterval(() => {
    const run: Promise<void> = ask(paths[asked++ % paths.length] ?? "/").finally(() => open.delete(run));
    open.add(run);
  }, SEARCH_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return { asked, failed, slowestMs };
    },
  };
}

/** Counts how often the live alias moves to another index. */
function watchAlias({ elasticsearch }: Stores, index: IndexName) {
  let isWatching = true;
  const seen: string[] = [];
  const look = async () => {
    const [live] = await elasticsearch.fetchLiveIndices([index]);
    if (live && live.name !== seen.at(-1)) seen.push(live.name);
  };
  const watching = (async () => {
    for (; isWatching; await sleep(LOOK_MS)) await look();
  })();
  // `stop` awaits it. If something else fails, the stores are closed before, and this error must not count as
  // unhandled.
  watching.catch(() => undefined);
  return {
    stop: async () => {
      isWatching = false;
      await watching;
      await look();
      return seen.length - 1;
    },
  };
}

/** Compares the stores with the command `verify`, which fails if they differ, and whose output says where. */
async function verify(context: PartContext, { config, folder }: Pipeline, index: IndexName): Promise<void> {
  const [args, logFile] = [["verify", "--index", index], join(folder, "verify.log")];
  await runToEnd(context, "verify", { entry: "scripts/cli.js", args, config, logFile });
}

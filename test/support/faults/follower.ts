/** A register that follows another one, in processes of its own, which a test kills and cuts off from the network. */
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import type { Config } from "../../../api/shared/settings/config.ts";
import { fetchBounds } from "../../../api/shared/stores/collections/events.ts";
import { closeStores, openStores, type Stores } from "../../../api/shared/stores/index.ts";
import { buildStreams } from "../../../api/streams/app.ts";
import { fetchFollowed } from "../../../ingest/follow/positions.ts";
import { prepareStores } from "../../../ingest/prepare.ts";
import { addTestKey } from "../keys.ts";
import { serve } from "../serve.ts";
import { dropEverything, loadUndisturbed, ownConfig } from "./disturbed-load.ts";
import { openFaultProxy } from "../../../scripts/bench/fault-proxy.ts";
import { LoadPrograms } from "./load-programs.ts";
import { hashResources } from "./stream-readers.ts";

const KEY = "stream-key-of-the-follower";
// Between two checks whether the follower has everything.
const LOOK_MS = 1_000;
const SHORT_MS = 50;
// The longest time that a process follows before it is killed.
const LONGEST_MS = 2_000;

/** What a follower needs. */
export interface FollowerPlan {
  build: string;
  /** Addresses of the engines, and other settings. */
  settings: Record<string, string>;
  /** Files that both registers load first. */
  files: string[];
  /** The streams to follow. */
  names: readonly string[];
  deadlineMs: number;
}

/** A register that follows. */
export interface Follower {
  /** Kills the process that follows, and starts another one. */
  kill: () => Promise<void>;
  /** Stops the stream server of the followed register, and starts it again after this time. */
  restartFollowed: (afterMs: number) => Promise<void>;
  /** Refuses all connections to the followed register for this time. */
  loseNetwork: (forMs: number) => Promise<void>;
  /** Resolves when both registers hold the same, with the last timepoint of each stream; throws after the deadline. */
  finish: () => Promise<Record<string, number>>;
  close: () => Promise<void>;
}

/** Opens a second register, loads the same files into it, and starts to follow. */
export async function openFollower(followed: Stores, plan: FollowerPlan): Promise<Follower> {
  const { build, settings, files, names, deadlineMs } = plan;
  const config = ownConfig(settings);
  const stores = openStores(config);
  await prepareStores(stores, new Date());
  const programs = new LoadPrograms(build, config);
  await programs.startWorker();
  await loadUndisturbed(programs, files);
  programs.lastWorker().kill("SIGTERM");
  let server = await serveStreams(config, followed);
  const proxy = await openFaultProxy(server.address);
  const { next } = await fetchBounds(followed.mongo.documents);
  const follow = (...more: string[]) =>
    programs.startCommand(["follow", ...names, "--from", proxy.address, "--key", KEY, ...more]);
  let running = follow("--timepoint", String(next));
  /** False when another process still holds the locks. */
  const hasBegun = async () => {
    for (; running.isRunning(); await sleep(SHORT_MS))
      if (running.readOutput().includes("following http")) return true;
    if (running.readOutput().includes("under way in another process")) return false;
    throw new Error(running.readOutput());
  };
  return {
    kill: async () => {
      await hasBegun();
      await sleep(Math.random() * LONGEST_MS);
      running.kill("SIGKILL");
      await running.ended;
      // A killed process holds the locks of its streams for a while.
      for (running = follow(); !(await hasBegun()); running = follow()) await sleep(LOOK_MS);
    },
    restartFollowed: async (afterMs) => {
      const { port } = new URL(server.address);
      await server.close();
      await sleep(afterMs);
      server = await serveStreams(config, followed, Number(port));
    },
    loseNetwork: async (forMs) => {
      await proxy.refuse();
      await sleep(forMs);
      await proxy.restore();
    },
    finish: async () => {
      const deadline = Date.now() + deadlineMs;
      for (; ; await sleep(LOOK_MS)) {
        const differences = await findDifferences(followed, stores, names);
        if (differences.length === 0) break;
        if (Date.now() > deadline)
          throw new Error(
            `${differences.length} records differ, such as ${differences[0]}:\n${running.readOutput()}`,
          );
      }
      const kept = await fetchFollowed(stores.mongo.documents);
      return Object.fromEntries(Array.from(kept, ([name, { timepoint = -1 }]) => [name, timepoint]));
    },
    close: async () => {
      await programs.kill();
      await proxy.close();
      await server.close();
      await dropEverything(stores, config).finally(() => closeStores(stores));
    },
  };
}

/** Serves the streams of a register. `port` 0 means any free port; then it first stores the follower's key. */
async function serveStreams(config: Config, stores: Stores, port = 0) {
  if (port === 0) await addTestKey(stores.mongo.documents, KEY, { name: "follower", kind: "stream" });
  const server = buildStreams({
    ...{ config: { ...config, STREAM_CONNECTIONS: 100 }, stores },
    ...{ clock: () => new Date(), log: createLogger("silent", "api") },
  });
  const answer = server.app.callback();
  const { base, close } = await serve((request, response) => void answer(request, response), port);
  return {
    address: base,
    close: async () => {
      server.end();
      await close();
    },
  };
}

/** Addresses of the resources in which the two registers differ. */
async function findDifferences(a: Stores, b: Stores, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const [wanted, stored] = await Promise.all([hashResources(a, name), hashResources(b, name)]);
    const all = new Set([...wanted.keys(), ...stored.keys()]);
    found.push(...[...all].filter((uri) => wanted.get(uri) !== stored.get(uri)));
  }
  return found;
}

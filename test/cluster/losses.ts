/** Kills parts of a cluster, and measures how long the service takes to recover. */
import { setTimeout as pause } from "node:timers/promises";
import type { Victim } from "../support/faults/disturbed-load.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { OwnCluster } from "./own-cluster.mjs";
import type { Service } from "./service.ts";

// A step should take at most half a minute; waits longer, so that slower ones are measured too.
const WITHIN_MS = 120_000;
// How many batches and answers show that the service works; more batches than workers may have in hand.
const BATCHES = 6;
const ANSWERS = 25;
// A batch takes well under a second, so one that is held for longer is that of a stopped worker.
const HELD_MS = 2_000;
// Between two looks at the batches that are held.
const LOOK_MS = 50;

/** A part that is killed and restored. */
export interface Loss {
  name: string;
  /** Kills it. Returns a function that restores it, and resolves when it has its former role in the cluster. */
  lose: (cluster: OwnCluster, service: Service, victim: Victim) => Promise<() => Promise<void>>;
}

/** The measurements of one loss. */
export interface Step {
  name: string;
  /** When it began, by the clock of `performance`; the other times count from here. */
  startedAt: number;
  /** Until the load continued and searches were answered, with or without the part. */
  servedSeconds: number;
  /** Until the part was back in the cluster. */
  wholeSeconds: number;
}

/** Kills a part, and measures the time until the service works, and until the part is back. */
export async function measureLoss(
  { name, lose }: Loss,
  cluster: OwnCluster,
  service: Service,
  victim: Victim,
): Promise<Step> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  const restore = await lose(cluster, service, victim);
  const before = victim.countBatches();
  const hasContinued = () => {
    if (victim.countBatches() >= before + BATCHES) return Promise.resolve(true);
    if (!victim.command.isRunning())
      throw new Error(`the load ended before each part was lost:\n${victim.command.readOutput()}`);
    return Promise.resolve(false);
  };
  const served = Promise.all([
    waitUntil(hasContinued, "the load continues", WITHIN_MS),
    service.clients.waitForAnswers(ANSWERS, WITHIN_MS),
  ]).then(elapsed);
  const [servedSeconds, wholeSeconds] = await Promise.all([served, restore().then(elapsed)]);
  const step = { name, startedAt, servedSeconds, wholeSeconds };
  process.stdout.write(`${formatStep(step)}\n`);
  return step;
}

/** A line of the report. */
export function formatStep({ name, servedSeconds, wholeSeconds }: Step): string {
  const [served, whole] = [servedSeconds, wholeSeconds].map((seconds) => seconds.toFixed(1).padStart(6));
  return `${name.padEnd(45)} served again after ${served} s, whole after ${whole} s`;
}

/** Kills the master node, so that the others must also elect a new master. */
export const NODE_LOSS: Loss = {
  name: "the master node of Elasticsearch is killed",
  lose: async (cluster) => {
    const name = (await askNodes(cluster.nodes, "_cat/master?h=node")).trim();
    const node = cluster.nodes.find((one) => one.name === name);
    if (!node) throw new Error(`the master is ${name}, which is none of ours`);
    cluster.signal(node.title, "SIGKILL");
    return async () => {
      await cluster.restart(node.title);
      // Asks this node, because for a moment the others may not have noticed that it was gone.
      await waitUntil(() => isGreen([node], cluster.nodes.length), "the cluster is green", WITHIN_MS);
    };
  },
};

/** True if one of these nodes says that the cluster has `count` nodes, and every index has all its copies. */
export async function isGreen(nodes: OwnCluster["nodes"], count: number): Promise<boolean> {
  // No node answers while a master is being elected.
  const text = await askNodes(nodes, "_cluster/health?timeout=1s").catch(() => "{}");
  const { status, number_of_nodes } = JSON.parse(text) as { status?: string; number_of_nodes?: number };
  return status === "green" && number_of_nodes === count;
}

/** The answer of the first node that answers. */
async function askNodes(nodes: OwnCluster["nodes"], path: string): Promise<string> {
  const asking = nodes.map(async ({ url }) => {
    const answer = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`${url}/${path} is answered with ${answer.status}`);
    return answer.text();
  });
  return Promise.any(asking);
}

/** Kills the primary: the sentinels promote another server, and the former primary comes back as a replica. */
export const PRIMARY_LOSS: Loss = {
  name: "the primary of Redis is killed",
  lose: async (cluster) => {
    const former = (await findPrimaries(cluster))[0];
    const server = cluster.servers.find(({ port }) => port === former);
    if (!server) throw new Error(`the primary is at port ${former}, which is none of ours`);
    cluster.signal(server.title, "SIGKILL");
    const isReplaced = () =>
      findPrimaries(cluster).then(
        (ports) => ports.every((port) => port !== former),
        () => false,
      );
    const isReplica = async () => {
      const said = await cluster.askReplication(server.port).catch(() => "");
      return said.includes("role:slave") && said.includes("master_link_status:up");
    };
    return async () => {
      await waitUntil(isReplaced, "all sentinels name another primary", WITHIN_MS);
      await cluster.restart(server.title);
      await waitUntil(isReplica, "the former primary is a replica", WITHIN_MS);
    };
  },
};

/** The port of the primary, according to each sentinel. */
async function findPrimaries({ sentinels, askSentinel }: OwnCluster): Promise<number[]> {
  const answers = await Promise.all(sentinels.map(({ port }) => askSentinel(port)));
  return answers.map(([, port]) => Number(port));
}

/** Kills an API: the proxy sends it no requests until it is ready again. */
export const API_LOSS: Loss = {
  name: "an API is killed",
  lose: async (_cluster, { killApi, restartApi, proxy }) => {
    const port = await killApi();
    return async () => {
      await waitUntil(() => Promise.resolve(!proxy.isUsed(port)), "the proxy leaves it out", WITHIN_MS);
      await restartApi();
      await waitUntil(() => Promise.resolve(proxy.isUsed(port)), "the proxy uses it again", WITHIN_MS);
    };
  },
};

/** Kills a worker that has a batch in hand: others take it over. */
export const WORKER_LOSS: Loss = {
  name: "a worker is killed",
  lose: async (_cluster, _service, victim) => {
    const countTaken = () => victim.readWorkers().split("batch taken over").length;
    const before = countTaken();
    const until = performance.now() + WITHIN_MS;
    while (!(await stopsWithBatch(victim))) {
      if (performance.now() > until) throw new Error("the worker never had a batch in hand");
      victim.worker.kill("SIGCONT");
    }
    victim.worker.kill("SIGKILL");
    return async () => {
      const isTaken = () => Promise.resolve(countTaken() > before);
      await waitUntil(isTaken, "another worker takes the batch over", WITHIN_MS);
      await victim.startWorker();
    };
  },
};

/** Stops the worker; true if it has a batch in hand, which then stays held while the other workers end theirs. */
async function stopsWithBatch({ worker, listHeld }: Victim): Promise<boolean> {
  worker.kill("SIGSTOP");
  const held = new Set(await listHeld());
  const until = performance.now() + HELD_MS;
  while (held.size > 0 && performance.now() < until) {
    await pause(LOOK_MS);
    const now = await listHeld();
    for (const id of held) if (!now.includes(id)) held.delete(id);
  }
  return held.size > 0;
}

/** Owns what is lost in a cluster, one part after the other, and when all is well again. */
import { setTimeout as pause } from "node:timers/promises";
import type { Victim } from "../support/faults/disturbed-load.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { OwnCluster } from "./own-cluster.mjs";
import type { Service } from "./service.ts";

// A step takes no longer than half a minute; a longer one is measured, too.
const WITHIN_MS = 120_000;
// What shows that the load goes on, and that searches are answered: more batches than workers may have held.
const BATCHES = 6;
const ANSWERS = 25;

// The lock of a batch has run out, and others have looked twice.
const TAKEN_MS = 12_000;
// A worker that is ready has taken batches.
const AT_WORK_MS = 1_000;

/** Something that is lost and comes back. */
export interface Loss {
  name: string;
  /** Loses it. What it returns brings it back, and resolves when it has its place again. */
  lose: (cluster: OwnCluster, service: Service, victim: Victim) => Promise<() => Promise<void>>;
}

/** One loss after it has passed. */
export interface Step {
  name: string;
  /** When it began, by the clock of `performance`; what follows is counted from there. */
  startedAt: number;
  /** Until the load went on, and searches were answered: with the part or without it. */
  servedSeconds: number;
  /** Until the part had its place again. */
  wholeSeconds: number;
}

/** Has something happen, and measures until the service goes on, and until all is in its place. */
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
  const goesOn = () => {
    if (victim.countBatches() >= before + BATCHES) return Promise.resolve(true);
    if (!victim.command.isRunning())
      throw new Error(`the load ended before all was lost:\n${victim.command.readOutput()}`);
    return Promise.resolve(false);
  };
  const served = Promise.all([
    waitUntil(goesOn, "the load goes on", WITHIN_MS),
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

/** The node that is the master, since without it the others must elect one as well. */
export const NODE_LOSS: Loss = {
  name: "the master node of Elasticsearch is killed",
  lose: async (cluster) => {
    const name = (await askNodes(cluster.nodes, "_cat/master?h=node")).trim();
    const node = cluster.nodes.find((one) => one.name === name);
    if (!node) throw new Error(`the master is ${name}, which is none of ours`);
    cluster.signal(node.title, "SIGKILL");
    return async () => {
      await cluster.restart(node.title);
      // By its own account: for a moment the others may not have noticed that it has gone.
      await waitUntil(() => isGreen([node], cluster.nodes.length), "the cluster is green", WITHIN_MS);
    };
  },
};

/** True if one of these nodes says that it is in a cluster of so many, and that every index has all its copies. */
export async function isGreen(nodes: OwnCluster["nodes"], count: number): Promise<boolean> {
  // While a master is elected nobody answers.
  const text = await askNodes(nodes, "_cluster/health?timeout=1s").catch(() => "{}");
  const { status, number_of_nodes } = JSON.parse(text) as { status?: string; number_of_nodes?: number };
  return status === "green" && number_of_nodes === count;
}

/** The answer of the first node that gives one. */
async function askNodes(nodes: OwnCluster["nodes"], path: string): Promise<string> {
  const asking = nodes.map(async ({ url }) => {
    const answer = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`${url}/${path} is answered with ${answer.status}`);
    return answer.text();
  });
  return Promise.any(asking);
}

/** The sentinels make another one the primary, and the former one comes back as its replica. */
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

/** The port of the primary, as each sentinel knows it. */
async function findPrimaries({ sentinels, askSentinel }: OwnCluster): Promise<number[]> {
  const answers = await Promise.all(sentinels.map(({ port }) => askSentinel(port)));
  return answers.map(([, port]) => Number(port));
}

/** The proxy leaves it out until it is ready again. */
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

/** Others take its batches over. */
export const WORKER_LOSS: Loss = {
  name: "a worker is killed",
  lose: (_cluster, _service, victim) => {
    const countTaken = () => victim.readWorkers().split("batch taken over").length;
    const before = countTaken();
    const isTaken = () => Promise.resolve(countTaken() > before);
    victim.worker.kill("SIGKILL");
    return Promise.resolve(async () => {
      const until = performance.now() + WITHIN_MS;
      while (!(await holdsWithin(isTaken, TAKEN_MS))) {
        if (performance.now() > until) throw new Error("no batch of a killed worker was taken over");
        // On a quick machine it had none in hand: the next one is killed as well.
        await victim.startWorker();
        await pause(AT_WORK_MS);
        victim.worker.kill("SIGKILL");
      }
      await victim.startWorker();
    });
  },
};

function holdsWithin(holds: () => Promise<boolean>, ms: number): Promise<boolean> {
  return waitUntil(holds, "", ms).then(
    () => true,
    () => false,
  );
}

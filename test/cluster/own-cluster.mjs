// Starts a cluster on this machine for one test, so that it can kill and restart nodes and servers.

import { stopAll } from "../../scripts/bootstrap/lifecycle.mjs";
import { follow } from "../../scripts/bootstrap/progress.mjs";
import { startNode } from "../../scripts/engines/elasticsearch.mjs";
import { findEngineUser } from "../../scripts/engines/engine-user.mjs";
import { startFromPackages } from "../../scripts/engines/index.mjs";
import { ask, findFreePort } from "../../scripts/engines/ports.mjs";
import { startSentinel, startServer } from "../../scripts/engines/redis.mjs";
import { RestartableRun } from "../faults/own-engines.mjs";

const count = 3;
const primaryName = "primary";
// Long enough that a server which is busy for a moment does not count as lost.
const downAfterMs = 2_000;
const failoverMs = 10_000;

// Three nodes share the machine; with only the first compiler tier they start sooner.
const javaOptions = "-Xms512m -Xmx512m -XX:TieredStopAtLevel=1";

/** Starts three nodes of Elasticsearch, three Redis with three sentinels, and the stand-in for MongoDB; see the types
 * beside this file. If one of them does not start, all others are stopped. */
export async function startOwnCluster() {
  try {
    return await startAll(new RestartableRun("cluster"));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** @param {RestartableRun} run */
async function startAll(run) {
  const [user, [mongodb]] = await Promise.all([
    findEngineUser(),
    startFromPackages(["MONGODB_URL"], run).then(Object.values),
  ]);
  const [nodes, redis] = await Promise.all([
    follow("Elasticsearch", (task) => startNodes({ run, user, task })),
    follow("Redis", (task) => startRedisGroup({ run, user, task })),
  ]);
  const sentinels = redis.sentinels.map(({ port }) => `127.0.0.1:${port}`);
  return {
    addresses: {
      ELASTICSEARCH_URL: nodes.map(({ url }) => url).join(","),
      MONGODB_URL: mongodb,
      REDIS_URL: `redis+sentinel://${sentinels.join(",")}/${primaryName}`,
    },
    nodes,
    servers: redis.servers,
    /** @param {number} port */
    askSentinel: async (port) =>
      readWords(await ask(port, `SENTINEL get-master-addr-by-name ${primaryName}\r\n`)),
    /** @param {number} port */
    askReplication: async (port) => String(await ask(port, "INFO replication\r\n")),
    sentinels: redis.sentinels,
    /** @param {string} name @param {NodeJS.Signals} signal */
    signal: (name, signal) => run.signal(name, signal),
    /** @param {string} name */
    restart: (name) => run.restart(name),
    close: () => stopAll(),
  };
}

async function startNodes(place) {
  const nodes = [];
  for (let at = 1; at <= count; at += 1) {
    const name = `node-${at}`;
    nodes.push({
      name,
      title: `Elasticsearch ${name}`,
      port: await findFreePort(),
      transport: await findFreePort(),
    });
  }
  const common = {
    "discovery.seed_hosts": nodes.map(({ transport }) => `127.0.0.1:${transport}`),
    "cluster.initial_master_nodes": nodes.map(({ name }) => name),
    // By default a node that comes back copies missed writes one batch after the other, which during a load is hardly
    // faster than new writes arrive.
    "indices.recovery.max_concurrent_operations": 4,
    // Recovers all indices at once; the default is two at a time.
    "cluster.routing.allocation.node_concurrent_recoveries": 6,
  };
  const starting = nodes.map(({ name, title, port, transport }) => {
    const settings = { ...common, "node.name": name, "transport.port": transport };
    return startNode(place, { title, folder: `elasticsearch-${name}`, port, javaOptions, settings });
  });
  const urls = await Promise.all(starting);
  return nodes.map(({ name, title }, at) => ({ name, title, url: urls[at] }));
}

async function startRedisGroup(place) {
  const servers = [];
  for (let at = 1; at <= count; at += 1)
    servers.push({ title: `Redis ${at}`, folder: `redis-${at}`, port: await findFreePort() });
  const [primary, ...replicas] = servers;
  await startServer(place, primary);
  const settings = { replicaof: ["127.0.0.1", String(primary.port)] };
  for (const replica of replicas) await startServer(place, { ...replica, settings });
  const lines = [
    `sentinel monitor ${primaryName} 127.0.0.1 ${primary.port} 2`,
    `sentinel down-after-milliseconds ${primaryName} ${downAfterMs}`,
    `sentinel failover-timeout ${primaryName} ${failoverMs}`,
  ];
  const sentinels = [];
  for (let at = 1; at <= count; at += 1) {
    const sentinel = { title: `sentinel ${at}`, folder: `sentinel-${at}`, port: await findFreePort() };
    await startSentinel(place, { ...sentinel, lines });
    sentinels.push(sentinel);
  }
  return { servers, sentinels };
}

/** The words of a Redis answer, which has a line with the length before each.
 * @param {Buffer} answer */
function readWords(answer) {
  return String(answer)
    .split("\r\n")
    .filter((line) => line !== "" && !/^[*$]/.test(line));
}

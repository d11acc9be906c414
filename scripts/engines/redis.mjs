// Redis from Debian, with the settings that BullMQ needs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntilReady } from "../bootstrap/processes.mjs";
import { ensureCommand } from "./debian.mjs";
import { ask, findFreePort } from "./ports.mjs";

const deadlineMs = 20_000;

/** Starts Redis and returns its address. Installs it if it is missing. */
export async function startRedis(place) {
  const port = await findFreePort();
  await startServer(place, { title: "Redis", folder: "redis", port });
  return `redis://127.0.0.1:${port}`;
}

/** Starts one server and waits until it answers. `folder` is a name in the run's folder; `settings`, such as
 * `replicaof`, are added to the usual ones. */
export async function startServer(place, { title, folder: name, port, settings = {} }) {
  const folder = place.user.makeFolder(place.run.data(name));
  const all = {
    ...common(folder, port),
    // An evicted key would be a lost job.
    "maxmemory-policy": "noeviction",
    appendonly: "yes",
    save: "",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([key, value]) => [`--${key}`, ...[value].flat().map(String)]);
  await startProcess(place, { title, name, folder, port, args });
}

/** Starts a sentinel. It watches the server that `lines` of its configuration name, and promotes a replica if that
 * fails. */
export async function startSentinel(place, { title, folder: name, port, lines }) {
  const folder = place.user.makeFolder(place.run.data(name));
  // The sentinel itself writes its state into this file.
  const file = join(folder, "sentinel.conf");
  const first = Object.entries(common(folder, port)).map(([key, value]) => `${key} "${value}"`);
  writeFileSync(file, `${[...first, ...lines].join("\n")}\n`);
  place.user.own(file);
  const args = [file, "--sentinel"];
  await startProcess(place, { title, name, folder, port, args });
}

function common(folder, port) {
  return { bind: "127.0.0.1", port, dir: folder };
}

async function startProcess({ run, user, task }, { title, name, folder, port, args }) {
  const command = await ensureCommand("redis-server", "redis-server");
  task.stage("starting");
  const logFile = run.file(`${name}.log`);
  const service = run.start(user, { name: title, command, args, cwd: folder, env: {}, logFile });
  const answers = async () => String(await ask(port, "PING\r\n")).startsWith("+PONG");
  await waitUntilReady(service, answers, deadlineMs);
}

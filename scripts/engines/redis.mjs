// Owns Redis from Debian: the real server, with the settings that BullMQ asks for.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntilReady } from "../bootstrap/processes.mjs";
import { ensureCommand } from "./debian.mjs";
import { ask, findFreePort } from "./ports.mjs";

const deadlineMs = 20_000;

/** Starts Redis, installing it first when it is missing; returns its address. */
export async function startRedis(place) {
  const port = await findFreePort();
  await startServer(place, { title: "Redis", folder: "redis", port });
  return `redis://127.0.0.1:${port}`;
}

/** Starts one server; resolves when it answers. Its folder is one below that of the run; its settings, such as `replicaof`, are
 * added to those of every server. */
export async function startServer(place, { title, folder: name, port, settings = {} }) {
  const folder = place.user.makeFolder(place.run.data(name));
  const all = {
    ...common(folder, port),
    // Evicted keys would be lost jobs.
    "maxmemory-policy": "noeviction",
    appendonly: "yes",
    save: "",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([key, value]) => [`--${key}`, ...[value].flat().map(String)]);
  await startProcess(place, { title, name, folder, port, args });
}

/** Starts a sentinel, which watches the server that the lines of its configuration name, and names another when that is lost. */
export async function startSentinel(place, { title, folder: name, port, lines }) {
  const folder = place.user.makeFolder(place.run.data(name));
  // It writes into this file whom it watches.
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

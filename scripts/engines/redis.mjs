// Owns Redis from Debian: the real server, with the settings that BullMQ asks for.

import { waitUntilReady } from "../bootstrap/processes.mjs";
import { ensureCommand } from "./debian.mjs";
import { ask, findFreePort } from "./ports.mjs";

const deadlineMs = 20_000;

/** Starts Redis, installing it first when it is missing.
 * @param {import('./packages.mjs').Place} place
 * @returns {Promise<string>} its address */
export async function startRedis({ run, user, task }) {
  const command = await ensureCommand("redis-server", "redis-server");
  task.stage("starting");
  const port = await findFreePort();
  const folder = user.makeFolder(run.data("redis"));
  const settings = {
    bind: "127.0.0.1",
    port,
    dir: folder,
    // Evicted keys would be lost jobs.
    "maxmemory-policy": "noeviction",
    appendonly: "yes",
    save: "",
    // Keeps the folder on the command line, by which a later run recognises an orphan.
    "set-proc-title": "no",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const service = run.start(user, {
    name: "Redis",
    command,
    args,
    cwd: folder,
    env: {},
    logFile: run.file("redis.log"),
  });
  await waitUntilReady(
    service,
    async () => String(await ask(port, "PING\r\n")).startsWith("+PONG"),
    deadlineMs,
  );
  return `redis://127.0.0.1:${port}`;
}

// Owns PostgreSQL from Debian: the store underneath FerretDB, tuned for a stand-in whose data mostly dies with the run.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { waitUntilReady } from "../bootstrap/processes.mjs";
import { listFolder } from "../bootstrap/run-folder.mjs";
import { ensureInstalled, findCommand } from "./debian.mjs";
import { ask, findFreePort } from "./ports.mjs";

const deadlineMs = 30_000;
const debianFolder = "/usr/lib/postgresql";

/** The role that owns the database, and the only one. */
export const role = "ferretdb";

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "256MB",
  work_mem: "16MB",
  max_wal_size: "2GB",
  // Its log would hold every record that is there already, whole.
  log_min_error_statement: "panic",
  synchronous_commit: "off",
  // FerretDB prepares its statements with the field name as a parameter. A generic plan cannot match
  // `_jsonb->$1` with an index, and a table just filled has no statistics: each would scan the table.
  plan_cache_mode: "force_custom_plan",
  enable_seqscan: "off",
  jit: "off",
};

// Do not wait for writes that need not survive the run.
const fleetingSettings = { fsync: "off", full_page_writes: "off" };

/** Starts PostgreSQL on its data, or on fresh ones, installing it first when it is missing; returns its port. */
export async function startPostgresql({ run, user }) {
  const binaries = await ensureInstalled("postgresql", findBinaries);
  const port = await findFreePort();
  const folder = user.makeFolder(run.data("postgresql"));
  const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  if (!existsSync(join(folder, "PG_VERSION"))) {
    const init = `-U ${role} -A trust -E UTF8 --locale=C --no-sync --no-instructions`.split(" ");
    await user.run(join(binaries, "initdb"), ["-D", folder, ...init], { cwd: folder, env });
  }
  const args = ["-D", folder, "-p", String(port)];
  const chosen = { ...settings, ...(run.isKept ? {} : fleetingSettings) };
  for (const [name, value] of Object.entries(chosen)) args.push("-c", `${name}=${value}`);
  const service = run.start(user, {
    name: "PostgreSQL",
    command: join(binaries, "postgres"),
    args,
    cwd: folder,
    env,
    logFile: run.file("postgresql.log"),
    // SIGTERM would wait for FerretDB's connections.
    stopSignal: "SIGINT",
  });
  await waitUntilReady(service, () => acceptsConnections(port), deadlineMs);
  return port;
}

/** The folder of the newest server's programs. */
function findBinaries() {
  const newestFirst = listFolder(debianFolder).sort((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => join(debianFolder, version, "bin"));
  const onPath = findCommand("initdb");
  if (onPath) folders.push(dirname(onPath));
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

async function acceptsConnections(port) {
  const startup = Buffer.from(`\0\0\0\0\0\x03\0\0user\0${role}\0database\0postgres\0\0`, "latin1");
  startup.writeInt32BE(startup.length, 0);
  // "R" asks for authentication or grants it; "E" is an error, such as "still starting up".
  return String.fromCharCode((await ask(port, startup))[0]) === "R";
}

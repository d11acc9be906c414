// Owns FerretDB 1.24.0, which speaks MongoDB's protocol over PostgreSQL: built from its Go module, mended by our patch.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, waitUntilReady } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { ensureComponent } from "./components.mjs";
import { ensureCommand } from "./debian.mjs";
import { ensureGo } from "./go.mjs";
import { ask, findFreePort } from "./ports.mjs";
import { role, startPostgresql } from "./postgresql.mjs";

const version = "v1.24.0";
const module = `github.com/FerretDB/FerretDB@${version}`;
const moduleSum = "h1:7WJmezL48Bj9bYWnhT/bEJgX5gjT5s7LFdHTqkN25rA=";
const patchFile = join(import.meta.dirname, "ferretdb-1.24.0.patch");
const deadlineMs = 30_000;

/** Starts FerretDB and PostgreSQL underneath it, installing first what is missing; returns its address as a MongoDB. */
export async function startFerretdb(place) {
  const { run, user, task } = place;
  const [folder, postgresPort] = await Promise.all([ensureFerretdb(task), startPostgresql(place)]);
  task.stage("starting");
  const port = await findFreePort();
  const stateFolder = user.makeFolder(run.data("ferretdb"));
  const args = [
    "--telemetry=disable",
    "--handler=postgresql",
    `--postgresql-url=postgres://${role}@127.0.0.1:${postgresPort}/postgres?pool_max_conns=100`,
    `--listen-addr=127.0.0.1:${port}`,
    "--debug-addr=-",
    `--state-dir=${stateFolder}`,
    "--log-level=error",
  ];
  const options = { command: join(folder, "ferretdb"), args, cwd: stateFolder, env: { HOME: stateFolder } };
  const service = run.start(user, { name: "FerretDB", ...options, logFile: run.file("ferretdb.log") });
  await waitUntilReady(service, () => answersPing(port), deadlineMs);
  return `mongodb://127.0.0.1:${port}/`;
}

function ensureFerretdb(task) {
  const patchId = createHash("sha256").update(readFileSync(patchFile)).digest("hex").slice(0, 8);
  return ensureComponent({
    name: `ferretdb-${version.slice(1)}-${patchId}`,
    neededBytes: 1_500e6,
    make: (staging) => build(staging, task),
  });
}

async function build(staging, task) {
  task.stage("preparing Go");
  const patch = await ensureCommand("patch", "patch");
  const go = await ensureGo(staging);
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    GOTOOLCHAIN: "local",
    // Everything stays in the staging folder, writable, so that one deletion leaves nothing behind.
    GOFLAGS: "-modcacherw -buildvcs=false",
    GOPATH: join(staging, "gopath"),
    GOMODCACHE: join(staging, "modules"),
    GOCACHE: join(staging, "build-cache"),
  };
  task.stage("downloading the module");
  const source = join(staging, "source");
  await run("cp", ["-r", await downloadModule(go, env), source]);
  task.stage("building");
  const patchArgs = ["-p1", "--batch", "--forward", "--no-backup-if-mismatch", "-i", patchFile];
  await run(patch, patchArgs, { cwd: source });
  writeFileSync(join(source, "build/version/version.txt"), version);
  const made = join(staging, "made");
  await run(go, ["build", "-trimpath", "-o", join(made, "ferretdb"), "./cmd/ferretdb"], { cwd: source, env });
  return made;
}

/** Returns the folder of the module's source. */
async function downloadModule(go, env) {
  const answer = await run(go, ["mod", "download", "-json", module], { cwd: "/", env });
  // Messages about the download may stand before the JSON.
  const { Dir, Sum } = JSON.parse(answer.slice(answer.indexOf("{")));
  if (Sum !== moduleSum) throw new SetupError(`The Go module ${module} is wrong: its checksum is ${Sum}.`);
  return Dir;
}

/** Sends the command `ping`, which FerretDB answers once its PostgreSQL does. */
async function answersPing(port) {
  const document = Buffer.from("\0\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0", "latin1");
  document.writeInt32LE(document.length, 0);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(1, 4);
  head.writeInt32LE(2013, 12);
  const answer = await ask(port, Buffer.concat([head, document]));
  return answer.includes("ok\0\0\0\0\0\0\0\xf0\x3f", 0, "latin1");
}

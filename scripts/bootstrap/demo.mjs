// The command `demo`: starts engines, worker and API, loads the sample register, makes three calls and shows their
// answers, and runs until Ctrl-C. The data stays for the next demo on the same port.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineUser } from "../engines/engine-user.mjs";
import { findCommand } from "../engines/debian.mjs";
import { addressNames, startEngines } from "../engines/index.mjs";
import { findFreePort, findPortFault } from "../engines/ports.mjs";
import { cliFile } from "./cli.mjs";
import { chooseAnother, chooseKept, chooseNames } from "./kept-demo.mjs";
import { run as runHelper, runInForeground, waitUntilReady } from "./processes.mjs";
import { follow, say, SetupError } from "./progress.mjs";
import { ensureBuild, ensurePackages } from "./project.mjs";
import { projectFolder, RunFolder } from "./run-folder.mjs";

// scripts/hold-demo.ts stores these keys.
const apiKey = "demo-key";
const streamKey = "demo-stream-key";
// Operating systems resolve every name that ends with .localhost to this machine.
const streamHost = "streams.localhost";
const holdFile = `${projectFolder}/dist/scripts/hold-demo.js`;
const readyMs = 60_000;
// The register of the contract cases, so that they pass against a running demo, too.
const { files } = JSON.parse(readFileSync(`${projectFolder}/test/contract/register.json`, "utf8"));
const samples = files.map((file) => `${projectFolder}/test/fixtures/register/${file}`);

// How long to repeat a call: a search finds loaded records only after its index has been refreshed, usually within a
// second.
const refreshMs = 10_000;
const callMs = 10_000;
const shownItems = 1;
const shownLines = 24;

const company = "99000064";
const words = "leading zeros sample";

// The calls: title and path, what must be true of the answer, and the error message if it is not.
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

/** Runs the demo. With --exit it returns 0 after the calls, if their answers were right. */
export async function runDemo(args) {
  const unknown = args.find((arg) => !["--exit", "--fresh"].includes(arg));
  if (unknown) throw new SetupError(`The demo has no option "${unknown}", only --exit and --fresh.`);
  const port = await choosePort();
  const kept = await chooseKept(port, args);
  const run = new RunFolder("demo", kept?.path);
  const adviseFresh = (error) => {
    if (!kept?.loadedAt() || !(error instanceof SetupError)) throw error;
    const way = `If the data of earlier demos is at fault, ${placeOf(run, kept)}: ${kept.startOver}`;
    throw new SetupError(`${error.message}\n\n${way}`);
  };
  const starting = startEngines(run, kept?.engines()).catch(adviseFresh);
  const [addresses] = await Promise.all([starting, ensurePackages().then(ensureBuild)]);
  run.update({ port, env: { ...addresses, ...chooseNames() } });
  const env = settingsOf(process.env, run.state.env, port);
  const runScript = (...args) => runHelper(process.execPath, args, { cwd: projectFolder, env });
  const runCli = (...args) => runScript(cliFile, ...args);
  await follow("indices", (task) => prepareIndices(runCli, task)).catch(adviseFresh);
  await follow("applications", () => runScript(holdFile));
  await startServices(run, env);
  await Promise.race([loadAndAnswer(run, env, kept), run.failWhenOneEnds()]);
  if (args.includes("--exit")) return 0;
  const base = `http://127.0.0.1:${port}`;
  say(`\nThe register is at ${base}: search it in a browser.`);
  say(`The API is at the same address (user ${apiKey}, no password); ${base}/docs explains it.`);
  say(`The event streams are at http://${streamHost}:${port} (user ${streamKey}, no password).`);
  say("Load files with npm run cli -- load FILE; npm run cli -- --help lists the other commands.");
  say(describeData(run, kept));
  say(`Logs are in ${run.path}. Press Ctrl-C to stop.`);
  return run.failWhenOneEnds();
}

/** The settings of the worker and the API: those of the user, except for the addresses of the demo. */
export function settingsOf(given, engines, port) {
  const own = { HOST: "127.0.0.1", PORT: String(port), STREAM_HOST: streamHost };
  // The demo's key is public, so its documentation shows it, and its pages need no key unless the user sets PAGES.
  return { ...given, ...engines, ...own, DOCS_KEY: apiKey, PAGES: given.PAGES || "open" };
}

/** Creates missing indices; rebuilds those with other name rules (of an earlier release) before any worker writes. */
export async function prepareIndices(runCli, task) {
  try {
    await runCli("prepare");
  } catch (error) {
    if (!String(error.message).includes("name rules")) throw error;
    task.stage("building them anew");
    await runCli("reindex", "--yes");
    await runCli("prepare");
  }
}

/** Says whether the data stays, and where. */
function describeData(run, kept) {
  if (kept) return `The data stays for the next demo on this port, ${placeOf(run, kept)}. ${kept.startOver}`;
  const areGiven = addressNames.every((name) => process.env[name]);
  return `The data ${areGiven ? "stays in your engines" : "is deleted when the demo stops"}.`;
}

function placeOf({ state: { composeProject } }, kept) {
  return composeProject ? `in the Docker volumes of ${composeProject}` : `in ${kept.path}`;
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

/** Does nothing with data of an earlier demo: the user may have changed it, so the expected answers may be wrong. */
async function loadAndAnswer(run, env, kept) {
  if (kept?.loadedAt()) return;
  say("  loading the sample register");
  const { code } = await runInForeground(process.execPath, [cliFile, "load", ...samples], { env });
  if (code !== 0) throw new SetupError(`Loading the sample register ended with code ${code}.`);
  await answerCalls(`http://127.0.0.1:${env.PORT}`, apiKey);
  kept?.noteLoaded(run.state.composeProject ? "docker" : "packages");
}

/** Makes the three calls and prints each with its answer. Throws SetupError if an answer is not as expected. */
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

/** The JSON of an answer, with long lists and long answers cut. */
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

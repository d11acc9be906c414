/** The stores that `npm run cli` uses, and what it says about them. */
import { expect, it } from "@jest/globals";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const cache = makeOwnFolder();

const DEMO = "mongodb://127.0.0.1:3/";
const ALL = {
  ELASTICSEARCH_URL: "http://127.0.0.1:1",
  MONGODB_URL: "mongodb://127.0.0.1:2/",
  REDIS_URL: "redis://[::1]",
};
const PROGRAM = `
  const { chooseStores } = await import("./scripts/bootstrap/cli.mjs");
  console.log(JSON.stringify(chooseStores(JSON.parse(process.argv[1]))));`;
const PRINT_OWNER = `
  const { identityOf } = await import("./scripts/bootstrap/processes.mjs");
  console.log(JSON.stringify(identityOf(${process.pid})));`;

function run(program: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, COMPANY_REGISTER_CACHE: cache };
  return runModule(program, { args, env });
}

/** The messages, and the settings that the command gets. */
function choose(given: Record<string, string>): [message: string, env: unknown] {
  const { stdout, stderr } = run(PROGRAM, JSON.stringify(given));
  return [stderr.trim(), JSON.parse(stdout)];
}

it("cli uses the stores that are set, or the defaults, if no demo is running", () => {
  const [message, env] = choose({});
  expect(message).toBe(
    "No demo of this checkout is running: using the stores at ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL, by default " +
      "on this machine.",
  );
  expect(env).toEqual({});
});

it("cli uses a running demo unless all addresses are set, and refuses a mixture of both", () => {
  const folder = join(cache, "runs", "demo-1-a");
  mkdirSync(folder, { recursive: true });
  const owner: unknown = JSON.parse(run(PRINT_OWNER).stdout);
  const demo = { command: "demo", project: process.cwd(), owner, port: 8080, env: { MONGODB_URL: DEMO } };
  writeFileSync(join(folder, "state.json"), JSON.stringify(demo));
  expect(choose({})).toEqual([
    "Using the demo on port 8080.",
    // The web client of a demo must not make doctor warn.
    { MONGODB_URL: DEMO, PUBLIC_URL: "http://127.0.0.1:8080" },
  ]);
  expect(choose(ALL)).toEqual(["", ALL]);
  const inFiles = Object.fromEntries(Object.keys(ALL).map((name) => [`${name}_FILE`, "/run/secrets/x"]));
  expect(choose(inFiles)).toEqual(["", inFiles]);
  for (const one of ["MONGODB_URL", "MONGODB_URL_FILE"])
    expect(run(PROGRAM, JSON.stringify({ [one]: "/run/secrets/x" })).stderr).toContain(
      `A demo runs on port 8080: unset ${one} to use it, or set all of ELASTICSEARCH_URL, MONGODB_URL, REDIS_URL to ` +
        "use other stores.",
    );
});

/** The data that a demo keeps: only one demo at a time uses it, and it is deleted only on request. */
import { expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { moduleArgs, runModule } from "../../support/run-module.ts";

const cache = makeOwnFolder();

const NO_ADDRESSES = { ELASTICSEARCH_URL: "", MONGODB_URL: "", REDIS_URL: "" };
const OWN_ENGINES = { ELASTICSEARCH_URL: "a", MONGODB_URL: "b", REDIS_URL: "c" };
const env = { ...process.env, COMPANY_REGISTER_CACHE: cache, ...NO_ADDRESSES, PORT: "" };

/** A demo that chooses the data that it keeps, for these arguments, then runs the code `then`. */
const moduleOf = (args: string[], then: string, port = 8080) =>
  `const { chooseKept } = await import("./scripts/bootstrap/kept-demo.mjs");
   const kept = await chooseKept(${port}, ${JSON.stringify(args)});
   ${then}`;

/** Runs such a demo to its end. */
const run = (args: string[], then: string, more: { port?: number; env?: NodeJS.ProcessEnv } = {}) =>
  runModule(moduleOf(args, then, more.port), { env: { ...env, ...more.env } });

it.each([[[]], [["--fresh"]]])(
  "a second demo with the arguments %j does not start while the first one starts",
  async (args) => {
    const first = spawn(
      process.execPath,
      moduleArgs(moduleOf([], "kept.noteLoaded(`packages`); console.log(); setInterval(() => {}, 1_000)")),
      { env, stdio: ["ignore", "pipe", "ignore"] },
    );
    await once(first.stdout, "data");
    const runSecond = () => run(args, "console.log(String(kept.loadedAt()))");
    const { stdout, stderr } = runSecond();
    const ended = once(first, "exit");
    first.kill("SIGKILL");
    await ended;
    expect(stdout).toBe("");
    expect(stderr).toContain("Another demo on port 8080 is starting");
    expect(runSecond().stdout).toMatch(args.length > 0 ? /^undefined/ : /^\d{4}-/);
  },
);

it.each([[[]], [["--fresh"]]])(
  "a demo with the arguments %j leaves data in Docker as it is while Docker is not running",
  (args) => {
    const withoutDocker = { env: { PATH: cache } };
    run([], "kept.noteLoaded('docker')", withoutDocker);
    const { stdout, stderr } = run(args, "console.log('kept')", withoutDocker);
    expect(stdout).toBe("");
    expect(stderr).toContain(
      "The data of earlier demos on port 8080 is in Docker (no Docker engine answers): start or repair Docker, or choose " +
        'another port: set PORT to a free one, as in "PORT=8081 npm run demo".',
    );
    const [demo = ""] = readdirSync(join(cache, "demos"));
    expect(stderr).toContain(`To give this data up, delete ${join(cache, "demos", demo)}.`);
    expect(readdirSync(join(cache, "demos", demo))).toEqual(["loaded.json"]);
    rmSync(join(cache, "demos"), { recursive: true });
  },
);

it.each([
  [["--fresh"], OWN_ENGINES, /indices demo-\*, the database company_register_demo/],
  [["--fresh"], { REDIS_URL: "c" }, /Redis keys demo:\*/],
  [["--fresh", "--exit"], {}, /keeps no data that --fresh could delete/],
  [["--fresh"], { PORT: "0" }, /keeps no data that --fresh could delete/],
  [[], { REDIS_URL: "c" }, /all three addresses or none/],
  [
    [],
    { ...OWN_ENGINES, DATABASE_NAME: "company_register" },
    /keys are public .* unset DATABASE_NAME, or set it to a name with "demo" in it/,
  ],
])("a demo with the arguments %j and settings %j does not start, and says why", (args, set, message) => {
  const { stdout, stderr } = run(args, "console.log('kept')", { env: set });
  expect(stdout).toBe("");
  expect(stderr).toMatch(message);
});

it("a demo with --fresh and the name of a real register advises to delete nothing", () => {
  const { stderr } = run(["--fresh"], "", { env: { ...OWN_ENGINES, DATABASE_NAME: "company_register" } });
  expect(stderr).toMatch(/keys are public/);
  expect(stderr).not.toMatch(/delete/);
});

it.each([
  [8080, ". npm run demo -- --fresh deletes it"],
  [8081, ". PORT=8081 npm run demo -- --fresh deletes it"],
])("a demo on port %d says how to start over on this port", (port, advice) => {
  run([], "kept.noteLoaded('packages')", { port });
  expect(run([], "", { port }).stderr).toContain(advice);
});

it.each([[[]], [["--fresh"]]])("a demo with the arguments %j ignores a note that was cut off", (args) => {
  run([], "kept.noteLoaded('packages')");
  const [demo = ""] = readdirSync(join(cache, "demos")).filter((name) => name.startsWith("8080-"));
  writeFileSync(join(cache, "demos", demo, "loaded.json"), "");
  expect(run(args, "console.log(kept.loadedAt())").stdout).toBe("undefined\n");
});

it("a demo with --fresh keeps its note of data that Docker fails to delete", () => {
  const failing = 'case "$*" in *" down "*) echo "volume is in use"; exit 1;; esac';
  const bin = join(cache, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "docker"), `#!/bin/sh\n${failing}\n`, { mode: 0o755 });
  const own = { port: 8082, env: { PATH: `${bin}:${process.env.PATH}` } };
  run([], "kept.noteLoaded('docker')", own);
  const { stdout, stderr } = run(["--fresh"], "console.log('fresh')", own);
  expect(stdout).toBe("");
  expect(stderr).toContain("volume is in use");
  expect(run([], "console.log(kept.engines())", own).stdout).toBe("docker\n");
});

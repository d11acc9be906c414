/** The data that a demo keeps: those of one demo at a time. */
import { afterAll, expect, it } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cache = mkdtempSync(join(tmpdir(), "kept-demo-"));
afterAll(() => rmSync(cache, { recursive: true }));

const NO_ADDRESSES = { ELASTICSEARCH_URL: "", MONGODB_URL: "", REDIS_URL: "" };
const env = { ...process.env, COMPANY_REGISTER_CACHE: cache, ...NO_ADDRESSES, PORT: "" };
const program = (args: string[], then: string, port = 8080) => [
  "--input-type=module",
  "-e",
  `const { chooseKept } = await import("./scripts/bootstrap/kept-demo.mjs");
   const kept = await chooseKept(${port}, ${JSON.stringify(args)});
   ${then}`,
];

it.each([[[]], [["--fresh"]]])(
  "with %j a second demo does not start while the first one starts",
  async (args) => {
    const first = spawn(
      process.execPath,
      program([], "kept.noteLoaded(`packages`); console.log(); setInterval(() => {}, 1_000)"),
      {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(first.stdout, "data");
    const second = () =>
      spawnSync(process.execPath, program(args, "console.log(String(kept.loadedAt()))"), {
        encoding: "utf8",
        env,
      });
    const { stdout, stderr } = second();
    const ended = once(first, "exit");
    first.kill("SIGKILL");
    await ended;
    expect(stdout).toBe("");
    expect(stderr).toContain("Another demo on port 8080 is starting");
    expect(second().stdout).toMatch(args.length > 0 ? /^undefined/ : /^\d{4}-/);
  },
);

it.each([[[]], [["--fresh"]]])(
  "with %j data in Docker stays as it is while Docker is not running",
  (args) => {
    const own = { ...env, PATH: cache };
    const start = (given: string[], then: string) =>
      spawnSync(process.execPath, program(given, then), { encoding: "utf8", env: own });
    start([], "kept.noteLoaded('docker')");
    const { stdout, stderr } = start(args, "console.log('kept')");
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
  [
    ["--fresh"],
    { ELASTICSEARCH_URL: "a", MONGODB_URL: "b", REDIS_URL: "c" },
    /indices demo-\*, the database company_register_demo/,
  ],
  [["--fresh"], { REDIS_URL: "c" }, /Redis keys demo:\*/],
  [["--fresh", "--exit"], {}, /keeps no data that --fresh could delete/],
  [["--fresh"], { PORT: "0" }, /keeps no data that --fresh could delete/],
  [[], { REDIS_URL: "c" }, /all three addresses or none/],
  [
    [],
    { ELASTICSEARCH_URL: "a", MONGODB_URL: "b", REDIS_URL: "c", DATABASE_NAME: "company_register" },
    /keys are public .* unset DATABASE_NAME, or set it to a name with "demo" in it/,
  ],
])("with %j and the addresses %j it says what it does not do", (args, addresses, words) => {
  const own = { ...env, ...addresses };
  const { stdout, stderr } = spawnSync(process.execPath, program(args, "console.log('kept')"), {
    encoding: "utf8",
    env: own,
  });
  expect(stdout).toBe("");
  expect(stderr).toMatch(words);
});

it("with --fresh and the name of a real register it advises to delete nothing", () => {
  const addresses = { ELASTICSEARCH_URL: "a", MONGODB_URL: "b", REDIS_URL: "c" };
  const { stderr } = spawnSync(process.execPath, program(["--fresh"], ""), {
    encoding: "utf8",
    env: { ...env, ...addresses, DATABASE_NAME: "company_register" },
  });
  expect(stderr).toMatch(/keys are public/);
  expect(stderr).not.toMatch(/delete/);
});

it.each([
  [8080, ". npm run demo -- --fresh deletes it"],
  [8081, ". PORT=8081 npm run demo -- --fresh deletes it"],
])("on port %d it says how to start over on this port", (port, words) => {
  const start = (then: string) =>
    spawnSync(process.execPath, program([], then, port), { encoding: "utf8", env });
  start("kept.noteLoaded('packages')");
  expect(start("").stderr).toContain(words);
});

it.each([[[]], [["--fresh"]]])("with %j a note that was cut off is ignored", (args) => {
  const start = (given: string[], then: string) =>
    spawnSync(process.execPath, program(given, then), { encoding: "utf8", env }).stdout;
  start([], "kept.noteLoaded('packages')");
  const [demo = ""] = readdirSync(join(cache, "demos")).filter((name) => name.startsWith("8080-"));
  writeFileSync(join(cache, "demos", demo, "loaded.json"), "");
  expect(start(args, "console.log(kept.loadedAt())")).toBe("undefined\n");
});

it("with --fresh keeps its note of data that Docker does not delete", () => {
  const fails = 'case "$*" in *" down "*) echo "volume is in use"; exit 1;; esac';
  const bin = join(cache, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "docker"), `#!/bin/sh\n${fails}\n`, { mode: 0o755 });
  const own = { ...env, PATH: `${bin}:${process.env.PATH}` };
  const start = (args: string[], then: string) =>
    spawnSync(process.execPath, program(args, then, 8082), { encoding: "utf8", env: own });
  start([], "kept.noteLoaded('docker')");
  const { stdout, stderr } = start(["--fresh"], "console.log('fresh')");
  expect(stdout).toBe("");
  expect(stderr).toContain("volume is in use");
  expect(start([], "console.log(kept.engines())").stdout).toBe("docker\n");
});

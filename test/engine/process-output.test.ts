/** What a process prints for the person who started it: on a terminal, on a full disk, and with its log off. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { buildRegister } from "../support/faults/build.ts";
import { startApi } from "../support/faults/processes.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

const ON_A_TERMINAL = ["--import", "data:text/javascript,process.stderr.isTTY=true"];

let build = "";
let register: TestRegister;
beforeAll(async () => {
  build = buildRegister();
  register = await openRegister({ withWorker: false });
}, 120_000);
afterAll(() => register.close());

/** Runs a process until it ends. `stdout` is an open file for its standard output. */
function run(args: string[], { settings = {}, stdout }: { settings?: object; stdout?: number } = {}) {
  const env = Object.entries({ ...register.config, ...settings }).map(([name, value]) => [
    name,
    String(value),
  ]);
  return spawnSync(process.execPath, args, {
    cwd: build,
    encoding: "utf8",
    env: Object.fromEntries(env) as NodeJS.ProcessEnv,
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    // Ends an API that unexpectedly starts to listen.
    timeout: 60_000,
  });
}

it("a note on a terminal replaces the progress line", () => {
  const { stderr } = run([...ON_A_TERMINAL, "scripts/cli.js", "refused-rows", "list"]);
  expect(stderr).toBe("\r\u001b[Kthere are no refused rows\n");
  expect(run(["scripts/cli.js", "refused-rows", "list"]).stderr).toBe("there are no refused rows\n");
});

// Other systems have no /dev/full.
const itOnLinux = process.platform === "linux" ? it : it.skip;

itOnLinux("a command whose output cannot be written for lack of space says so in one sentence", () => {
  const stdout = openSync("/dev/full", "w");
  const { stderr, status } = run(["scripts/cli.js", "settings"], { stdout });
  closeSync(stdout);
  expect(stderr).toMatch(/^standard output cannot be written: ENOSPC.*\n$/);
  expect(status).toBe(1);
});

it("a command prints one line for each invalid setting", () => {
  const { stderr, status } = run(["scripts/cli.js", "settings"], {
    settings: { PORT: "x", LOG_LEVEL: "loud" },
  });
  expect(stderr.split("\n")).toEqual([
    "Some settings are not valid:",
    expect.stringMatching(/^ {2}PORT must be /),
    expect.stringMatching(/^ {2}LOG_LEVEL must be /),
    "",
  ]);
  expect(status).toBe(1);
});

it.each(["PORT", "STREAM_PORT"])("an API without a log reports that its %s is in use", async (setting) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { stderr, status } = run(["api/main.js"], { settings: { HOST: "127.0.0.1", [setting]: port } });
  await new Promise((resolve) => other.close(resolve));
  expect(stderr).toMatch(
    new RegExp(
      `^${setting}: cannot listen on 127.0.0.1:${port} .*EADDRINUSE.*set HOST to .* ${setting} to a free port\n$`,
    ),
  );
  expect(status).toBe(1);
});

it("an API writes only lines of its log, even for answers that it compresses or streams", async () => {
  const config = { ...register.config, HOST: "127.0.0.1", PORT: 0, PAGES: "open" };
  const { program, port } = await startApi(build, config);
  for (const path of ["advanced", "advanced.csv"]) {
    const answer = await fetch(`http://127.0.0.1:${port}/pages/${path}`);
    await answer.text();
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, expect.any(String)]);
  }
  program.kill("SIGTERM");
  expect(await program.ended).toBe(0);
  const lines = program.readOutput().split("\n").filter(Boolean);
  expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "@jest/globals";
import { within } from "../../../api/shared/runtime/deadlines.ts";
import { buildRegister } from "../../support/faults/build.ts";

const MEGABYTE = 1_000_000;
const WRITTEN_MEGABYTES = 120;
const STARTED_MS = 60_000;
const ENDED_MS = 2_000;
// More than the 200 ms after which the last lines are written.
const WRITTEN_MS = 500;

let build = "";
beforeAll(() => {
  build = buildRegister();
}, 60_000);

/** Starts a script that can use `createLogger` and `onStopSignal`. Its standard output, the log, goes to `log`. */
function startScript(script: string, log: number | "pipe") {
  const folder = `${build}/api/shared/runtime`;
  const imports = `import { createLogger } from "${folder}/logger.js";
    import { onStopSignal } from "${folder}/process.js";`;
  const args = ["--expose-gc", "--input-type=module", "--eval", imports + script];
  const child = spawn(process.execPath, args, { stdio: ["ignore", log, "pipe"] });
  const printed = once(child.stderr!, "data").then(String);
  return { child, printed };
}

// Its log is a pipe that nobody reads.
const SCRIPT = `
  const log = createLogger("info", "api");
  const line = "x".repeat(10_000);
  for (let count = 0; count < ${WRITTEN_MEGABYTES} * 100; count += 1) {
    log.info(line);
    if (count % 100 === 0) await new Promise(setImmediate);
  }
  gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(String(heapUsed + external));
`;

it("unread log lines are kept only up to a limit, so that the memory does not fill up", async () => {
  const { child, printed } = startScript(SCRIPT, "pipe");
  const bytes = Number(await printed);
  child.kill("SIGKILL");
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan((WRITTEN_MEGABYTES / 2) * MEGABYTE);
});

const SERVER = (component: string) => `
  import { createServer } from "node:http";
  const log = createLogger("info", "${component}");
  const server = createServer((request, response) => {
    log.info("request");
    response.end("answered");
  }).listen(0, "127.0.0.1", () => process.stderr.write(String(server.address().port)));
  onStopSignal(log, () => new Promise((resolve) => setTimeout(resolve, 10)));
`;

/** Starts a server whose log is on a full disk. */
async function startServer(component: string) {
  const full = openSync("/dev/full", "w");
  const { child, printed } = startScript(SERVER(component), full);
  closeSync(full);
  const ended = once(child, "exit");
  const port = await printed;
  const ask = async () => {
    const signal = AbortSignal.timeout(ENDED_MS);
    return (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" }, signal })).text();
  };
  const stop = () => {
    child.kill("SIGTERM");
    return within(ENDED_MS, ended).finally(() => child.kill("SIGKILL"));
  };
  return { ask, stop };
}

it.each(["api", "worker"])(
  "the %s still answers, and can end, while its log is on a full disk",
  async (component) => {
    const { ask, stop } = await startServer(component);
    try {
      expect([await ask(), await ask()]).toEqual(["answered", "answered"]);
      await sleep(WRITTEN_MS);
      expect(await ask()).toBe("answered");
    } finally {
      expect(await stop()).toEqual([0, null]);
    }
  },
);

it("an API that finds the disk full only when it is stopped ends", async () => {
  const { stop } = await startServer("api");
  expect(await stop()).toEqual([0, null]);
});

it("a line of a worker is written at once, although the worker is busy from then on", async () => {
  const { child } = startScript('createLogger("info", "worker").info("last line"); while (true);', "pipe");
  const line = within(STARTED_MS, once(child.stdout!, "data")).finally(() => child.kill("SIGKILL"));
  expect(String(await line)).toContain("last line");
});

// It logs to standard output, as the threads of a worker do.
const THREAD = `
  import(FOLDER + "/logger.js").then(({ createLogger }) => {
    const log = createLogger("info", "worker");
    log.info("first line");
    log.info("last line");
    throw new Error("fault");
  });
`;

it("a thread that dies by an error has written all its lines", async () => {
  const thread = THREAD.replace("FOLDER", JSON.stringify(`${build}/api/shared/runtime`));
  const starter = `
    import { Worker } from "node:worker_threads";
    const thread = new Worker(${JSON.stringify(thread)}, { eval: true });
    thread.on("error", ({ message }) => process.stderr.write(message));
  `;
  const { child, printed } = startScript(starter, "pipe");
  const lines = text(child.stdout!);
  expect(await printed).toBe("fault");
  expect(await lines).toMatch(/first line[^]*last line/);
});

/** The commands that start engines: the one for developers, which keeps them running, and the benchmarks. */
import { expect, it } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { makeOwnFolder } from "../../support/own-folder.ts";

const cache = makeOwnFolder();

const ADDRESSES = {
  ELASTICSEARCH_URL: "http://127.0.0.1:1",
  MONGODB_URL: "mongodb://127.0.0.1:2/",
  REDIS_URL: "redis://127.0.0.1:3",
};

it("the command runs until it is stopped, even if it had no engine to start", async () => {
  const command = spawn(process.execPath, ["scripts/bootstrap.mjs", "engines"], {
    env: { PATH: process.env.PATH, COMPANY_REGISTER_CACHE: cache, ...ADDRESSES },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(command, "exit");
  const [printed] = (await once(command.stdout, "data")) as [Buffer];
  expect(printed.toString()).toContain("ELASTICSEARCH_URL=http://127.0.0.1:1");
  expect(await Promise.race([ended, sleep(300, "running")])).toBe("running");
  command.kill("SIGTERM");
  await ended;
});

it("a benchmark that does not exist is refused before any engine starts", () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["scripts/bootstrap.mjs", "bench", "nothing"],
    {
      env: { PATH: process.env.PATH, COMPANY_REGISTER_CACHE: cache, ...ADDRESSES },
      encoding: "utf8",
    },
  );
  expect(status).toBe(1);
  expect(stdout + stderr).toContain(
    'Failed: There is no benchmark "nothing"; npm run bench -- --help lists them.',
  );
});

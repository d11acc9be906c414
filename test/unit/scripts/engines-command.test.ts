/** The command for developers that starts the engines and keeps them running. */
import { expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
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

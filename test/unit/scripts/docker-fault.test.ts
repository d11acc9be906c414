/** Messages about a Docker that cannot run the engines, and how Docker runs them. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

const PROGRAM = `
  Object.defineProperty(process, "platform", { value: "darwin" });
  const { startEngines } = await import("./scripts/engines/index.mjs");
  await startEngines({}, process.env.KEPT_IN).catch(({ message }) => console.error(message));`;

/** Starts the engines on a Mac where `docker` is this script; returns the messages. */
function startWith(docker: string, keptIn?: string): string {
  writeFileSync(join(folder, "docker"), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  const env = { PATH: folder, COMPANY_REGISTER_CACHE: folder, ...(keptIn && { KEPT_IN: keptIn }) };
  const args = ["--input-type=module", "-e", PROGRAM];
  return spawnSync(process.execPath, args, { encoding: "utf8", env }).stderr;
}

it.each([
  ["exit 1", "no Docker engine answers"],
  [
    '[ "$1" = info ]',
    'Docker runs, but "docker compose config" fails here: it needs Compose 2.24 or newer and a valid .env',
  ],
])("says that it is %s, and what to do", (docker, fault) => {
  expect(startWith(docker)).toBe(
    `Engines: all from package registries (${fault}).\n` +
      `The engines run on Linux (x64 or arm64) only, or in Docker (${fault}): ` +
      "start or repair Docker, or set ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL.\n",
  );
});

it("data of engines from packages stays in use, even if Docker runs now", () => {
  expect(startWith("exit 0", "packages")).toBe(
    "Engines: all from package registries (their data is from there).\n" +
      "These engines run on Linux (x64 or arm64) only.\n",
  );
});

it("engines in Docker end with their run, and accept indices on a nearly full disk", () => {
  const seen = join(folder, "seen");
  const docker = `case "$*" in *" up "*) echo "$ENGINES_RESTART $ELASTICSEARCH_DISK_THRESHOLD" > ${seen};; esac`;
  writeFileSync(join(folder, "docker"), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  const program = `
    const { startInDocker } = await import("./scripts/engines/docker.mjs");
    await startInDocker(["ELASTICSEARCH_URL"], { state: { command: "test" }, update() {} });
    process.exit();`;
  spawnSync(process.execPath, ["--input-type=module", "-e", program], { env: { PATH: folder } });
  expect(readFileSync(seen, "utf8")).toBe("no false\n");
});

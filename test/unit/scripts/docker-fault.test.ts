/** Messages about a Docker that cannot run the engines, and how Docker runs them. */
import { expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const folder = makeOwnFolder();

/** Makes this shell script the command `docker` in the folder, which is the PATH of the programs below. */
function installDocker(script: string): void {
  writeFileSync(join(folder, "docker"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const PROGRAM = `
  Object.defineProperty(process, "platform", { value: "darwin" });
  const { startEngines } = await import("./scripts/engines/index.mjs");
  await startEngines({}, process.env.KEPT_IN).catch(({ message }) => console.error(message));`;

/** Starts the engines on a Mac with this `docker`; returns the messages. */
function startWith(docker: string, keptIn?: string): string {
  installDocker(docker);
  const env = { PATH: folder, COMPANY_REGISTER_CACHE: folder, ...(keptIn && { KEPT_IN: keptIn }) };
  return runModule(PROGRAM, { env }).stderr;
}

it.each([
  ["no Docker engine answers", "exit 1"],
  [
    'Docker runs, but "docker compose config" fails here: it needs Compose 2.24 or newer and a valid .env',
    '[ "$1" = info ]',
  ],
])("the message says what to do if %s", (fault, docker) => {
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

it("engines in Docker are not restarted after their run, and accept indices on a nearly full disk", () => {
  const variables = join(folder, "variables");
  installDocker(
    `case "$*" in *" up "*) echo "$ENGINES_RESTART $ELASTICSEARCH_DISK_THRESHOLD" > ${variables};; esac`,
  );
  const program = `
    const { startInDocker } = await import("./scripts/engines/docker.mjs");
    await startInDocker(["ELASTICSEARCH_URL"], { state: { command: "test" }, update() {} });
    process.exit();`;
  runModule(program, { env: { PATH: folder } });
  expect(readFileSync(variables, "utf8")).toBe("no false\n");
});

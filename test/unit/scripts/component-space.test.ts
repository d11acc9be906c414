/** The room that components need while they are installed. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

// Each takes more than half of what is free.
const PROGRAM = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  fs.statfsSync = () => ({ bavail: 100, bsize: 1e6 });
  syncBuiltinESMExports();
  const { ensureComponent } = await import("./scripts/engines/components.mjs");
  const make = async (staging) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return staging;
  };
  const install = (name) => ensureComponent({ name, neededBytes: 60e6, make });
  const [one, other] = await Promise.allSettled([install("one"), install("other")]);
  console.log(one.status, other.status, [one, other].find(({ reason }) => reason).reason.message);
  await install("third");`;

it("is added up for those that are installed at once", () => {
  const env = { ...process.env, COMPANY_REGISTER_CACHE: folder };
  const args = ["--input-type=module", "-e", PROGRAM];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  expect(stdout).toMatch(
    /(fulfilled rejected|rejected fulfilled) Installing \w+ takes 120 MB with what is installed beside it/,
  );
  expect(status).toBe(0);
});

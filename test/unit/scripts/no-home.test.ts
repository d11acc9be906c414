/** The message of the bootstrap if there is no folder for its cache. */
import { expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.ts";

// A user that the system does not know, so that only HOME can name a home folder.
const PROGRAM = `
  import os from "node:os";
  import { syncBuiltinESMExports } from "node:module";
  const { homedir } = os;
  os.homedir = () => {
    if (process.env.HOME !== undefined) return homedir();
    throw Object.assign(new Error("no such user"), { code: "ERR_SYSTEM_ERROR" });
  };
  syncBuiltinESMExports();
  process.getuid = () => 12345;
  const { cacheFolder } = await import("./scripts/bootstrap/run-folder.mjs");
  try { cacheFolder(); } catch ({ message }) { console.log(message); }`;

it.each([
  ["no HOME", {}],
  ["an empty HOME", { HOME: "" }],
])("with %s the bootstrap says which setting names its folder", (_title, env) => {
  const { stdout, stderr } = runModule(PROGRAM, { env: { PATH: process.env.PATH, ...env } });
  expect(stdout + stderr).toBe(
    "This user has no home folder: set COMPANY_REGISTER_CACHE to a folder that you can write to.\n",
  );
});

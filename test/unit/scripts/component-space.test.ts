/** The room that components need while they are installed. */
import { expect, it } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

it.each([
  [100, /^fulfilled/],
  [
    101,
    /^rejected Installing of-101 takes 101 MB for a while, and .* has room for only 100 MB: free some space/,
  ],
])("of %d MB must be there before one is installed", (neededMegabytes, outcome) => {
  const program = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.statfsSync = () => ({ bavail: 100, bsize: 1e6 });
    syncBuiltinESMExports();
    const { ensureComponent } = await import("./scripts/engines/components.mjs");
    const wanted = { name: "of-${neededMegabytes}", neededBytes: ${neededMegabytes}e6, make: (staging) => staging };
    const [{ status, reason }] = await Promise.allSettled([ensureComponent(wanted)]);
    console.log(status, reason?.message);`;
  const env = { ...process.env, COMPANY_REGISTER_CACHE: folder };
  const args = ["--input-type=module", "-e", program];
  expect(spawnSync(process.execPath, args, { encoding: "utf8", env }).stdout).toMatch(outcome);
});

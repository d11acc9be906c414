/** The disk space that components need while they are installed. */
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { runModule } from "../../support/run-module.ts";

const folder = makeOwnFolder();

const HEAD = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let bavail = 100;
  fs.statfsSync = () => ({ bavail, bsize: 1e6 });
  syncBuiltinESMExports();
  const { ensureComponent } = await import("./scripts/engines/components.mjs");
  const pause = () => new Promise((resolve) => setTimeout(resolve, 500));`;

function runProgram(body: string) {
  const env = { ...process.env, COMPANY_REGISTER_CACHE: folder };
  return runModule(HEAD + body, { env });
}

it("two components that together need more than is free are not installed at once", () => {
  // Each takes more than half of what is free.
  const { stdout, status } = runProgram(`
    const make = (staging) => pause().then(() => staging);
    const install = (name) => ensureComponent({ name, neededBytes: 60e6, make });
    const [one, other] = await Promise.allSettled([install("one"), install("other")]);
    console.log(one.status, other.status, [one, other].find(({ reason }) => reason).reason.message);
    await install("third");`);
  expect(stdout).toMatch(
    /(fulfilled rejected|rejected fulfilled) Installing \w+ with what is installed beside it takes 120 MB/,
  );
  expect(status).toBe(0);
});

it.each([
  ["a component is installed if it fits beside all that the one before it will use", 40, /^fulfilled/],
  [
    "a component that needs more than is still free is refused",
    60,
    /^rejected Installing later-60 takes 60 MB for a while, .* only 50 MB/,
  ],
])("%s", (_title, neededMegabytes, outcome) => {
  const { stdout } = runProgram(`
    let first;
    const isUsed = new Promise((resolve) => {
      const make = async (staging) => {
        bavail -= 50;
        resolve();
        await pause();
        return staging;
      };
      first = ensureComponent({ name: "first-${neededMegabytes}", neededBytes: 60e6, make });
    });
    await isUsed;
    const make = (staging) => staging;
    const later = ensureComponent({ name: "later-${neededMegabytes}", neededBytes: ${neededMegabytes}e6, make });
    const [{ status, reason }] = await Promise.allSettled([later, first]);
    console.log(status, reason?.message);`);
  expect(stdout).toMatch(outcome);
});

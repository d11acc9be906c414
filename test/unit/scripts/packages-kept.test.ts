/** `npm run cli` in a checkout with only the packages that run the register. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { makeOwnFolder } from "../../support/own-folder.ts";

const root = makeOwnFolder();

const koa = { version: "3.3.0", integrity: "sha512-koa" };
const jest = { version: "30.0.0", integrity: "sha512-jest", dev: true };

/** A checkout with these packages. Its cli was not compiled but written by hand, and prints a line. */
function makeCheckout(installed: object): string {
  const folder = mkdtempSync(join(root, "checkout-"));
  cpSync("scripts/bootstrap", join(folder, "scripts/bootstrap"), { recursive: true });
  for (const file of ["bootstrap.mjs", "build.mjs"])
    cpSync(join("scripts", file), join(folder, "scripts", file));
  for (const name of ["api/shared/html/assets", "api/pages/assets", "api/http/docs/assets"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["ingest", "index-mappings", "node_modules/.bin", "node_modules/koa", "dist/scripts"])
    mkdirSync(join(folder, name), { recursive: true });
  const write = (file: string, content: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(content), { mode: 0o755 });
  const needs = { dependencies: { koa: koa.version }, devDependencies: { jest: jest.version } };
  const scripts = { build: "node scripts/build.mjs" };
  write("package.json", { name: "register", version: "0.1.0", type: "module", scripts, ...needs });
  const wanted = {
    "": { name: "register", version: "0.1.0", ...needs },
    "node_modules/koa": koa,
    "node_modules/jest": jest,
  };
  write("package-lock.json", { lockfileVersion: 3, packages: wanted });
  write("node_modules/.package-lock.json", { packages: installed });
  writeFileSync(join(folder, "dist/scripts/cli.js"), 'console.log("it ran");');
  writeFileSync(join(folder, "node_modules/.bin/tsc"), "#!/bin/sh\n", { mode: 0o755 });
  run(folder, "npm", ["run", "build"]);
  return folder;
}

function run(folder: string, command: string, args: string[], more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    ...{ COMPANY_REGISTER_CACHE: join(folder, "cache"), npm_config_cache: join(folder, "npm") },
    // Nothing answers there.
    npm_config_registry: "http://127.0.0.1:9/",
    ...{ npm_config_fetch_retries: "0", NO_COLOR: "1" },
    ...more,
  };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

const runCli = (folder: string) => run(folder, process.execPath, ["scripts/bootstrap.mjs", "cli", "--help"]);
const hasPackages = (folder: string) => existsSync(join(folder, "node_modules/koa"));

it("a command runs without the packages that build it", () => {
  const folder = makeCheckout({ "node_modules/koa": koa });
  expect(runCli(folder)).toEqual({ status: 0, output: "it ran\n" });
  expect(hasPackages(folder)).toBe(true);
});

it.each([
  ["sources", "ingest/new.ts"],
  ["compiler settings", "tsconfig.json"],
])("if the %s have changed, cli says what to do and leaves the packages alone", (_title, file) => {
  const folder = makeCheckout({ "node_modules/koa": koa });
  writeFileSync(join(folder, file), "");
  const { status, output } = runCli(folder);
  expect(status).toBe(1);
  expect(output).toMatch(
    /^\nFailed: dist\/ or node_modules is not that of this release.*npm ci --include=dev/,
  );
  expect(hasPackages(folder)).toBe(true);
});

it("a build without the compiler says so, and leaves the former build usable", () => {
  const folder = makeCheckout({ "node_modules/koa": koa });
  const { status, output } = run(folder, process.execPath, ["scripts/build.mjs"], { PATH: folder });
  expect(status).toBe(1);
  expect(output).toContain('run "npm ci --include=dev" first');
  expect(runCli(folder)).toEqual({ status: 0, output: "it ran\n" });
});

it("if the lock file asks for another version of a package, cli says what to do and leaves the packages alone", () => {
  const folder = makeCheckout({ "node_modules/koa": { ...koa, version: "3.2.0" } });
  expect(runCli(folder).output).toContain("npm ci --include=dev");
  expect(hasPackages(folder)).toBe(true);
});

it("if packages for building are installed, cli installs what the lock file asks for", () => {
  const folder = makeCheckout({
    "node_modules/koa": { ...koa, version: "3.2.0" },
    "node_modules/jest": jest,
  });
  expect(runCli(folder).output).toContain("✗ npm packages");
});

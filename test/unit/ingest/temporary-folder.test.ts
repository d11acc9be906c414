/** Temporary folders: one that cannot be had, and those that killed processes left. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runInThisContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { spoolStandardInput } from "../../../ingest/commands/load.ts";
import { IdDifference } from "../../../ingest/load/id-difference.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();
// The process of this test has a copy, whose TMPDIR nobody reads.
const { env } = runInThisContext("process") as NodeJS.Process;
const usual = env.TMPDIR;
beforeEach(() => {
  env.TMPDIR = folder;
});
afterEach(() => {
  if (usual === undefined) delete env.TMPDIR;
  else env.TMPDIR = usual;
});

it("a missing folder is said in one sentence that names it", async () => {
  const missing = join(folder, "missing");
  env.TMPDIR = missing;
  const sentence = `the temporary folder ${missing} (TMPDIR) has no room or cannot be written: `;
  expect(() => new IdDifference()).toThrow(CommandError);
  expect(() => new IdDifference()).toThrow(sentence);
  await expect(spoolStandardInput(["-"], Readable.from(["a"]))).rejects.toThrow(sentence);
});

it("a folder that goes while it is used is said in the same way", () => {
  const ids = new IdDifference();
  for (const one of ids.folders) spawnSync("rm", ["-r", one]);
  ids.hold({ collection: "companies", id: "1" });
  expect(() => ids.hold({ collection: "companies", id: "x".repeat(2_000) })).toThrow(CommandError);
});

it("folders of processes that have died go when one is made; all others stay", async () => {
  const { pid: dead } = spawnSync("true");
  const nameOf = (pid: number, host = hostname()) => join(folder, `company-register-${host}-${pid}-abc`);
  const left = [nameOf(dead), nameOf(process.pid)];
  const kept = [nameOf(process.ppid), nameOf(dead, "elsewhere"), join(folder, "company-register-test-1-a")];
  for (const one of [...left, ...kept]) mkdirSync(one);
  const ids = new IdDifference();
  expect(left.filter((one) => existsSync(one))).toEqual([]);
  expect(kept.filter((one) => existsSync(one))).toEqual(kept);
  expect(ids.folders.filter((one) => existsSync(one))).toHaveLength(2);
  await ids.remove();
  expect(readdirSync(folder)).toHaveLength(kept.length);
});

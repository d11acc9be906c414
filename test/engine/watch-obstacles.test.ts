/** A watch whose files or folders it cannot or must not use: unreadable ones, symbolic links, a report in the way. */
import { expect, it } from "@jest/globals";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { forAllTests } from "../support/for-all-tests.ts";
import { PARTS, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { drop, listInbox, listPutAway, once, UPDATE } from "../support/watched-folder.ts";

const root = makeOwnFolder();
const register = forAllTests(openRegister);
const newInbox = () => mkdtempSync(join(root, "inbox-"));

const NOBODY_UID = 65_534;
/** Runs the work as another user if the test runs as root, who may read and write everything. */
async function withoutRoot<T>(inbox: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  chmodSync(root, 0o755);
  chownSync(inbox, NOBODY_UID, NOBODY_UID);
  process.seteuid?.(NOBODY_UID);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it("moves an unreadable file to failed, and watches no folder that it cannot write to", async () => {
  const inbox = newInbox();
  drop(inbox, UPDATE, "locked.dat");
  chmodSync(join(inbox, "locked.dat"), 0);
  expect(await withoutRoot(inbox, () => once(register, inbox))).toMatchObject({ exitCode: 1 });
  expect(listPutAway(inbox, "failed")).toMatchObject([{ state: "failed", files: ["locked.dat"] }]);
  const closed = newInbox();
  chmodSync(closed, 0o555);
  const { error } = await withoutRoot(closed, () => once(register, closed));
  expect(error?.message).toMatch(/cannot be watched: .*EACCES/);
});

it("writes to no file behind a link in a folder that others made", async () => {
  const inbox = newInbox();
  const victim = writeFile(root, "victim.conf", "as it was");
  mkdirSync(join(inbox, ".next"));
  symlinkSync(victim, join(inbox, ".next", "report.json"));
  writeFileSync(join(inbox, "a.txt"), "of no known format\n");
  expect((await once(register, inbox)).exitCode).toBe(1);
  expect(readFileSync(victim, "utf8")).toBe("as it was");
  expect(listPutAway(inbox, "failed")).toMatchObject([{ state: "failed", files: ["a.txt"] }]);
});

it.each([".next", "failed"])("moves no file through a link that replaces %s during a load", async (own) => {
  const inbox = newInbox();
  const elsewhere = mkdtempSync(join(root, "elsewhere-"));
  writeFileSync(join(inbox, "a.txt"), "of no known format\n");
  const isStopping = () => {
    if (existsSync(join(inbox, ".next")) && !existsSync(join(inbox, "gone"))) {
      renameSync(join(inbox, own), join(inbox, "gone"));
      symlinkSync(elsewhere, join(inbox, own));
    }
    return false;
  };
  const { error } = await once(register, inbox, {}, isStopping);
  expect(error?.message).toMatch(/failed\/\S+ is behind a symbolic link; remove it$/);
  expect(listInbox(inbox)).toEqual(["a.txt"]);
  expect(
    readdirSync(elsewhere, { recursive: true }).filter((name) => String(name).includes("a.txt")),
  ).toEqual([]);
});

it("does not begin if loaded files would move through a link", async () => {
  const inbox = newInbox();
  symlinkSync(root, join(inbox, "done"));
  drop(inbox, UPDATE);
  const { error } = await once(register, inbox);
  expect(error?.message).toMatch(/done is a symbolic link, and files would go wherever it leads; remove it$/);
  expect(listInbox(inbox)).toEqual([basename(UPDATE)]);
});

it("neither reads nor moves the target of a link in the folder", async () => {
  const inbox = newInbox();
  writeFileSync(join(root, "secret"), "mongodb://user:password@host");
  symlinkSync(join(root, "secret"), join(inbox, "a.csv"));
  const { exitCode } = await once(register, inbox);
  expect([exitCode, listPutAway(inbox, "failed")]).toEqual([0, []]);
  expect(readdirSync(inbox)).toContain("a.csv");
});

it("puts files away even if their report cannot be written, as on a full disk", async () => {
  const inbox = newInbox();
  const [part = ""] = PARTS;
  drop(inbox, part, "companies 1.csv");
  // A watch makes this folder before a load; the folder put in it takes the report's name.
  const isStopping = () => {
    if (existsSync(join(inbox, ".next"))) mkdirSync(join(inbox, ".next", "report.json"), { recursive: true });
    return false;
  };
  const { exitCode, messages } = await once(register, inbox, {}, isStopping);
  expect(exitCode).toBe(0);
  expect(messages.join("\n")).toMatch(/no report of load \S+: .*EEXIST.*; loads show \S+ says how it ended/);
  expect(listInbox(inbox)).toEqual([]);
  const [load = ""] = readdirSync(join(inbox, "done"));
  expect(readdirSync(join(inbox, "done", load))).toContain("companies 1.csv");
});

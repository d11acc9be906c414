/**
 * What is shown of unfinished and failed loads and of loads that do not exist, and which command is advised after a
 * load that ended badly: the one that works, or none.
 */
import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { noCounts } from "../../ingest/history/counts.ts";
import {
  fetchLatestLoads,
  loadLock,
  newLoadId,
  writeLoad,
  type LoadRecord,
} from "../../ingest/history/loads.ts";
import { BatchChange } from "../../ingest/log/batch-change.ts";
import { fetchAdvice } from "../support/load-advice.ts";
import { COMPANIES, load, loadInPart, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("a load that has not succeeded", () => {
  it.each([
    ["running", true, /^read {6}30 rows in \d\d s \([123] rows\/s\)$/],
    ["running", false, /^read {6}30 rows$/],
    ["failed", false, /^read {6}30 rows in 6\.0 s \(5 rows\/s\)$/],
  ] as const)("shows the counts of its batches so far: %s, alive %s", async (state, isAlive, read) => {
    const register = await newRegister({}, false);
    const { documents } = register.stores.mongo;
    const begun = Date.now() - 10_000;
    const record: LoadRecord = {
      ...{ _id: newLoadId(new Date(begun), 0.5), state, files: ["a.csv"], counts: noCounts() },
      started_at: new Date(begun).toISOString(),
      ...(state === "failed" && { finished_at: new Date(begun + 6_000).toISOString() }),
      plan: { encoding: "utf-8", limits: { rows: 10, bytes: 1000 }, revision: 1, isComplete: false },
    };
    await writeLoad(documents, record);
    const other = newLoadId(new Date(begun), 0.6);
    for (const [load, revision] of [
      [record._id, 1],
      [record._id, 3],
      [record._id, 11],
      [other, 5],
    ] as const) {
      const counts = { ...noCounts(), read: 10, written: 7, refused: 3, warnings: { odd: 1 } };
      const batch = { load, job: `${load}-${revision}`, ids: {}, revision };
      await BatchChange.make(register.stores, batch, () => Promise.resolve({ counts }));
    }
    const lock = isAlive ? await register.stores.redis.locks.acquire(loadLock(record._id)) : null;
    const [listed] = (await register.run(loadsCommands.list, [], {})).printed;
    const { printed } = await register.run(loadsCommands.show, [record._id], {});
    const [json = ""] = (await register.run(loadsCommands.show, [record._id], { json: "true" })).printed;
    await lock?.release();
    expect(listed).toMatch(/ 30 rows, 9 refused {2}a\.csv$/);
    expect(printed).toContainEqual(expect.stringMatching(read));
    expect(printed).toEqual(expect.arrayContaining(["written   21", "refused   9", "warning   3 × odd"]));
    expect(JSON.parse(json)).toMatchObject({ counts: { read: 30, written: 21, refused: 9 } });
  });
});

describe("a load that was stopped", () => {
  const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "2", WORKER_CONCURRENCY: "1" };

  it("must be loaded anew if its files have changed, until the former files are back", async () => {
    const register = await newRegister(SETTINGS);
    const path = writeEdition(folder, "mine.csv", () => true);
    const former = readFileSync(path, "utf8");
    const { run, id } = await loadInPart(register, [path]);
    expect((await fetchAdvice(register, run)).commands).toEqual([`load --resume ${id}`]);
    const changes = {
      "one row less": former.replace(/\r\n[^\r]*/, ""),
      "one row corrected": former.replace(/\r\n"[^"]*"/, '\r\n"CORRECTED LIMITED"'),
    };
    for (const [change, text] of Object.entries(changes)) {
      writeFile(folder, "mine.csv", text);
      const resumed = await load(register, [], { resume: id });
      const reason = resumed.error?.message;
      expect([change, reason]).toEqual([change, expect.stringMatching(/files have changed since the load/)]);
      const { commands, hint } = await fetchAdvice(register, resumed);
      expect(commands).toEqual([]);
      expect(hint).toMatch(/load its files again/);
    }
    writeFile(folder, "mine.csv", former);
    expect(await load(register, [], { resume: id })).toMatchObject({ exitCode: 0 });
  });

  it("must be loaded anew if it began under another release", async () => {
    const register = await newRegister(SETTINGS);
    const { documents } = register.stores.mongo;
    const { id } = await loadInPart(register, [writeEdition(folder, "older.csv", () => true)]);
    const [{ plan } = { plan: {} }] = await fetchLatestLoads(documents, 1);
    await documents.amend("loads", [{ _id: id, plan: { ...plan, cut: 1 } }]);
    const run = await load(register, [], { resume: id });
    expect(run.error?.message).toMatch(/began under another release: load its files without --resume/);
    const { commands, hint } = await fetchAdvice(register, run);
    expect(commands).toEqual([]);
    const advice = "it began under another release: load its files again, without --resume";
    expect(hint).toBe(advice);
    expect((await register.run(loadsCommands.show, [id])).messages).toEqual([advice]);
  });

  it("is resumed with --force if it began with --force", async () => {
    const register = await newRegister(SETTINGS);
    const path = writeEdition(folder, "undated.csv", () => true);
    const { run, id } = await loadInPart(register, [path], { complete: "true", force: "true" });
    const forced = [`load --resume ${id} --force`];
    expect((await fetchAdvice(register, run)).commands).toEqual(forced);
    const without = await load(register, [], { resume: id });
    expect(without.error?.message).toMatch(/the name of \S+ has no day/);
    expect((await fetchAdvice(register, without)).commands).toEqual(forced);
    expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
  });
});

it("an unknown load is reported as such", async () => {
  const register = await newRegister({}, false);
  const words = /there is no load x/;
  expect((await load(register, [], { resume: "x" })).error?.message).toMatch(words);
  expect((await register.run(loadsCommands.show, ["x"], {})).error?.message).toMatch(words);
});

it("a load without files is refused, and --resume beside files or other options", async () => {
  const register = await newRegister({}, false);
  const kept = /^--resume keeps --as, --as-of, --encoding, --complete and --unchecked/;
  const refused: [string[], Record<string, string>, RegExp][] = [
    [[], {}, /name the files/],
    [[COMPANIES], { resume: "x" }, /name none/],
    [[], { resume: "x", dryRun: "true" }, /--dry-run looks at files, and --resume takes none/],
    [[], { resume: "x", complete: "true" }, kept],
    [[], { resume: "x", unchecked: "true" }, kept],
    [[], { resume: "x", as: "psc-snapshot" }, kept],
    [[], { resume: "x", encoding: "latin1" }, kept],
  ];
  for (const [files, options, words] of refused) {
    const reason = (await load(register, files, options)).error?.message;
    expect([options, reason]).toEqual([options, expect.stringMatching(words)]);
  }
});

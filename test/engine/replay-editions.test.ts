/** Replays beside whole editions on the real engines: what a replay lets finish, and what it may not bring back. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { CommandError } from "../../api/core/errors.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { deadLettersDiscardCommand } from "../../ingest/commands/dead-letters-discard.ts";
import { deadLettersReplayCommand } from "../../ingest/commands/dead-letters-replay.ts";
import { fetchDeadLetters } from "../../ingest/dead-letters.ts";
import { fetchLatestLoads } from "../../ingest/loads.ts";
import { countCompanies, load, PSC, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

// Rows whose names hold a letter that is no UTF-8: refused, until a replay is told the encoding.
const REFUSED_ROWS = [3, 41, 102];
const MARK = '"É ';
const NEXT = "BasicCompanyData-2026-12-01.csv";

let good = "";
let numbers: string[] = [];
beforeAll(() => {
  good = writeGood("good.csv", () => true);
  const marked = readLines(good).filter((row) => row.includes(MARK));
  numbers = marked.map((row) => /"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "");
});

/** An edition in which those names begin with the letter, as UTF-8. */
function writeGood(name: string, keep: (index: number) => boolean): string {
  const rows = readLines(writeEdition(folder, name, () => true)).map((row, line) =>
    REFUSED_ROWS.includes(line - 1) ? row.replace('"', MARK) : row,
  );
  return writeFile(
    folder,
    name,
    [...rows.filter((_row, line) => line === 0 || keep(line - 1)), ""].join("\r\n"),
  );
}

/** The same, but for those rows, which are Latin-1. */
function writeBad(name: string, keep: (index: number) => boolean): string {
  const rows = readLines(writeGood(name, keep));
  const bytes = rows.map((row) => Buffer.from(`${row}\r\n`, row.includes(MARK) ? "latin1" : "utf8"));
  return writeFile(folder, name, Buffer.concat(bytes));
}

const countRefusedHeld = async ({ stores }: TestRegister) =>
  (await stores.mongo.records.fetchByIds(companyRecord, numbers)).length;

const replay = (register: TestRegister, id: string, options: Record<string, string> = {}) =>
  register.run(deadLettersReplayCommand, [id], { encoding: "latin1", ...options });

const latestLoad = async ({ stores }: TestRegister) =>
  (await fetchLatestLoads(stores.mongo.documents, 1))[0]?._id ?? "";

describe("a whole edition of which rows were refused", () => {
  /** All companies are held; then an edition comes that lacks ten of them and of which three rows are refused. */
  async function loadRefused(): Promise<{ register: TestRegister; id: string }> {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90", BATCH_ROWS: "30" });
    expect(await load(register, [good])).toMatchObject({ exitCode: 0 });
    const next = writeBad(NEXT, (index) => index % 20 !== 0);
    const run = await load(register, [next], { complete: "true" });
    const id = await latestLoad(register);
    expect(run.error?.message).toMatch(/everything but 3 refused rows was loaded, and nothing was removed/);
    expect(run.error?.message).toContain(`dead-letters replay ${id}`);
    expect(run.error?.message).toContain(`load --resume ${id}`);
    return { register, id };
  }

  it("finishes once a replay has had them accepted, and removes none of their records", async () => {
    const { register, id } = await loadRefused();
    expect(await replay(register, id)).toMatchObject({ exitCode: 0 });
    const run = await load(register, [], { resume: id });
    expect(run.error?.message).toBeUndefined();
    expect(run.exitCode).toBe(0);
    expect(run.printed[0]).toMatch(/^read {6}190 rows/);
    expect(run.printed).toContain("retired   10 (held, but no longer in the edition)");
    expect(await countCompanies(register)).toBe(190);
    expect(await countRefusedHeld(register)).toBe(3);
    expect(await register.stores.mongo.documents.list("mended_batches", {}, 1)).toEqual([]);
  });

  it("removes none of those that a replay has had accepted when it is forced", async () => {
    const { register, id } = await loadRefused();
    await replay(register, id);
    expect(await load(register, [], { resume: id, force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(190);
    expect(await countRefusedHeld(register)).toBe(3);
  });

  it("does not finish while one of them is open", async () => {
    const { register, id } = await loadRefused();
    const { documents } = register.stores.mongo;
    const letters = await fetchDeadLetters(documents, id, 10);
    expect(new Set(letters.map(({ revision }) => revision)).size).toBe(3);
    let looks = 0;
    await register.run(deadLettersReplayCommand, [id], { encoding: "latin1" }, () => (looks += 1) > 2);
    expect(await fetchDeadLetters(documents, id, 10)).toHaveLength(1);
    const run = await load(register, [], { resume: id });
    expect(run.error?.message).toMatch(/everything but 1 refused rows was loaded/);
    expect(await countCompanies(register)).toBe(200);
    // The rest, in a replay of its own.
    await replay(register, id);
    expect(await load(register, [], { resume: id })).toMatchObject({ exitCode: 0 });
    expect(await countRefusedHeld(register)).toBe(3);
  });

  it("does not finish because they were discarded: what they hold is still not known", async () => {
    const { register, id } = await loadRefused();
    await register.run(deadLettersDiscardCommand, [id], { yes: "true" });
    const run = await load(register, [], { resume: id });
    expect(run.error?.message).toMatch(/everything but 3 refused rows was loaded/);
    expect(await countCompanies(register)).toBe(200);
  });
});

describe("rows that a later whole edition of their source has left behind", () => {
  const FIRST = "BasicCompanyData-2026-11-01.csv";
  const lacksRefused = (index: number) => !REFUSED_ROWS.includes(index);

  /** All companies are held; then an edition comes of which three rows are refused. */
  async function loadRefused(): Promise<{ register: TestRegister; id: string }> {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "90" });
    expect(await load(register, [good])).toMatchObject({ exitCode: 0 });
    expect(await load(register, [writeBad(FIRST, () => true)])).toMatchObject({ exitCode: 2 });
    return { register, id: await latestLoad(register) };
  }

  it("are not replayed, since what it has removed would come back, unless it is forced", async () => {
    const { register, id } = await loadRefused();
    const next = writeGood(NEXT, lacksRefused);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countRefusedHeld(register)).toBe(0);
    const later = await latestLoad(register);
    for (const options of [{}, { dryRun: "true" }]) {
      const { error } = await replay(register, id, options);
      expect(error).toBeInstanceOf(CommandError);
      expect(error?.message).toBe(
        `the refused rows of ${id} are out of date: a later whole edition of company-csv was loaded (${later}, of ` +
          "2026-12-01), and what it has removed would come back. Let them go: npm run cli -- dead-letters discard " +
          `${id}; or, when they are to be as they were then, lift this with --force`,
      );
    }
    expect(await countRefusedHeld(register)).toBe(0);
    expect(await fetchDeadLetters(register.stores.mongo.documents, id, 10)).toHaveLength(3);
    // Rows of the day before yield to what the edition has removed.
    expect(await replay(register, id, { force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countRefusedHeld(register)).toBe(0);
  });

  it("are out of date when it was loaded before them, or tells no day, too", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const next = writeGood(NEXT, lacksRefused);
    expect(await load(register, [next], { complete: "true" })).toMatchObject({ exitCode: 0 });
    await load(register, [writeBad(FIRST, () => true)], { force: "true" });
    const ofDay = await latestLoad(register);
    expect((await replay(register, ofDay)).error?.message).toMatch(/of 2026-12-01\)/);

    await load(register, [writeBad("undated.csv", () => true)]);
    const undated = await latestLoad(register);
    const undatedNext = writeGood("undated-next.csv", lacksRefused);
    const forced = { complete: "true", force: "true" };
    expect(await load(register, [undatedNext], forced)).toMatchObject({ exitCode: 0 });
    const later = await latestLoad(register);
    expect((await replay(register, undated)).error?.message).toContain(
      `company-csv was loaded (${later}), and`,
    );
  });

  it("are replayed when the later edition was not whole, failed, or is of another source", async () => {
    const { register, id } = await loadRefused();
    const next = writeGood(NEXT, lacksRefused);
    expect(await load(register, [next])).toMatchObject({ exitCode: 0 });
    expect(await load(register, PSC, { complete: "true" })).toMatchObject({ exitCode: 0 });
    const few = writeGood(NEXT, (index) => index === 0);
    expect((await load(register, [few], { complete: "true" })).error?.message).toMatch(/has 1 rows, only/);
    expect(await replay(register, id)).toMatchObject({ exitCode: 0 });
  });

  it("are replayed where an earlier edition was whole", async () => {
    const register = await newRegister();
    const whole = await load(register, [writeGood(FIRST, () => true)], { complete: "true" });
    expect(whole).toMatchObject({ exitCode: 0 });
    await load(register, [writeBad(NEXT, () => true)]);
    expect(await replay(register, await latestLoad(register))).toMatchObject({ exitCode: 0 });
  });
});

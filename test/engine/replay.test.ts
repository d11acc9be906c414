import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { deadLettersReplayCommand } from "../../ingest/commands/dead-letters-replay.ts";
import { deadLettersListCommand } from "../../ingest/commands/dead-letters.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import type { RawRow } from "../../ingest/define-source.ts";
import { writeLoadFile } from "../../ingest/load-files.ts";
import { newLoadId } from "../../ingest/loads.ts";
import { processBatch } from "../../ingest/pipeline.ts";
import type { BatchJob } from "../../ingest/queue.ts";
import { findSource } from "../../ingest/sources/index.ts";
import { formerRelease } from "../support/former-release.ts";
import { keepLoad } from "../support/loads.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const COMPANIES = "companies/edge-cases/no-final-newline-lf.csv";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.close());

/** Loads a file as a former release would have. */
async function loadFormerly(
  file: string,
  name: string,
  refuses: (row: RawRow) => boolean,
  change: (text: string) => string = (text) => text,
): Promise<{ load: string; job: BatchJob }> {
  const source = findSource(name);
  const [header = "", ...texts] = readFileSync(`${SAMPLE}/${file}`, "utf8").split(/\r?\n/);
  const first = { line: 1, text: header };
  const load = newLoadId(new Date(), Math.random());
  const job: BatchJob = {
    ...{ load, file, source: name, context: source.open(first, file), unreadable: [] },
    revision: await register.stores.redis.nextRevision(),
    rows: texts.flatMap((text, at) => (text === "" ? [] : [{ line: at + 2, text: change(text) }])),
  };
  const { documents } = register.stores.mongo;
  await keepLoad(documents, { _id: load, files: [file] });
  await writeLoadFile(documents, { load, file, name: file, source: name, encoding: "utf-8", first });
  await processBatch(register.stores, formerRelease(source, refuses), job, `${load}-1`);
  return { load, job };
}

async function refusedLines(load: string): Promise<{ line: number; reason: string }[]> {
  const { printed } = await register.run(deadLettersListCommand, [load], { json: "true" });
  return printed.map((line) => {
    const letter = JSON.parse(line) as { line: number; reason: string };
    return { line: letter.line, reason: letter.reason };
  });
}

const replay = (load: string, options: Record<string, string> = {}) =>
  register.run(deadLettersReplayCommand, [load], options);

const isEqual = async () => (await register.run(verifyCommand, [])).exitCode === 0;

describe("a replay of companies", () => {
  let load: string;
  let numbers: string[];
  beforeAll(async () => {
    const rename = (text: string) => text.replace(/^"[^"]*"/, '"REPLAYED LIMITED"');
    ({ load } = await loadFormerly(COMPANIES, "company-csv", () => true, rename));
    numbers = readFileSync(`${SAMPLE}/${COMPANIES}`, "utf8")
      .split("\n")
      .slice(1)
      .map((text) => text.split('","')[1] ?? "");
  });
  const held = () => register.stores.mongo.records.fetchByIds(companyRecord, numbers);

  it("says with --dry-run what would become of each row, and writes nothing", async () => {
    const { printed, exitCode } = await replay(load, { dryRun: "true", json: "true" });
    expect(exitCode).toBe(0);
    expect(printed.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(
      numbers.map(() => "accepted"),
    );
    expect(await held()).toEqual([]);
    expect(await refusedLines(load)).toHaveLength(numbers.length);
  });

  it("writes what is accepted now to both stores, and lets it go", async () => {
    expect(await replay(load)).toMatchObject({ exitCode: 0 });
    expect(await held()).toHaveLength(numbers.length);
    expect(await refusedLines(load)).toEqual([]);
    expect(await isEqual()).toBe(true);
  });

  it("does nothing the second time", async () => {
    const before = await held();
    expect(await replay(load)).toMatchObject({ exitCode: 0 });
    expect(await held()).toEqual(before);
  });

  it("does not overwrite what a later load has written", async () => {
    const rename = (text: string) => text.replace(/^"[^"]*"/, '"TOO OLD LIMITED"');
    const old = await loadFormerly(COMPANIES, "company-csv", () => true, rename);
    await register.load(COMPANIES);
    const later = await held();
    expect(await replay(old.load)).toMatchObject({ exitCode: 0 });
    expect(await held()).toEqual(later);
    expect(await refusedLines(old.load)).toEqual([]);
    expect(await isEqual()).toBe(true);
  });

  it("does not overwrite a later row of its own batch", async () => {
    const { job } = await loadFormerly(COMPANIES, "company-csv", () => false);
    const [row] = job.rows;
    const stale = { line: 900, text: (row?.text ?? "").replace(/^"[^"]*"/, '"STALE ROW LIMITED"') };
    const refuseStale = formerRelease(findSource("company-csv"), ({ line }) => line === 900);
    const revision = await register.stores.redis.nextRevision();
    const renamed = { line: 901, text: (row?.text ?? "").replace(/^"[^"]*"/, '"LAST ROW LIMITED"') };
    const batch = { ...job, revision, rows: [stale, renamed] };
    await processBatch(register.stores, refuseStale, batch, `${job.load}-2`);
    expect(await replay(job.load)).toMatchObject({ exitCode: 0 });
    const names = (await held()).map(({ data }) => data.company_name);
    expect(names).toContain("LAST ROW LIMITED");
    expect(names).not.toContain("STALE ROW LIMITED");
  });
});

it("keeps what is refused again, with its new reason", async () => {
  const bad = (text: string) => text.replace(/^"[^"]*","/, '"');
  const { load } = await loadFormerly(COMPANIES, "company-csv", () => true, bad);
  const before = await refusedLines(load);
  const { exitCode, told } = await replay(load);
  expect(exitCode).toBe(2);
  const after = await refusedLines(load);
  expect(after.map(({ line }) => line)).toEqual(before.map(({ line }) => line));
  for (const { reason } of after) expect(reason).toMatch(/fields where the header has/);
  expect(told.join("\n")).toMatch(/refused: .*fields where the header has/);
});

it("reads rows that were no UTF-8 in the encoding that it is told", async () => {
  const run = await register.load("companies/edge-cases/one-invalid-byte.csv");
  const load = /dead-letters list (\S+)/.exec(run.told.join("\n"))?.[1] ?? "";
  expect(await replay(load)).toMatchObject({ exitCode: 2 });
  expect(await refusedLines(load)).toHaveLength(1);
  expect(await replay(load, { encoding: "latin1" })).toMatchObject({ exitCode: 0 });
  expect(await refusedLines(load)).toEqual([]);
});

describe("rows that belong together", () => {
  beforeEach(() => register.stores.elasticsearch.refresh());

  it("are replayed with their group: an officer has the company that its line does not name", async () => {
    const file = "officers/Prod195_4321_ni_1_01112026010001.dat";
    const isOfficer = ({ text }: RawRow) => text.charAt(8) === "2";
    const { load, job } = await loadFormerly(file, "officers-snapshot", isOfficer);
    expect(await replay(load)).toMatchObject({ exitCode: 0 });
    const count = await register.stores.mongo.records.count(appointmentRecord, {});
    expect(count).toBe(job.rows.filter(isOfficer).length);
    const appointments = await register.stores.mongo.records.fetchPage(appointmentRecord, {
      ...{ filter: {}, sort: [["_id", 1]], skip: 0, limit: 100 },
    });
    expect(appointments.filter(({ data }) => !data.company_name)).toEqual([]);
    expect(await isEqual()).toBe(true);
  });

  it("replace the record that was written without them", async () => {
    const file = "disqualified/Prod192_4287.txt";
    let seen = "";
    // The second disqualification of each person.
    const isSecond = ({ text }: RawRow) => {
      const person = text.slice(0, 13);
      const isAgain = text.startsWith("2") && person === seen;
      seen = person;
      return isAgain;
    };
    const refused = new Set<number>();
    const { load } = await loadFormerly(file, "disqualified-officers-snapshot", (row) => {
      if (isSecond(row)) refused.add(row.line);
      return refused.has(row.line);
    });
    expect(refused.size).toBeGreaterThan(0);
    const countAll = async () => {
      const people = await register.stores.mongo.records.fetchPage(disqualifiedOfficerRecord, {
        ...{ filter: {}, sort: [["_id", 1]], skip: 0, limit: 100 },
      });
      return JSON.stringify(people.map(({ data }) => data)).length;
    };
    const before = await countAll();
    expect(await replay(load)).toMatchObject({ exitCode: 0 });
    expect(await countAll()).toBeGreaterThan(before);
    expect(await refusedLines(load)).toEqual([]);
    expect(await isEqual()).toBe(true);

    const whole = await countAll();
    await register.load(file);
    expect(await countAll()).toBe(whole);
  });
});

it("refuses a load that is not there, and one that has not ended", async () => {
  expect((await replay("none")).error?.message).toMatch(/there is no load none/);
  const { documents } = register.stores.mongo;
  await keepLoad(documents, { _id: "running", state: "running" });
  expect((await replay("running")).error?.message).toMatch(/has not ended/);
  expect(await replay("running", { force: "true" })).toMatchObject({ exitCode: 0 });
});

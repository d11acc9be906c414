/** Dry runs of loads: they report what would change, write nothing, and count the same as the load after them. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import { beginLoad, fetchLatestLoads } from "../../ingest/history/loads.ts";
import { runDry } from "../../ingest/load/dry-run.ts";
import type { LoadRun } from "../../ingest/load/open-file.ts";
import { openInput } from "../../ingest/readers/open-input.ts";
import { company, event } from "../support/event-batches.ts";
import { COMPANIES, load, PARTS, readLines, writeFile } from "../support/load-command.ts";
import { aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("a dry run", () => {
  it("reports what would change, and writes nothing", async () => {
    const register = await newRegister({}, false);
    const before = await fetchState(register.stores);
    const run = await load(register, [COMPANIES], { dryRun: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toEqual(
      expect.arrayContaining(["read      200", "created   200", "changed   0", "unchanged 0", "refused   0"]),
    );
    expect(await fetchState(register.stores)).toEqual(before);
    expect(await fetchLatestLoads(register.stores.mongo.documents, 1)).toEqual([]);
  });

  it("compares with stored records, and shows refused rows and how many records would be retired", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    await load(register, [COMPANIES]);
    const before = await fetchState(register.stores);
    const [header = "", ...rows] = readLines(PARTS[0] ?? "");
    const [first = "", second = "", ...others] = rows.slice(0, 10);
    const changed = [first.replace(/"Active"/, '"Liquidation"'), second.replace(/"[A-Z0-9]{8}"/, '"x"')];
    const path = writeFile(folder, "changed.csv", [header, ...changed, ...others, ""].join("\r\n"));
    const options = { dryRun: "true", complete: "true", force: "true", json: "true" };
    const run = await load(register, [path], options);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(JSON.parse(run.printed[0] ?? "")).toMatchObject({
      ...{ read: 10, created: 0, changed: 1, unchanged: 8, refused: 1, retired: 191 },
      refused_rows: [{ line: 3, field: "company_number" }],
    });
    expect(await fetchState(register.stores)).toEqual(before);
  });

  it("stores no correction of a nominee", async () => {
    const register = await newRegister({}, false);
    const correction = { number: "900000010001", company: "", oldType: "  ", newType: "  ", appointed: "" };
    const update = writeUpdate(folder, 4322, [anUpdateLine({ ...correction, surname: "RENAMED" })]);
    const options = { dryRun: "true", force: "true" };
    expect(await load(register, [update], options)).toMatchObject({ exitCode: 0 });
    expect(await register.stores.mongo.documents.fetchAny(PERSONS)).toBeNull();
  });

  it("of several files compares each with what is stored now, and says so", async () => {
    const register = await newRegister({}, false);
    const run = await load(register, [COMPANIES, COMPANIES], { dryRun: "true" });
    expect(run.printed).toEqual(expect.arrayContaining(["created   400", "unchanged 0"]));
    expect(run.printed[0]).toMatch(/compared with what is stored now, not with what earlier batches would/);
  });

  it("of an edition that grows between its two readings fails with that reason", async () => {
    const register = await newRegister({}, false);
    const [header = "", first = "", ...others] = readLines(PARTS[0] ?? "");
    const name = "BasicCompanyDataAsOneFile-2026-11-01.csv";
    const path = writeFile(folder, name, [header, first, ""].join("\r\n"));
    let opened = 0;
    const open: LoadRun["open"] = async () => {
      if ((opened += 1) === 2) appendFileSync(path, [...others, ""].join("\r\n"));
      return openInput(path);
    };
    const context = { config: register.config, tell: () => undefined, isStopping: () => false };
    const watch = () => ({ onProgress: () => undefined, end: () => undefined });
    const record = beginLoad([path], register.config, { encoding: "utf-8", isComplete: true });
    const { stores } = register;
    const run = { context, stores, record, open, watch, isForced: true, isDryRun: true };
    await expect(runDry(run)).rejects.toThrow(
      `${path} changed while it was loaded: 1 row became ${others.length + 1}`,
    );
  });
});

let folders = 0;
/** Makes a folder for one file, so that names may repeat. */
function makeFolder(): string {
  const own = join(folder, String((folders += 1)));
  mkdirSync(own);
  return own;
}
const write = (name: string, text: string) => writeFile(makeFolder(), name, text);

const [header = "", ...companyRows] = [...readLines(PARTS[0] ?? ""), ...readLines(PARTS[1] ?? "").slice(1)];
const csv = (day: string, rows: string[]) =>
  write(`BasicCompanyData-${day}.csv`, [header, ...rows, ""].join("\r\n"));
const numberOf = (row: string) => /"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "";
const ten = companyRows.slice(0, 10);
const [first = ""] = ten;
const nextTen = companyRows.slice(10, 20);
const liquidated = ten.map((row) => row.replaceAll('"Active"', '"Liquidation"'));

type EventFacts = [name: string, timepoint: number, type?: "changed" | "deleted", number?: string];
const stream = (...events: EventFacts[]) =>
  write(
    "companies.ndjson",
    events
      .flatMap(([name, timepoint, type = "changed", number = "77000020"]) => {
        const resource = company(name, number);
        return event(type === "deleted" ? { ...resource, data: {} } : resource, timepoint, "2026-11-02", type)
          .rows;
      })
      .join("\n") + "\n",
  );

const NUMBERS: Record<string, string> = { one: "111111110001", two: "111111120001" };
/** Events of the appointment with this id; the day is part of its record's identity. */
const appointments = (name: string, ...events: [timepoint: number, day: string | null][]) =>
  write(
    "appointments.ndjson",
    events
      .map(([timepoint, day]) => {
        const id = name.padEnd(27, "-");
        const links = { officer: { appointments: `/officers/${"officer".padEnd(27, "-")}/appointments` } };
        const person = {
          name: "GONESUCH, Una",
          officer_role: "director",
          person_number: NUMBERS[name],
          links,
        };
        const uri = `/company/77000020/appointments/${id}`;
        const resource = { resource_kind: "company-officers", resource_uri: uri, resource_id: id };
        const data = day === null ? {} : { ...person, appointed_on: day };
        return event({ ...resource, data }, timepoint, "2026-11-02", day === null ? "deleted" : "changed")
          .rows;
      })
      .join("\n") + "\n",
  );

const officers = (run: number, ...lines: string[]) =>
  write(`Prod195_${run}_ew_1_01112026010001.dat`, aFile(`DDDDSNAP${run}20261101`, lines));
const people = ["100000010001", "100000020001", "100000030001"];
const serving = people.map((number) => aPersonLine({ number }));
const update = (run: number, ...lines: string[]) => writeUpdate(makeFolder(), run, lines);
const removals = people.map((number) => anUpdateLine({ number, newType: "99" }));

const twice: EventFacts[] = [
  ["ONE LIMITED", 100],
  ["TWO LIMITED", 101, "changed", "77000021"],
  ["", 105, "deleted", "77000021"],
];

interface Case {
  what: string;
  /** Earlier loads, each of these files. */
  stored?: string[][];
  files: string[];
  options?: Record<string, string>;
  expected: Record<string, number>;
  fault?: RegExp;
  /** Gives the case its own register; without it the case shares one with others, which use other records. */
  batchRows?: string;
}

const CASES: Case[] = [
  {
    what: "events that come again, one of them of a deleted company",
    stored: [[stream(...twice)]],
    files: [stream(...twice)],
    expected: { created: 0, changed: 0, unchanged: 3, removed: 0 },
  },
  {
    what: "an older deletion",
    stored: [[stream(["THREE LIMITED", 100, "changed", "77000022"])]],
    files: [stream(["", 50, "deleted", "77000022"])],
    expected: { removed: 0, unchanged: 1 },
  },
  {
    what: "a snapshot of a day before the events, with a company that one of them has deleted",
    stored: [
      [
        stream(
          ["", 105, "deleted", numberOf(first)],
          ["NEW LIMITED", 107, "changed", numberOf(ten[1] ?? "")],
        ),
      ],
    ],
    files: [csv("2026-11-01", ten)],
    expected: { created: 8, changed: 0, unchanged: 2 },
  },
  {
    what: "an older snapshot after an update",
    stored: [[officers(4321, ...serving)], [update(4322, ...removals)]],
    files: [officers(4321, ...serving)],
    expected: { created: 0, changed: 0, unchanged: 3 },
  },
  {
    what: "an event of a company of a snapshot",
    stored: [[csv("2026-11-01", nextTen)]],
    files: [stream(["NEW LIMITED", 107, "changed", numberOf(nextTen[0] ?? "")])],
    expected: { created: 0, changed: 1, unchanged: 0 },
  },
  {
    what: "an appointment's event that comes again, and its deletion, which does not give its identity",
    stored: [[appointments("one", [100, "2020-01-01"])]],
    files: [appointments("one", [100, "2020-01-01"]), appointments("one", [101, null])],
    expected: { created: 0, changed: 0, unchanged: 1, removed: 1 },
  },
  {
    what: "an appointment's event that corrects its day, behind an older one",
    stored: [[appointments("two", [100, "2020-01-01"])]],
    files: [appointments("two", [99, "2020-01-01"], [101, "2020-01-02"])],
    expected: { created: 1, changed: 0, unchanged: 1, removed: 0 },
  },
  {
    what: "an update after another one",
    stored: [[update(4323, anUpdateLine({ company: "99000501" }))]],
    files: [update(4324, anUpdateLine({ company: "99000501", newType: "03", resigned: "20261101" }))],
    expected: { created: 0, changed: 1, removed: 0 },
  },
  {
    what: "an edition of which eight of ten companies have changed",
    stored: [[csv("2026-10-01", ten)]],
    files: [csv("2026-11-01", liquidated)],
    batchRows: "5",
    expected: { created: 0, changed: 8, unchanged: 2 },
  },
  {
    what: "a whole edition that lacks one of ten and brings thirty",
    stored: [[csv("2026-10-01", ten)]],
    files: [csv("2026-11-01", companyRows.slice(1, 40))],
    options: { complete: "true" },
    batchRows: "5",
    expected: { created: 30, unchanged: 9, retired: 1 },
  },
  {
    what: "a whole edition that lacks a company of which an event tells on its day",
    stored: [[csv("2026-11-01", ten)], [stream(["SINCE LIMITED", 100])]],
    files: [csv("2026-11-02", ten)],
    options: { complete: "true" },
    batchRows: "5",
    expected: { created: 0, changed: 0, unchanged: 10, retired: 0 },
  },
  {
    what: "an older whole edition that lacks what a later one has",
    stored: [[csv("2026-11-01", ten)]],
    files: [csv("2026-10-01", ten.slice(1))],
    options: { complete: "true", force: "true" },
    batchRows: "5",
    expected: { retired: 0 },
  },
  {
    what: "a whole edition that lacks too many stored records",
    stored: [[csv("2026-10-01", ten)]],
    files: [csv("2026-11-01", [...liquidated.slice(5), ...companyRows.slice(10, 15)])],
    options: { complete: "true" },
    batchRows: "5",
    expected: { created: 5, changed: 3, unchanged: 2 },
    fault: /only 66\.7 % of the 15 records that it should have \(those that .*, its own included\)/,
  },
];

describe("a dry run counts the same as the load after it", () => {
  let shared: TestRegister;
  beforeAll(async () => {
    shared = await openRegister({ settings: { BATCH_ROWS: "1" } });
  });
  afterAll(() => shared.close());

  it.each(CASES)("$what", async ({ stored = [], files, options = {}, expected, fault, batchRows }) => {
    const register = batchRows === undefined ? shared : await newRegister({ BATCH_ROWS: batchRows });
    for (const before of stored) expect(await load(register, before)).toMatchObject({ exitCode: 0 });
    const state = await fetchState(register.stores);
    const dry = await load(register, files, { ...options, dryRun: "true", json: "true" });
    expect(await fetchState(register.stores)).toEqual(state);
    const real = await load(register, files, { ...options, json: "true" });
    const said = JSON.parse(dry.printed[0] ?? "{}") as Record<string, number>;
    const { counts, retired } = JSON.parse(real.printed[0] ?? "{}") as {
      counts: Record<string, number>;
      retired?: number;
    };
    const { created = 0, changed = 0, ...others } = said;
    delete others.refused_rows;
    expect({ retired: undefined, ...others, written: created + changed }).toEqual({ ...counts, retired });
    expect(said).toMatchObject(expected);
    for (const { error } of [dry, real]) {
      if (fault) expect(error?.message).toMatch(fault);
      else expect(error).toBeUndefined();
    }
  });
});

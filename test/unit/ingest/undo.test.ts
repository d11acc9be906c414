/** Random histories: an undone load leaves no trace once the files that the undo names are loaded again. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Members } from "../../../api/shared/values/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import { isTombstone, type RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import { noCounts } from "../../../ingest/history/counts.ts";
import { type LoadRecord } from "../../../ingest/history/loads.ts";
import { commandsFor, listFormer, listGone } from "../../../ingest/load/former-files.ts";
import { findMergeRules } from "../../../ingest/sources/index.ts";
import { absorb, type Incoming } from "../../../ingest/statements/absorb.ts";
import type { FullStatement } from "../../../ingest/statements/statement.ts";

const IDS = ["97000001", "97000002", "97000003"];
const RANGE = 1_000_000;

/** A file: an edition of its day, which may be complete, or lines of the API. */
interface File {
  day?: string;
  isComplete: boolean;
  rows: Record<string, Members>;
}

const dayOf = (clock: number) => `2026-11-${String(clock).padStart(2, "0")}`;

/** A register in memory: its records, and the history of its loads. */
class Register {
  readonly stored = new Map<string, RecordOrTombstone>();
  readonly loads: LoadRecord[] = [];
  private readonly files = new Map<string, File>();
  private clock = 0;

  load(name: string, file: File, asOf?: string): LoadRecord {
    this.clock += 1;
    const load = this.newLoad(name, file);
    this.files.set(name, file);
    this.loads.push(load);
    const { revision } = load.plan;
    const { day: at = "", rows, isComplete } = file;
    for (const [id, data] of Object.entries(rows)) {
      const stamp = { at, place: revision, ...(at && { tells: "company-csv" }) };
      this.absorb({ id, statements: [{ ...stamp, data }], isUndated: at === "", asOf }, revision);
    }
    for (const id of isComplete ? IDS.filter((one) => !(one in rows)) : []) {
      const isApplicable = (record?: RecordOrTombstone) =>
        record !== undefined && !isTombstone(record) && record.revision < revision;
      this.absorb({ id, statements: [{ at, place: revision, gone: true }], isApplicable }, revision);
    }
    return load;
  }

  /** Returns the files to load again: their names and, of those without a day, the moments as of which they count. */
  undo(load: LoadRecord): { name: string; asOf: string | undefined }[] {
    this.clock += 1;
    const isUndone = ({ place }: FullStatement) => place === load.plan.revision;
    for (const id of this.stored.keys()) this.absorb({ id, statements: [], isUndone }, this.clock * RANGE);
    load.state = "undone";
    return listFormer(load, this.loads.toReversed()).map(({ name, production_date: day, of }) => {
      return { name, asOf: day === undefined ? of.started_at : undefined };
    });
  }

  fileOf(name: string): File {
    return this.files.get(name) ?? { isComplete: false, rows: {} };
  }

  /** The stored companies, without tombstones. */
  contents(): Record<string, unknown> {
    const contents = [...this.stored].flatMap(([id, record]) =>
      isTombstone(record) ? [] : [[id, record.data] as const],
    );
    return Object.fromEntries(contents.sort());
  }

  private absorb(incoming: Incoming, revision: number): void {
    const now = absorb(this.stored.get(incoming.id), incoming, this.absorbing(revision));
    if (now) this.stored.set(incoming.id, now);
  }

  private absorbing(revision: number) {
    return { record: companyRecord as never, revision, findMergeRules };
  }

  private now(): string {
    return `${dayOf(this.clock)}T12:00:00.000Z`;
  }

  private newLoad(name: string, { day, isComplete, rows }: File): LoadRecord {
    const source = day === undefined ? "api-json-lines" : "company-csv";
    const facts = { file: name, name, source, rows: Object.keys(rows).length, fills: ["companies"] };
    return {
      ...{ _id: this.now(), state: "succeeded", files: [name], started_at: this.now(), counts: noCounts() },
      plan: { encoding: "utf-8", limits: { rows: 1, bytes: 1 }, revision: this.clock * RANGE, isComplete },
      surveyed: [{ ...facts, ...(day !== undefined && { production_date: day }) }],
    };
  }
}

const words = fc.constantFrom("A LIMITED", "B LIMITED", "C LIMITED");
/** Rows of some of the companies, with one more member. */
const rowsOf = (member: string) => {
  const rowOf = (id: string) => {
    const data = fc.record({ company_name: words, [member]: words });
    return fc.option(data.map((drawn) => [id, { ...drawn, company_number: id, type: "ltd" }] as const));
  };
  const rows = fc.tuple(...IDS.map(rowOf));
  return rows.map((some) => Object.fromEntries(some.filter((row) => row !== null)) as File["rows"]);
};

const csv = fc.record({ isComplete: fc.boolean(), rows: rowsOf("last_full_members_list_date") });
const api = fc.record({ isComplete: fc.constant(false), rows: rowsOf("can_file") });
/** Editions have rising days. */
const history = fc
  .array(
    fc.oneof(
      csv.map((file) => ({ ...file, day: "2026" })),
      api,
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((files) => files.map((file, at): File => ("day" in file ? { ...file, day: dayOf(at + 1) } : file)));

describe("an undone load", () => {
  it("leaves no trace once the files that it had replaced are loaded again", () => {
    fc.assert(
      fc.property(history, fc.nat(2), (files, later) => {
        const [register, withoutIt] = [new Register(), new Register()];
        const bad = Math.max(0, files.length - 1 - later);
        const loads = files.map((file, at) => register.load(`file-${at}`, file));
        for (const [at, file] of files.entries()) if (at !== bad) withoutIt.load(`file-${at}`, file);
        const [undone] = loads.slice(bad);
        const former = undone ? register.undo(undone) : [];
        for (const { name, asOf } of former) register.load(name, register.fileOf(name), asOf);
        const [contents, expected] = [register.contents(), withoutIt.contents()];
        // Only the last complete edition is loaded again, so values that an earlier one removed may come back.
        const undated = files.findIndex(({ day }) => day === undefined);
        const removing = files.filter((file, at) => file.isComplete && at > undated && at !== bad);
        if (undated >= 0 && removing.length > 1) expect(Object.keys(contents)).toEqual(Object.keys(expected));
        else expect(contents).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the files to load again", () => {
  const plan = { encoding: "utf-8", limits: { rows: 1, bytes: 1 }, revision: 1, isComplete: false } as const;
  /** A load of one file of the day. */
  const loadOf = (day: string, source: string, members: Partial<LoadRecord["plan"]> = {}): LoadRecord => ({
    ...{ _id: day, state: "succeeded", files: [`${day}.dat`], started_at: day, counts: noCounts() },
    plan: { ...plan, ...members },
    surveyed: [{ file: `${day}.dat`, name: day, source, rows: 1, production_date: day }],
  });

  it("begin with the last complete edition, which also replaces daily updates", () => {
    const bad = loadOf("2026-12-01", "officers-snapshot");
    const loads = [
      loadOf("2026-12-02", "psc-snapshot"),
      bad,
      loadOf("2026-11-01", "officers-snapshot", { isComplete: true }),
      loadOf("2026-10-02", "officers-update"),
      loadOf("2026-10-01", "officers-snapshot"),
    ];
    expect(listFormer(bad, loads).map(({ file }) => file)).toEqual(["2026-11-01.dat"]);
  });

  it("include a file that a later complete edition does not replace, because it is of other kinds or an earlier day", () => {
    const fills = (load: LoadRecord, kind: string) => {
      for (const file of load.surveyed ?? []) file.fills = [kind];
      return load;
    };
    const of = (id: string, load: LoadRecord) => ({ ...load, _id: id });
    const bad = of("9", loadOf("2026-12-01", "officers-snapshot"));
    const isComplete = true;
    const others = [
      of("1", fills(loadOf("2026-10-02", "officers-update"), "appointments")),
      of("2", fills(loadOf("2026-11-01", "psc-snapshot", { isComplete }), "persons")),
      of("3", fills(loadOf("2026-10-01", "officers-snapshot", { isComplete }), "appointments")),
    ];
    const listed = listFormer(bad, [bad, ...others.toReversed()]).map(({ file }) => file);
    expect(listed).toEqual(["2026-10-02.dat", "2026-10-01.dat"]);
    const edition = of("1", loadOf("2026-11-01", "company-csv", { isComplete }));
    const older = of("2", loadOf("2026-10-01", "company-csv", { isComplete }));
    const companies = of("9", loadOf("2026-12-01", "company-csv"));
    expect(listFormer(companies, [companies, older, edition]).map(({ file }) => file)).toEqual([
      "2026-11-01.dat",
      "2026-10-01.dat",
    ]);
  });

  it("leave out a file that a later complete edition of its day replaces", () => {
    const bad = loadOf("2026-12-01", "company-csv");
    const [first, whole] = ["1", "2"].map((_id) => ({
      ...loadOf("2026-11-01", "company-csv", { isComplete: _id === "2" }),
      ...{ _id, files: [`${_id}.csv`] },
    }));
    expect(first && whole && commandsFor(listFormer(bad, [bad, whole, first]))).toEqual([
      "npm run cli -- load 2.csv --complete",
    ]);
  });

  it("include a file without a day, and later files of the same time for the other kinds that it fills", () => {
    const bad = loadOf("2026-12-01", "company-csv");
    const lines = loadOf("2026-11-20T09:00:00.000Z", "api-json-lines");
    lines.files = ["a.jsonl"];
    lines.surveyed = [
      {
        file: "a.jsonl",
        name: "a.jsonl",
        source: "api-json-lines",
        rows: 1,
        fills: ["companies", "appointments"],
      },
    ];
    const late = { ...loadOf("2026-11-05", "officers-snapshot"), _id: "2026-11-21" };
    const loads = [
      bad,
      loadOf("2026-11-23", "officers-update"),
      loadOf("2026-11-22", "psc-snapshot"),
      late,
      lines,
      loadOf("2026-11-01", "officers-snapshot"),
    ];
    expect(commandsFor(listFormer(bad, loads))).toEqual([
      "npm run cli -- load a.jsonl --as-of 2026-11-20T09:00:00.000Z",
      "npm run cli -- load 2026-11-05.dat",
    ]);
  });

  it.each([
    ["it's.csv", String.raw`'it'\''s.csv'`],
    ["-x.csv", "./-x.csv"],
  ])("have names that are quoted for a shell: %s", (name, word) => {
    const bad = loadOf("2026-12-01", "company-csv");
    const odd = loadOf("2026-11-01", "company-csv");
    for (const file of odd.surveyed ?? []) file.file = name;
    odd.files = [name];
    expect(commandsFor(listFormer(bad, [bad, odd]))).toEqual([`npm run cli -- load ${word}`]);
  });

  it("include a file that was loaded twice by a release without checksums, because its rows may have been corrected", () => {
    const [bad, corrected] = ["1", "2"].map((_id) => ({ ...loadOf("2026-12-01", "company-csv"), _id }));
    expect(bad && listFormer(bad, [corrected ?? bad, bad]).map(({ of }) => of._id)).toEqual(["2"]);
  });

  it("are named by their current paths, so that two files of one name that `watch` has moved stay two", () => {
    const bad = loadOf("2026-12-01", "company-csv");
    const weekly = ["2026-11-01", "2026-11-08"].map((day) => {
      const moved = { ...loadOf(day, "company-csv"), files: [`done/${day}/weekly.csv`] };
      for (const file of moved.surveyed ?? []) file.file = "inbox/weekly.csv";
      return moved;
    });
    const listed = listFormer(bad, [bad, ...weekly.toReversed()]);
    expect(commandsFor(listed)).toEqual([
      "npm run cli -- load done/2026-11-01/weekly.csv --force",
      "npm run cli -- load done/2026-11-08/weekly.csv",
    ]);
  });

  it("have no command if they cannot be read again: standard input and streams", () => {
    const bad = loadOf("2026-12-01", "company-csv");
    const piped = { ...loadOf("2026-11-01", "company-csv"), files: ["-"] };
    for (const file of piped.surveyed ?? []) file.file = "standard input";
    const url = "https://stream.example/companies";
    const followed = { ...loadOf("2026-11-02", "streaming-events", { isFollowing: true }), files: [url] };
    const listed = listFormer(bad, [bad, followed, piped]);
    expect(commandsFor(listed)).toEqual([]);
    expect(listGone(listed)).toEqual(["standard input (load 2026-11-01)", `${url} (load 2026-11-02)`]);
  });

  it("have commands with the options of their loads", () => {
    const bad = loadOf("2026-12-01", "company-csv");
    const spaced = loadOf("2026-11-01", "company-csv", { encoding: "latin1", as: "company-csv" });
    for (const file of spaced.surveyed ?? []) file.file = "my companies.csv";
    spaced.files = ["my companies.csv"];
    const later = loadOf("2027-01-01", "company-csv", { isUnchecked: true });
    expect(commandsFor(listFormer(bad, [later, bad, spaced]))).toEqual([
      "npm run cli -- load 'my companies.csv' --as company-csv --encoding latin1 --force",
      "npm run cli -- load 2027-01-01.dat --unchecked",
    ]);
  });
});

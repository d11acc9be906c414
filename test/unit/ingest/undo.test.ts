/** An undone load leaves no trace once the files that the undo names are loaded again: by random histories. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isGone } from "../../../api/core/gone.ts";
import type { Members } from "../../../api/core/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { HeldRecord } from "../../../api/resources/define-record.ts";
import { noCounts, type LoadRecord } from "../../../ingest/history/loads.ts";
import { listFormer, placeAgain } from "../../../ingest/load/former.ts";
import { findTable } from "../../../ingest/sources/index.ts";
import { absorb, hasWholeAfter, type Incoming } from "../../../ingest/statements/absorb.ts";
import { tableOf } from "../../../ingest/statements/statement.ts";
import { takenOf, withoutTaken } from "../../../ingest/statements/take-back.ts";

const IDS = ["97000001", "97000002", "97000003"];
const RANGE = 1_000_000;

/** A file: an edition of its day, which may be complete, or lines of the API. */
interface File {
  day?: string;
  isComplete: boolean;
  rows: Record<string, Members>;
}

/** Records in memory, and the history of loads, as the stores have them. */
class Register {
  readonly held = new Map<string, HeldRecord>();
  readonly loads: LoadRecord[] = [];
  private readonly files = new Map<string, File>();
  private clock = 0;

  private readonly documents = {
    listLatest: () =>
      Promise.resolve(
        this.loads.toReversed().map((load) => ({ ...load, counts: JSON.stringify(load.counts) })),
      ),
  };

  async load(name: string, file: File): Promise<LoadRecord> {
    this.clock += 1;
    const load = this.newLoad(name, file);
    const [facts] = load.surveyed ?? [];
    await placeAgain(this.documents, load, load.surveyed ?? []);
    this.files.set(name, file);
    this.loads.push(load);
    const { revision } = load.plan;
    const { day: at = "", rows, isComplete } = file;
    for (const [id, data] of Object.entries(rows)) {
      const stamp = { at, place: facts?.place ?? revision, ...(at && { tells: "company-csv" }) };
      const isMeant = (held?: HeldRecord) => !hasWholeAfter(held, stamp.place);
      const placed = facts?.place !== undefined && { isMeant };
      this.absorb({ id, statements: [{ ...stamp, data }], isUndated: at === "", ...placed }, revision);
    }
    for (const id of isComplete ? IDS.filter((one) => !(one in rows)) : []) {
      const isMeant = (held?: HeldRecord) => held !== undefined && !isGone(held) && held.revision < revision;
      this.absorb({ id, statements: [{ at, place: revision, gone: true }], isMeant }, revision);
    }
    return load;
  }

  /** Returns the names of the files to load again. */
  undo(load: LoadRecord): string[] {
    this.clock += 1;
    const { revision } = load.plan;
    const place = load.surveyed?.[0]?.place;
    const isTaken = (one: number) => one === place || one === revision;
    let isWhole = false;
    for (const [id, held] of this.held) {
      isWhole ||= takenOf(held, isTaken).some((one) => tableOf(one) === undefined);
      const taken = withoutTaken(held, isTaken, this.absorbing(this.clock * RANGE));
      if (taken) this.held.set(id, taken.now);
    }
    Object.assign(load, { state: "undone", undone_at: this.now() });
    const loaded = this.loads.toReversed().filter(({ state }) => state !== "undone");
    const files = loaded.flatMap((of) => (of.surveyed ?? []).map((file) => ({ ...file, of })));
    return listFormer(load, files, isWhole).map(({ name }) => name);
  }

  fileOf(name: string): File {
    return this.files.get(name) ?? { isComplete: false, rows: {} };
  }

  /** What is stored of each company, those that are gone left out. */
  contents(): Record<string, unknown> {
    const there = [...this.held].flatMap(([id, held]) => (isGone(held) ? [] : [[id, held.data] as const]));
    return Object.fromEntries(there.sort());
  }

  private absorb(incoming: Incoming, revision: number): void {
    const now = absorb(this.held.get(incoming.id), incoming, this.absorbing(revision));
    if (now) this.held.set(incoming.id, now);
  }

  private absorbing(revision: number) {
    return { record: companyRecord as never, revision, findTable };
  }

  private now(): string {
    return new Date(this.clock * 60_000).toISOString();
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
/** Rows of some of the companies, with one further member. */
const rowsOf = (member: string) => {
  const rowOf = (id: string) => {
    const data = fc.record({ company_name: words, [member]: words });
    return fc.option(data.map((said) => [id, { ...said, company_number: id, type: "ltd" }] as const));
  };
  const rows = fc.tuple(...IDS.map(rowOf));
  return rows.map((some) => Object.fromEntries(some.filter((row) => row !== null)) as File["rows"]);
};

const csv = fc.record({ isComplete: fc.boolean(), rows: rowsOf("last_full_members_list_date") });
const api = fc.record({ isComplete: fc.constant(false), rows: rowsOf("can_file") });
/** Editions are of rising days. */
const history = fc
  .array(
    fc.oneof(
      csv.map((file) => ({ ...file, day: "2026" })),
      api,
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((files) =>
    files.map((file, at): File => ("day" in file ? { ...file, day: `2026-11-0${at + 1}` } : file)),
  );

describe("an undone load", () => {
  it("leaves no trace once the files that it had replaced are loaded again", async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(2), async (files, later) => {
        const [register, other] = [new Register(), new Register()];
        const bad = Math.max(0, files.length - 1 - later);
        let undone: LoadRecord | undefined;
        for (const [at, file] of files.entries()) {
          const load = await register.load(`file-${at}`, file);
          if (at === bad) undone = load;
          else await other.load(`file-${at}`, file);
        }
        const names = undone ? register.undo(undone) : [];
        for (const name of names) await register.load(name, { ...register.fileOf(name), isComplete: false });
        const [before, after] = [other.contents(), register.contents()];
        // A file without a day counts as later than everything, and may bring back what an edition had removed.
        if (names.some((name) => register.fileOf(name).day === undefined))
          expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)));
        else expect(after).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
